package io.github.hotpath.examples.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** A limit for each key. They do not promise the same, as those without keys do not. */
final class Keys {
    private Keys() {}

    /**
     * Returns an attempt with a key: 0 if it is granted. A cache evicts by {@code ticker}; Resilience4j's registry evicts
     * nothing, and has a clock of its own.
     */
    static ToLongFunction<String> of(String name, States s, boolean isEmpty, LongSupplier ticker) {
        return switch (name) {
            case "the clock alone" -> key -> s.clock().getAsLong();
            case "SlidingWindowLimiter, for all" -> {
                IntToLongFunction call =
                        Limiters.of("SlidingWindowLimiter", s.limit(), s.interval(), isEmpty, s.clock());
                yield key -> call.applyAsLong(1);
            }
            case "KeyedLimiter" -> {
                KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(s.limit(), s.interval()));
                yield key -> limiter.forKey(key).tryAcquire(s.clock().getAsLong(), 1) ? 0 : 1;
            }
            case "Bucket4j in a Caffeine cache" -> {
                Cache<String, Bucket> buckets = cache(s.interval(), ticker);
                Limit limit = Limit.of(s.limit(), s.interval());
                yield key -> buckets.get(key, any -> bucket(limit, isEmpty, s.clock()))
                                .tryConsume(1)
                        ? 0
                        : 1;
            }
            case "Resilience4j's registry" -> {
                RateLimiterRegistry registry = RateLimiterRegistry.of(Limiters.resilience4j(s.limit(), s.interval()));
                yield key -> registry.rateLimiter(key).acquirePermission() ? 0 : 1;
            }
            default -> throw new IllegalArgumentException("name: " + name);
        };
    }

    /**
     * Returns a cache that evicts what has not been accessed for an interval: a bucket is full again then. It evicts in
     * the thread that calls, since otherwise it takes time on another one.
     */
    static Cache<String, Bucket> cache(Duration interval, LongSupplier ticker) {
        return Caffeine.newBuilder()
                .expireAfterAccess(interval)
                .ticker(ticker::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    static Bucket bucket(Limit limit, boolean isEmpty, LongSupplier clock) {
        return Limiters.bucket(clock, isEmpty, limit).build();
    }
}
