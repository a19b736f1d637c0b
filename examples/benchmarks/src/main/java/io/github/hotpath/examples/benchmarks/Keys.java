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
import java.util.List;
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
            case "the clock alone" -> withoutKeys(name, permits, interval, isEmpty, clock);
            case "SlidingWindowLimiter, for all" ->
                withoutKeys("SlidingWindowLimiter", permits, interval, isEmpty, clock);
            case "KeyedLimiter" -> {
                KeyedLimiter<String> limiter = KeyedLimiter.of(limit);
                yield key -> limiter.forKey(key).tryAcquire(clock.getAsLong(), 1) ? 0 : 1;
            }
            case "Bucket4j in a Caffeine cache" -> asked(cached(limit, isEmpty, clock));
            case "Bucket4j in a Caffeine cache, one reading" -> {
                OneReading reading = new OneReading(clock);
                ToLongFunction<String> asked = asked(cached(limit, isEmpty, reading));
                yield key -> {
                    reading.read();
                    return asked.applyAsLong(key);
                };
            }
            case "Bucket4j in a ConcurrentHashMap" -> asked(mapped(limit, isEmpty, clock));
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

    /** Returns an attempt with a limiter that is the same for all keys, and does not wait. */
    static ToLongFunction<String> withoutKeys(
            String name, int permits, Duration interval, boolean isEmpty, LongSupplier clock) {
        Limiters.Call call = Limiters.of(name, permits, interval, isEmpty, clock);
        return key -> {
            try {
                return call.ask(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static ToLongFunction<String> asked(Function<String, Bucket> buckets) {
        return key -> buckets.apply(key).tryConsume(1) ? 0 : 1;
    }

    /** Returns a cache made by hand that evicts what has not been accessed for an interval: a bucket is full again then. */
    static Function<String, Bucket> cached(Limit limit, boolean isEmpty, LongSupplier clock) {
        Cache<String, Bucket> buckets =
                cache(clock).expireAfterAccess(limit.interval()).build();
        return key -> buckets.get(key, any -> Limiters.bucket(clock, isEmpty, List.of(limit)));
    }

    /** Returns a map, in which a bucket stays for ever. */
    static Function<String, Bucket> mapped(Limit limit, boolean isEmpty, LongSupplier clock) {
        ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();
        return key -> {
            Bucket bucket = buckets.get(key);
            return bucket != null
                    ? bucket
                    : buckets.computeIfAbsent(key, any -> Limiters.bucket(clock, isEmpty, List.of(limit)));
        };
    }

    /** A cache is evicted from in the thread that calls, since otherwise it takes time on another one. */
    private static Caffeine<Object, Object> cache(LongSupplier clock) {
        return Caffeine.newBuilder().ticker(clock::getAsLong).executor(Runnable::run);
    }

    /** The one reading of a clock with which a thread makes a call: for libraries to which no time can be passed. */
    static final class OneReading implements LongSupplier {
        private final LongSupplier clock;
        private final ThreadLocal<long[]> ofThread = ThreadLocal.withInitial(() -> new long[1]);

        OneReading(LongSupplier clock) {
            this.clock = clock;
        }

        void read() {
            ofThread.get()[0] = clock.getAsLong();
        }

        @Override
        public long getAsLong() {
            return ofThread.get()[0];
        }
    }
}
