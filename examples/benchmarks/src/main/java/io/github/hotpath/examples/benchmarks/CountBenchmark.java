package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Reads of a full window, when little has expired, and of half its interval. Times are passed in. */
public class CountBenchmark extends CallBenchmark {
    private static final long STEP = 10;

    @Param({"100", "10000", "1000000"})
    public int events;

    private long nanos;
    private EventWindow window;
    private Duration half;

    @Setup
    public void fill() {
        window = EventWindow.of(Duration.ofNanos(STEP * events));
        half = Duration.ofNanos(STEP * events / 2);
        for (int i = 0; i < events; i++) {
            window.record(nanos += STEP);
        }
    }

    /** With four expired events that have not been evicted. */
    @Benchmark
    public long countOfTheInterval() {
        return window.count(nanos + 5 * STEP);
    }

    @Benchmark
    public long countOfHalfOfIt() {
        return window.count(nanos, half);
    }
}
