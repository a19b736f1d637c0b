package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A limiter with few permits in its window and with many, each of a call of its own. Times are passed in. */
public class ReservationBenchmark extends CallBenchmark {
    private static final long STEP = 10;
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    @Param({"100", "1000000"})
    public int permits;

    private SlidingWindowLimiter limiter;
    private long now;

    /** With each step the oldest permit expires, so a window that is full has room for one more. */
    @Setup
    public void fill() {
        limiter = SlidingWindowLimiter.of(Limit.of(permits, Duration.ofNanos(STEP * permits - 1)));
        for (int i = 0; i < permits; i++) {
            check(grantAtTheLimit());
        }
    }

    @Benchmark
    public boolean grantAtTheLimit() {
        return limiter.tryAcquire(now += STEP, 1);
    }

    /** A slot behind as many pending ones, which are one fewer with each step. */
    @Benchmark
    public Reservation reserve(Pending pending) {
        return limiter.reserve(now += STEP, 1, FOREVER);
    }

    private static void check(boolean granted) {
        if (!granted) {
            throw new IllegalStateException("refused");
        }
    }

    /** Makes the limiter have a slot pending for each permit in its window. */
    @State(Scope.Thread)
    public static class Pending {
        @Setup
        public void reserve(ReservationBenchmark benchmark) {
            for (int i = 0; i < benchmark.permits; i++) {
                check(benchmark.limiter.reserve(benchmark.now, 1, FOREVER).isGranted());
            }
        }
    }
}
