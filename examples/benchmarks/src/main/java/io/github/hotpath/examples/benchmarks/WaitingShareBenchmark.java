package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Threads that acquire one permit after the other for a second, and wait for each: in line, or by a reservation and a
 * sleep. How many percent of the permits that a limit for 10 ms allows do they get?
 */
public class WaitingShareBenchmark extends OnceBenchmark {
    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final Duration TIME = Duration.ofSeconds(1);

    @Param({"BlockingLimiter.acquire", "reserve and sleep"})
    public String waits;

    @Param({"4", "8", "50", "200"})
    public int threads;

    @Param({"1000", "10000"})
    public int limit;

    @Benchmark
    public void measure(Found found) throws InterruptedException {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(limit, INTERVAL));
        BlockingLimiter turns = BlockingLimiter.of(limiter);
        boolean isLine = waits.startsWith("BlockingLimiter");
        LongAdder granted = new LongAdder();
        Threads.runAll(threads, false, () -> {}, index -> {
            long end = System.nanoTime() + TIME.toNanos();
            try {
                while (System.nanoTime() < end) {
                    if (isLine) {
                        turns.acquire(1);
                    } else {
                        Reservation turn = limiter.reserve(System.nanoTime(), 1, TIME);
                        TimeUnit.NANOSECONDS.sleep(turn.delayNanos());
                    }
                    granted.increment();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        found.percent = 100.0 * granted.sum() / (limit * (1 + TIME.toNanos() / INTERVAL.toNanos()));
    }

    /** What was found. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Found {
        public double percent;
    }
}
