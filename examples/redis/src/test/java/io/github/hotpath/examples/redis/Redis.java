package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** A server, and a client of it. No call times out before a test hangs. */
final class Redis implements AutoCloseable {
    static final Duration NEVER = Duration.ofMinutes(10);
    static final Duration HOUR = Duration.ofHours(1);

    final RedisServer server;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    Redis(String... options) throws IOException {
        server = new RedisServer(options);
        client = RedisClient.create(server.uri());
        connection = client.connect();
    }

    StatefulRedisConnection<String, String> connection() {
        return connection;
    }

    RedisCommands<String, String> commands() {
        return connection.sync();
    }

    RedisLimits limits() {
        return new RedisLimits(server.uri(), "", NEVER);
    }

    /** Waits for the answer, and returns its delay. */
    static long delay(RedisLimits limits, Map<String, Limit> keys, int permits) {
        try {
            return limits.decide(keys, permits).join().delayNanos();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    static Map<String, Limit> anHour(String key, int permits) {
        return Map.of(key, Limit.of(permits, HOUR));
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, NEVER);
        server.close();
    }
}
