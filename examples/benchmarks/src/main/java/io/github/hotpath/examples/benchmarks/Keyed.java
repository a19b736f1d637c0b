package io.github.hotpath.examples.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** A limit for each key. They do not promise the same: each says what it does. */
public enum Keyed {
    /** No limiter: the clock, the least that any of them can cost. */
    CLOCK("System.nanoTime() alone") {
        @Override
        ToLongFunction<Object> create(int limit, Duration interval, LongSupplier clock) {
            return key -> clock.getAsLong();
        }
    },
    /** No map: the limiter of a single key. */
    ONE_LIMITER("SlidingWindowLimiter, one for all") {
        @Override
        ToLongFunction<Object> create(int limit, Duration interval, LongSupplier clock) {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(limit, interval));
            return key -> limiter.tryAcquire(clock.getAsLong(), 1) ? 0 : 1;
        }
    },
    /** Never more than the limit of a key in any window. Evicts what is idle, and nothing else. */
    KEYED_LIMITER("KeyedLimiter") {
        @Override
        ToLongFunction<Object> create(int limit, Duration interval, LongSupplier clock) {
            KeyedLimiter<Object> limiter = KeyedLimiter.of(Limit.of(limit, interval));
            return key -> limiter.forKey(key).tryAcquire(clock.getAsLong(), 1) ? 0 : 1;
        }
    },
    /**
     * A bucket of tokens for each key, in a cache that evicts what has not been accessed for an interval: a bucket is
     * full again then. The cache evicts in the thread that calls, since otherwise it takes time on another one.
     */
    BUCKET4J("Bucket4j in a Caffeine cache") {
        @Override
        ToLongFunction<Object> create(int limit, Duration interval, LongSupplier clock) {
            Cache<Object, Bucket> buckets = Caffeine.newBuilder()
                    .expireAfterAccess(interval)
                    .ticker(clock::getAsLong)
                    .executor(Runnable::run)
                    .build();
            TimeMeter meter = new TimeMeter() {
                @Override
                public long currentTimeNanos() {
                    return clock.getAsLong();
                }

                @Override
                public boolean isWallClockBased() {
                    return false;
                }
            };
            return key ->
                    buckets.get(key, any -> bucket(limit, interval, meter)).tryConsume(1) ? 0 : 1;
        }
    },
    /** Fixed cycles for each key, in its registry, which evicts nothing. The clock is always the real one. */
    RESILIENCE4J("Resilience4j's registry") {
        @Override
        ToLongFunction<Object> create(int limit, Duration interval, LongSupplier clock) {
            RateLimiterRegistry registry = RateLimiterRegistry.of(RateLimiterConfig.custom()
                    .limitForPeriod(limit)
                    .limitRefreshPeriod(interval)
                    .timeoutDuration(Duration.ZERO)
                    .build());
            return key -> registry.rateLimiter(key.toString()).acquirePermission() ? 0 : 1;
        }
    };

    /** Those that have keys. */
    static final Set<Keyed> MAPS = EnumSet.of(KEYED_LIMITER, BUCKET4J, RESILIENCE4J);

    private final String title;

    Keyed(String title) {
        this.title = title;
    }

    /** Returns an attempt with a key on a new one, by {@code clock}: 0 if it is granted. */
    abstract ToLongFunction<Object> create(int limit, Duration interval, LongSupplier clock);

    private static Bucket bucket(int limit, Duration interval, TimeMeter meter) {
        return Bucket.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit).refillGreedy(limit, interval))
                .withCustomTimePrecision(meter)
                .build();
    }

    /** Returns its name in tables. */
    @Override
    public String toString() {
        return title;
    }
}
