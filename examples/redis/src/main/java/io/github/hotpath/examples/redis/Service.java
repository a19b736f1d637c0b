package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisURI;
import java.time.Duration;

/** A service that limits its clients: how all of it is used. */
final class Service implements AutoCloseable {
    private final LimitServer server;
    private final RedisLimiter limiter;

    Service() {
        server = LimitServer.connect(RedisURI.create("redis://localhost:6379"), Duration.ofSeconds(1));
        limiter = server.limiter(
                "api", Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofMinutes(1)));
    }

    /** Returns 0, or for how many nanoseconds the client is refused so many tokens. */
    long admit(String client, int tokens) {
        return limiter.tryAcquireOrDelay(client, tokens);
    }

    @Override
    public void close() {
        server.close();
    }
}
