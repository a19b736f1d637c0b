package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import io.github.hotpath.window.Stripes;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Reads of a full window, when little has expired, and of half its interval. Times are passed in. */
public class CountBenchmark extends CallBenchmark {
    private static final long STEP = 10;

    /** With four expired events that have not been evicted. */
    @Benchmark
    public long countOfTheInterval(OfOneThread of) {
        return of.window.count(STEP * (of.events + 5));
    }

    @Benchmark
    public long countOfHalfOfIt(OfOneThread of) {
        return of.window.count(STEP * of.events, of.half);
    }

    @Benchmark
    public long sharedCountOfTheInterval(OfManyThreads of) {
        return of.window.count(STEP * OfManyThreads.EVENTS);
    }

    @Benchmark
    public long sharedCountOfHalfOfIt(OfManyThreads of) {
        return of.window.count(STEP * OfManyThreads.EVENTS, of.half);
    }

    /** A window. */
    @State(Scope.Benchmark)
    public static class OfOneThread {
        @Param({"100", "10000", "1000000"})
        public int events;

        private EventWindow window;
        private Duration half;

        @Setup
        public void fill() {
            window = EventWindow.of(Duration.ofNanos(STEP * events));
            half = Duration.ofNanos(STEP * events / 2);
            for (int i = 1; i <= events; i++) {
                window.record(STEP * i);
            }
        }
    }

    /** One in which threads have contended: the more, the more stripes it has, here with 1,000 events in each. */
    @State(Scope.Benchmark)
    public static class OfManyThreads {
        private static final int EVENTS = 1_000;

        @Param({"1", "2", "16", "64"})
        public int stripes;

        private final Duration half = Duration.ofNanos(STEP * EVENTS / 2);
        private final ConcurrentEventWindow window = ConcurrentEventWindow.of(Duration.ofNanos(STEP * EVENTS));

        @Setup
        public void fill() {
            Stripes.fill(window, stripes, EVENTS, STEP);
        }
    }
}
