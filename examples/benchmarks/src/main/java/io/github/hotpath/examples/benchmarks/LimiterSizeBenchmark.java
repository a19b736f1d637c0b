package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A limiter with few permits in its window and with many, each of a call of its own. Times are handed in. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LimiterSizeBenchmark {
    private static final long STEP = 10;
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    @Param({"100", "1000000"})
    int events;

    private SlidingWindowLimiter limiter;
    private long now;

    /** With each step the oldest permit expires, so a window that is full has room for one more. */
    @Setup
    public void fill() {
        limiter = SlidingWindowLimiter.of(Limit.of(events, Duration.ofNanos(STEP * events - 1)));
        for (int i = 0; i < events; i++) {
            check(granted());
        }
    }

    /** One permit comes as another expires. */
    @Benchmark
    public boolean granted() {
        return limiter.tryAcquire(now += STEP, 1);
    }

    /** A slot behind as many pending ones, which are one fewer with each step. */
    @Benchmark
    public Reservation reserved(Pending pending) {
        return limiter.reserve(now += STEP, 1, FOR_EVER);
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
        public void reserve(LimiterSizeBenchmark benchmark) {
            for (int i = 0; i < benchmark.events; i++) {
                check(benchmark.limiter.reserve(benchmark.now, 1, FOR_EVER).isGranted());
            }
        }
    }
}
