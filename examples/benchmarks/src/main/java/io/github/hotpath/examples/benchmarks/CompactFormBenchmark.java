package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A window of a thousand events, written and read in its compact form; the figures are those of one event. */
@OperationsPerInvocation(CompactFormBenchmark.EVENTS)
public class CompactFormBenchmark extends CallBenchmark {
    static final int EVENTS = 1_000;

    @Param({"1,000 in a minute", "10,000 in a second", "bursts of 20", "whole milliseconds, 1,000 in a minute"})
    public String times;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(written);
    private final EventWindow window = EventWindow.of(Duration.ofMinutes(2));
    private DataInputStream compact;

    @Setup
    public void fill() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        long nanos = 1_763_640_000_000_000_000L;
        for (int i = 0; i < EVENTS; i++) {
            window.record(nanos += distance(random, i));
        }
        writeTo();
        compact = new DataInputStream(new ByteArrayInputStream(written.toByteArray()));
    }

    private long distance(SplittableRandom random, int i) {
        return switch (times) {
            case "1,000 in a minute" -> random.nextLong(120_000_000);
            case "10,000 in a second" -> random.nextLong(200_000);
            case "bursts of 20" -> i % 20 == 0 ? random.nextLong(1_000_000_000) : random.nextLong(10_000);
            case "whole milliseconds, 1,000 in a minute" -> random.nextLong(120) * 1_000_000;
            default -> throw new IllegalStateException("times: " + times);
        };
    }

    @Benchmark
    public void write(Form form) throws IOException {
        form.length = (double) writeTo() / EVENTS;
    }

    private int writeTo() throws IOException {
        written.reset();
        window.writeTo(out);
        return written.size();
    }

    @Benchmark
    public EventWindow read() throws IOException {
        compact.reset();
        return EventWindow.readFrom(compact);
    }

    /** How many bytes an event takes. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Form {
        public double length;
    }
}
