package io.github.hotpath.examples.redis;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A way to limit on Redis: that of this example, and those that it is compared with. */
enum Way {
    HOTPATH("hotpath") {
        @Override
        Limiter connect(RedisURI uri, Rule rule) {
            LimitServer server = LimitServer.connect(uri, Duration.ofSeconds(10));
            RedisLimiter limiter = server.limiter(rule.name(), Limit.of(rule.permits(), rule.interval()));
            return new Limiter() {
                @Override
                public boolean tryAcquire(String key) {
                    return limiter.tryAcquire(key, 1);
                }

                @Override
                public long refusedLocally() {
                    return limiter.refusedLocally();
                }

                @Override
                public void close() {
                    server.close();
                }
            };
        }
    },

    /** An element of a sorted set for each grant, by a script. */
    SORTED_SET("sorted set") {
        @Override
        Limiter connect(RedisURI uri, Rule rule) {
            AcquireScript script = AcquireScript.of(AcquireScript.resource("sorted_set.lua"));
            RedisClient client = RedisClient.create(uri);
            RedisCommands<String, String> commands = client.connect().sync();
            commands.scriptLoad(script.text());
            String permits = Integer.toString(rule.permits());
            String micros = Long.toString(rule.interval().toNanos() / 1000);
            String caller = Integer.toHexString(ThreadLocalRandom.current().nextInt()) + '-';
            AtomicLong number = new AtomicLong();
            return new Limiter() {
                @Override
                public boolean tryAcquire(String key) {
                    String[] keys = {rule.name() + ':' + key};
                    String grant = caller + number.incrementAndGet();
                    long delay =
                            commands.evalsha(script.digest(), ScriptOutputType.INTEGER, keys, permits, micros, grant);
                    return delay == 0;
                }

                @Override
                public void close() {
                    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
                }
            };
        }
    },

    REDISSON("Redisson") {
        @Override
        Limiter connect(RedisURI uri, Rule rule) {
            Config config = new Config();
            config.useSingleServer()
                    .setAddress("redis://" + uri.getHost() + ':' + uri.getPort())
                    .setConnectionMinimumIdleSize(4);
            RedissonClient client = Redisson.create(config);
            Map<String, RRateLimiter> limiters = new ConcurrentHashMap<>();
            return new Limiter() {
                @Override
                public boolean tryAcquire(String key) {
                    return limiters.computeIfAbsent(key, this::limiter).tryAcquire(1);
                }

                private RRateLimiter limiter(String key) {
                    RRateLimiter limiter = client.getRateLimiter(rule.name() + ':' + key);
                    limiter.trySetRate(RateType.OVERALL, rule.permits(), rule.interval());
                    return limiter;
                }

                @Override
                public void close() {
                    client.shutdown();
                }
            };
        }
    },

    /** A bucket that is refilled continuously, changed by compare-and-set. */
    BUCKET4J("Bucket4j") {
        @Override
        Limiter connect(RedisURI uri, Rule rule) {
            RedisClient client = RedisClient.create(uri);
            ProxyManager<byte[]> buckets =
                    Bucket4jLettuce.casBasedBuilder(client).build();
            BucketConfiguration configuration = BucketConfiguration.builder()
                    .addLimit(limit -> limit.capacity(rule.permits()).refillGreedy(rule.permits(), rule.interval()))
                    .build();
            Map<String, Bucket> byKey = new ConcurrentHashMap<>();
            return new Limiter() {
                @Override
                public boolean tryAcquire(String key) {
                    return byKey.computeIfAbsent(key, this::bucket).tryConsume(1);
                }

                private Bucket bucket(String key) {
                    byte[] name = (rule.name() + ':' + key).getBytes(StandardCharsets.UTF_8);
                    return buckets.getProxy(name, () -> configuration);
                }

                @Override
                public void close() {
                    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
                }
            };
        }
    };

    private final String text;

    Way(String text) {
        this.text = text;
    }

    /** Connects to the server. */
    abstract Limiter connect(RedisURI uri, Rule rule);

    @Override
    public String toString() {
        return text;
    }

    /** A limit: {@code name} is the beginning of the names of its keys. */
    record Rule(String name, int permits, Duration interval) {}

    /** What a caller uses. */
    interface Limiter extends AutoCloseable {
        boolean tryAcquire(String key);

        /** {@return how many attempts were refused without a call} */
        default long refusedLocally() {
            return 0;
        }

        @Override
        void close();
    }
}
