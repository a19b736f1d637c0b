package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A window of a thousand events, written and read in its compact form. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(CompactFormBenchmark.EVENTS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CompactFormBenchmark {
    static final int EVENTS = 1_000;
    private static final Duration INTERVAL = Duration.ofMinutes(2);

    /** How the times follow one another. */
    public enum Times {
        MINUTE("1,000 in a minute") {
            @Override
            long distance(SplittableRandom random, int i) {
                return random.nextLong(120_000_000);
            }
        },
        SECOND("10,000 in a second") {
            @Override
            long distance(SplittableRandom random, int i) {
                return random.nextLong(200_000);
            }
        },
        BURSTS("bursts of 20") {
            @Override
            long distance(SplittableRandom random, int i) {
                return i % 20 == 0 ? random.nextLong(1_000_000_000) : random.nextLong(10_000);
            }
        },
        MILLISECONDS("whole milliseconds, 1,000 in a minute") {
            @Override
            long distance(SplittableRandom random, int i) {
                return random.nextLong(120) * 1_000_000;
            }
        };

        private final String title;

        Times(String title) {
            this.title = title;
        }

        abstract long distance(SplittableRandom random, int i);

        @Override
        public String toString() {
            return title;
        }
    }

    @Param
    Times times;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(written);
    private EventWindow window;
    private DataInputStream compact;

    @Setup
    public void fill() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        window = EventWindow.of(INTERVAL);
        long nanos = 1_763_640_000_000_000_000L;
        for (int i = 0; i < EVENTS; i++) {
            window.record(nanos += times.distance(random, i));
        }
        write();
        compact = new DataInputStream(new ByteArrayInputStream(written.toByteArray()));
    }

    @Benchmark
    public void write(Form form) throws IOException {
        form.bytes = write();
    }

    private int write() throws IOException {
        written.reset();
        window.writeTo(out);
        return written.size();
    }

    @Benchmark
    public EventWindow read() throws IOException {
        compact.reset();
        return EventWindow.readFrom(compact);
    }

    /** How long what was written is. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Form {
        public long bytes;
    }
}
