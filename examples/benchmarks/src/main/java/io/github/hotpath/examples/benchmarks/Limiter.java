package io.github.hotpath.examples.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.EventWindow;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.smallrye.faulttolerance.core.rate.limit.TimeWindow;
import io.smallrye.faulttolerance.core.stopwatch.SystemStopwatch;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * A limiter to so many permits in 100 ms that many threads share. They do not promise the same: each says what it
 * does. Those with two limits have a second one of three quarters of the permits in half the time.
 */
public enum Limiter {
    /** No limiter: {@code System.nanoTime()}, the least that any of them can cost. */
    CLOCK("System.nanoTime() alone") {
        @Override
        IntToLongFunction create(int limit) {
            return permits -> System.nanoTime();
        }
    },
    /** Never more than the limit in any window, wherever it begins. To the nanosecond. */
    SLIDING_WINDOW_LIMITER("SlidingWindowLimiter") {
        @Override
        IntToLongFunction create(int limit) {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(limit, INTERVAL));
            return permits -> limiter.tryAcquire(System.nanoTime(), permits) ? 0 : 1;
        }
    },
    /** An {@code EventWindow} under a lock, which records if it counts fewer: the same, one event at a time. */
    LOCKED_EVENT_WINDOW("EventWindow, locked") {
        @Override
        IntToLongFunction create(int limit) {
            EventWindow window = EventWindow.of(INTERVAL);
            return permits -> {
                synchronized (window) {
                    long nanos = System.nanoTime();
                    boolean granted = window.count(nanos) < limit;
                    if (granted) {
                        window.record(nanos);
                    }
                    return granted ? 0 : 1;
                }
            };
        }
    },
    /**
     * The rolling window: never more than the limit in any window, but refused attempts count as well. One permit at a
     * time, to the millisecond.
     */
    SMALLRYE("SmallRye (rolling)") {
        @Override
        IntToLongFunction create(int limit) {
            TimeWindow window = TimeWindow.createRolling(SystemStopwatch.INSTANCE, limit, INTERVAL.toMillis(), 0);
            return permits -> window.record();
        }
    },
    /** A token bucket: the limit on average; up to twice the limit in one window, after a pause. To the nanosecond. */
    BUCKET4J("Bucket4j (tokens)") {
        @Override
        IntToLongFunction create(int limit) {
            Bucket bucket = bucket(limit).build();
            return permits -> bucket.tryConsume(permits) ? 0 : 1;
        }
    },
    /** Fixed cycles: the limit in each cycle; up to twice the limit in a window across two of them. */
    RESILIENCE4J("Resilience4j (cycles)") {
        @Override
        IntToLongFunction create(int limit) {
            RateLimiterConfig config = RateLimiterConfig.custom()
                    .limitForPeriod(limit)
                    .limitRefreshPeriod(INTERVAL)
                    .timeoutDuration(Duration.ZERO)
                    .build();
            AtomicRateLimiter limiter = new AtomicRateLimiter("benchmark", config);
            return permits -> limiter.acquirePermission(permits) ? 0 : 1;
        }
    },
    /** {@code RateLimiter}: permits that keep a distance from each other, and what a second's pause has saved up. */
    GUAVA("Guava (smooth)") {
        @Override
        IntToLongFunction create(int limit) {
            RateLimiter limiter = RateLimiter.create(10.0 * limit);
            return permits -> limiter.tryAcquire(permits) ? 0 : 1;
        }
    },
    /** Two exact limits, all or nothing. */
    TWO_LIMITS("SlidingWindowLimiter, two limits") {
        @Override
        IntToLongFunction create(int limit) {
            SlidingWindowLimiter limiter =
                    SlidingWindowLimiter.of(Limit.of(limit, INTERVAL), Limit.of(second(limit), HALF));
            return permits -> limiter.tryAcquire(System.nanoTime(), permits) ? 0 : 1;
        }
    },
    /** Two buckets of tokens, all or nothing. */
    BUCKET4J_TWO_LIMITS("Bucket4j (tokens), two limits") {
        @Override
        IntToLongFunction create(int limit) {
            Bucket bucket = bucket(limit)
                    .addLimit(bandwidth -> bandwidth.capacity(second(limit)).refillGreedy(second(limit), HALF))
                    .build();
            return permits -> bucket.tryConsume(permits) ? 0 : 1;
        }
    },
    /** {@code tryAcquireOrDelay}: acquired, or how long to wait, in one atomic call. */
    DELAY("SlidingWindowLimiter, or delay") {
        @Override
        IntToLongFunction create(int limit) {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(limit, INTERVAL));
            return permits -> limiter.tryAcquireOrDelay(System.nanoTime(), permits);
        }
    },
    /** The same of a bucket of tokens. */
    BUCKET4J_DELAY("Bucket4j (tokens), or delay") {
        @Override
        IntToLongFunction create(int limit) {
            Bucket bucket = bucket(limit).build();
            return permits -> bucket.tryConsumeAndReturnRemaining(permits).getNanosToWaitForRefill();
        }
    };

    /** One permit, one limit: what all of them have. */
    static final Set<Limiter> PLAIN = EnumSet.range(CLOCK, GUAVA);

    /** Any number of permits in a call. */
    static final Set<Limiter> WEIGHTED = EnumSet.of(CLOCK, SLIDING_WINDOW_LIMITER, BUCKET4J, RESILIENCE4J, GUAVA);

    /** Two limits at once, and one for comparison. */
    static final Set<Limiter> TWOFOLD =
            EnumSet.of(CLOCK, SLIDING_WINDOW_LIMITER, TWO_LIMITS, BUCKET4J, BUCKET4J_TWO_LIMITS);

    /** The delay when refused. */
    static final Set<Limiter> DELAYING = EnumSet.of(DELAY, BUCKET4J_DELAY);

    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration HALF = INTERVAL.dividedBy(2);

    private final String title;

    Limiter(String title) {
        this.title = title;
    }

    /**
     * Returns a call to a new one, for a number of permits: 0 if they are granted, otherwise another number: the
     * delay, for a limiter that is measured with it.
     */
    abstract IntToLongFunction create(int limit);

    private static LocalBucketBuilder bucket(int limit) {
        return Bucket.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit).refillGreedy(limit, INTERVAL))
                .withNanosecondPrecision();
    }

    private static int second(int limit) {
        return limit - limit / 4;
    }

    /** Returns its name in tables and charts. */
    @Override
    public String toString() {
        return title;
    }
}
