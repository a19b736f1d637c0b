package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The one record after an idle gap that lets ten million events go: all of them, or all but ten. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g"})
@Warmup(iterations = 5)
@Measurement(iterations = 7)
public class ExpiryBenchmark {
    private static final int EVENTS = 10_000_000;
    private static final long INTERVAL = 10L * EVENTS;

    @Param({"0", "10"})
    int left;

    private EventWindow window;
    private Deque<Long> deque;
    private long afterwards;

    @Setup(Level.Trial)
    public void choose() {
        afterwards = INTERVAL + 10L * (EVENTS - left);
    }

    @Setup(Level.Invocation)
    public void fill() {
        window = EventWindow.of(Duration.ofNanos(INTERVAL));
        deque = new ArrayDeque<>();
        for (int i = 0; i < EVENTS; i++) {
            window.record(10L * i);
            deque.addLast(10L * i);
        }
    }

    @Benchmark
    public long eventWindow() {
        return window.record(afterwards);
    }

    @Benchmark
    public int trimmedDeque() {
        deque.addLast(afterwards);
        while (afterwards - deque.peekFirst() > INTERVAL) {
            deque.removeFirst();
        }
        return deque.size();
    }
}
