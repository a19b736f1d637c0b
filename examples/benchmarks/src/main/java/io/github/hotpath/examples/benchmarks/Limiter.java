package io.github.hotpath.examples.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.smallrye.faulttolerance.core.rate.limit.TimeWindow;
import io.smallrye.faulttolerance.core.stopwatch.SystemStopwatch;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A limiter to so many events in 100 ms that many threads share. They do not promise the same: each says what it
 * does.
 */
public enum Limiter {
    /** {@code tryRecord}: never more than the limit in any window, wherever it begins. To the nanosecond. */
    CONCURRENT_EVENT_WINDOW("ConcurrentEventWindow") {
        @Override
        BooleanSupplier create(int limit) {
            ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);
            return () -> window.tryRecord(System.nanoTime(), limit);
        }
    },
    /** The same of an {@code EventWindow} under a lock. */
    LOCKED_EVENT_WINDOW("EventWindow, locked") {
        @Override
        BooleanSupplier create(int limit) {
            EventWindow window = EventWindow.of(INTERVAL);
            return () -> {
                synchronized (window) {
                    return window.tryRecord(System.nanoTime(), limit);
                }
            };
        }
    },
    /**
     * The rolling window: never more than the limit in any window, but refused attempts count as well. To the
     * millisecond.
     */
    SMALLRYE("SmallRye (rolling)") {
        @Override
        BooleanSupplier create(int limit) {
            TimeWindow window = TimeWindow.createRolling(SystemStopwatch.INSTANCE, limit, INTERVAL.toMillis(), 0);
            return () -> window.record() == 0;
        }
    },
    /** A token bucket: the limit on average; up to twice the limit in one window, after a pause. To the nanosecond. */
    BUCKET4J("Bucket4j (tokens)") {
        @Override
        BooleanSupplier create(int limit) {
            Bucket bucket = Bucket.builder()
                    .addLimit(bandwidth -> bandwidth.capacity(limit).refillGreedy(limit, INTERVAL))
                    .withNanosecondPrecision()
                    .build();
            return () -> bucket.tryConsume(1);
        }
    },
    /** Fixed cycles: the limit in each cycle; up to twice the limit in a window across two of them. */
    RESILIENCE4J("Resilience4j (cycles)") {
        @Override
        BooleanSupplier create(int limit) {
            RateLimiterConfig config = RateLimiterConfig.custom()
                    .limitForPeriod(limit)
                    .limitRefreshPeriod(INTERVAL)
                    .timeoutDuration(Duration.ZERO)
                    .build();
            AtomicRateLimiter limiter = new AtomicRateLimiter("benchmark", config);
            return limiter::acquirePermission;
        }
    },
    /** {@code RateLimiter}: events that keep a distance from each other, and what a second's pause has saved up. */
    GUAVA("Guava (smooth)") {
        @Override
        BooleanSupplier create(int limit) {
            RateLimiter limiter = RateLimiter.create(10.0 * limit);
            return limiter::tryAcquire;
        }
    };

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final String title;

    Limiter(String title) {
        this.title = title;
    }

    /** Returns a new one, which says whether it admits an event. */
    abstract BooleanSupplier create(int limit);

    /** Returns its name in tables and charts. */
    @Override
    public String toString() {
        return title;
    }
}
