package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Limits whose clock stands still: a client has 3 in a minute, a tenant 8 in 10 s, the service 100 a second. */
final class TestLimits implements RequestLimits {
    /** Near the end of the range, so that the clock wraps around in the middle of a test. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private final RequestLimits limits = new RequestLimits.Local(nanos::get);

    @Override
    public CompletableFuture<Answer> ask(Map<String, Limit> keys, int permits) {
        return limits.ask(keys, permits);
    }

    void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    /** The limits of a user, whose tenant follows the {@code @} of the name, or of an address. */
    static Map<String, Limit> of(@Nullable String user, @Nullable String address) {
        Map<String, Limit> limits = new LinkedHashMap<>();
        limits.put(RequestLimits.clientKey(user, address), Limit.of(3, Duration.ofMinutes(1)));
        if (user != null) {
            limits.put("tenant:" + user.substring(user.indexOf('@') + 1), Limit.of(8, Duration.ofSeconds(10)));
        }
        limits.put("service", Limit.of(100, Duration.ofSeconds(1)));
        return limits;
    }
}
