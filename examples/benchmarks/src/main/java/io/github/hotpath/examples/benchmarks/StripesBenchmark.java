package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.Stripes;
import java.time.Duration;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A read of a window in which many threads have recorded: by the number of its stripes, with 1,000 events in each. */
public class StripesBenchmark extends CallBenchmark {
    private static final long STEP = 10;
    private static final int EVENTS = 1_000;

    @Param({"1", "2", "16", "64"})
    public int stripes;

    private final ConcurrentEventWindow window = ConcurrentEventWindow.of(Duration.ofNanos(STEP * EVENTS));
    private final Duration half = Duration.ofNanos(STEP * EVENTS / 2);

    @Setup
    public void fill() {
        Stripes.fill(
                window,
                stripes,
                LongStream.rangeClosed(1, EVENTS).map(i -> STEP * i).toArray());
    }

    @Benchmark
    public long countOfTheInterval() {
        return window.count(STEP * EVENTS);
    }

    @Benchmark
    public long countOfHalfOfIt() {
        return window.count(STEP * EVENTS, half);
    }
}
