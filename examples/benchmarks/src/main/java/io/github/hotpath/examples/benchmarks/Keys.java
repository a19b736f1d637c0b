package io.github.hotpath.examples.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.caffeine.Bucket4jCaffeine;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** A limit for each key. They do not promise the same, as those without keys do not. */
final class Keys {
    /** The key with which a benchmark calls, if it calls with one. */
    static final String HOT = "client-0";

    private Keys() {}

    /**
     * Returns an attempt with a key: 0 if it is granted. A map and Resilience4j's registry evict nothing; the caches
     * evict by the same clock.
     */
    static ToLongFunction<String> of(String name, int permits, Duration interval, boolean isEmpty, LongSupplier clock) {
        Limit limit = Limit.of(permits, interval);
        return switch (name) {
            case "the clock alone" -> key -> clock.getAsLong() == Long.MIN_VALUE ? 1 : 0;
            case "SlidingWindowLimiter, for all" -> {
                Limiters.Call call = Limiters.of("SlidingWindowLimiter", permits, interval, isEmpty, clock);
                yield key -> {
                    try {
                        return call.ask(1);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                };
            }
            case "KeyedLimiter" -> {
                KeyedLimiter<String> limiter = KeyedLimiter.of(limit);
                yield key -> limiter.forKey(key).tryAcquire(clock.getAsLong(), 1) ? 0 : 1;
            }
            case "Bucket4j in a Caffeine cache" -> {
                Function<String, Bucket> buckets = cached(limit, isEmpty, clock);
                yield key -> buckets.apply(key).tryConsume(1) ? 0 : 1;
            }
            case "Bucket4j in a Caffeine cache, one reading" -> {
                OneReading reading = new OneReading(clock);
                Function<String, Bucket> buckets = cached(limit, isEmpty, reading);
                yield key -> {
                    reading.read();
                    return buckets.apply(key).tryConsume(1) ? 0 : 1;
                };
            }
            case "Bucket4j in a ConcurrentHashMap" -> {
                Function<String, Bucket> buckets = mapped(limit, isEmpty, clock);
                yield key -> buckets.apply(key).tryConsume(1) ? 0 : 1;
            }
            case "bucket4j-caffeine" -> {
                ProxyManager<String> buckets = Bucket4jCaffeine.<String>builderFor(cache(clock))
                        .clientClock(Limiters.meter(clock, true))
                        .expirationAfterWrite(
                                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ZERO))
                        .build();
                BucketConfiguration configuration = BucketConfiguration.builder()
                        .addLimit(Limiters.bandwidth(limit, isEmpty))
                        .build();
                yield key -> buckets.getProxy(key, () -> configuration).tryConsume(1) ? 0 : 1;
            }
            case "Resilience4j's registry" -> {
                RateLimiterConfig config = Limiters.resilience4j(permits, interval);
                RateLimiterRegistry registry = RateLimiterRegistry.of(config);
                registry.rateLimiter(HOT);
                registry.replace(
                        HOT, new AtomicRateLimiter(HOT, config, clock::getAsLong)); // only so has it this clock
                yield key -> registry.rateLimiter(key).acquirePermission() ? 0 : 1;
            }
            default -> throw new IllegalArgumentException("name: " + name);
        };
    }

    /** Returns a cache made by hand that evicts what has not been accessed for an interval: a bucket is full again then. */
    static Function<String, Bucket> cached(Limit limit, boolean isEmpty, LongSupplier clock) {
        Cache<String, Bucket> buckets =
                cache(clock).expireAfterAccess(limit.interval()).build();
        return key -> buckets.get(key, any -> bucket(limit, isEmpty, clock));
    }

    /** Returns a map, in which a bucket stays for ever. */
    static Function<String, Bucket> mapped(Limit limit, boolean isEmpty, LongSupplier clock) {
        ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();
        return key -> {
            Bucket bucket = buckets.get(key);
            return bucket != null ? bucket : buckets.computeIfAbsent(key, any -> bucket(limit, isEmpty, clock));
        };
    }

    /** A cache is evicted from in the thread that calls, since otherwise it takes time on another one. */
    private static Caffeine<Object, Object> cache(LongSupplier clock) {
        return Caffeine.newBuilder().ticker(clock::getAsLong).executor(Runnable::run);
    }

    static Bucket bucket(Limit limit, boolean isEmpty, LongSupplier clock) {
        return Limiters.bucket(clock, isEmpty, limit).build();
    }
}
