package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.BoundedEventWindow;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A record in a steady window with an error of 1%, and a read of both bounds. Times are passed in. */
public class BoundedBenchmark extends CallBenchmark {
    private static final long STEP = 10;

    @Param({"1000", "100000", "10000000"})
    public int events;

    private long nanos;
    private BoundedEventWindow bounded;

    @Setup
    public void fill() {
        Duration interval = Duration.ofNanos(STEP * (events - 1));
        nanos = System.nanoTime();
        bounded = BoundedEventWindow.of(interval, 0.01);
        for (int i = 0; i < 2 * events; i++) {
            nanos += STEP;
            bounded.record(nanos);
        }
    }

    @Benchmark
    public void record() {
        bounded.record(nanos += STEP);
    }

    /** When a third of the events have expired. */
    @Benchmark
    public long bothBounds() {
        long at = nanos + STEP * events / 3;
        return bounded.countAtMost(at) - bounded.countAtLeast(at);
    }
}
