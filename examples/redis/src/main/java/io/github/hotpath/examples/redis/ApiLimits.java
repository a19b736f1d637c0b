package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Limits the users and the tenants of an API, for all processes that serve it: how all of it is used. */
public final class ApiLimits implements AutoCloseable {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RedisClient client;
    private final RedisLimits limits;

    /** Connects to a server; a call fails after {@code timeout}. */
    public ApiLimits(RedisURI uri, Duration timeout) {
        client = RedisClient.create(uri);
        client.setOptions(RedisLimits.options(timeout));
        try {
            limits = RedisLimits.of(client.connect(), Script.SORTED_SET);
        } catch (RuntimeException e) {
            close(); // its threads would stay
            throw e;
        }
    }

    /** Returns 0 if admitted, or for how many nanoseconds such a request is refused. */
    public CompletableFuture<Long> admit(String user, String tenant, int tokens) {
        RedisLimiter ofUser = limits.limiter("user:" + user, Limit.ofCalls(60, MINUTE), Limit.of(100_000, MINUTE));
        RedisLimiter ofTenant = limits.limiter("tenant:" + tenant, Limit.ofCalls(1_000, MINUTE));
        return RedisLimiter.allOf(ofUser, ofTenant).tryAcquireOrDelayAsync(tokens);
    }

    /** Ends the connection. */
    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
