package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** How a request asks a client's limit, a tenant's and a service's, of which only that of the service may refuse. */
public enum Together {
    /** That of the service alone. */
    SERVICE_ALONE("the service alone") {
        @Override
        LongSupplier create(int limit) {
            SlidingWindowLimiter service = service(limit);
            return () -> service.tryAcquire(System.nanoTime(), 1) ? 0 : 1;
        }
    },
    /** Three limiters, all or nothing. */
    TOGETHER("three together") {
        @Override
        LongSupplier create(int limit) {
            io.github.hotpath.limit.Limiter all =
                    io.github.hotpath.limit.Limiter.allOf(service(ROOMY), service(ROOMY), service(limit));
            return () -> all.tryAcquire(System.nanoTime(), 1) ? 0 : 1;
        }
    },
    /** Two keys and a limiter, all or nothing, put together for each request. */
    KEYS_TOGETHER("two keys and the service, together") {
        @Override
        LongSupplier create(int limit) {
            KeyedLimiter<String> clients = keyed();
            KeyedLimiter<String> tenants = keyed();
            SlidingWindowLimiter service = service(limit);
            return () -> io.github.hotpath.limit.Limiter.allOf(clients.forKey(CLIENT), tenants.forKey(TENANT), service)
                            .tryAcquire(System.nanoTime(), 1)
                    ? 0
                    : 1;
        }
    },
    /** That of the service alone, which tells all about its decision. */
    SERVICE_DECIDES("the service alone, decide") {
        @Override
        LongSupplier create(int limit) {
            SlidingWindowLimiter service = service(limit);
            return () -> service.decide(System.nanoTime(), 1).delayNanos();
        }
    };

    private static final Duration INTERVAL = Duration.ofMillis(100);

    /** Permits that are never exhausted. */
    private static final int ROOMY = 10_000_000;

    private static final String CLIENT = "192.0.2.1";
    private static final String TENANT = "example";

    private final String title;

    Together(String title) {
        this.title = title;
    }

    /** Returns an attempt on limiters of which the service's has {@code limit} permits in 100 ms. */
    abstract LongSupplier create(int limit);

    private static SlidingWindowLimiter service(int limit) {
        return SlidingWindowLimiter.of(Limit.of(limit, INTERVAL));
    }

    private static KeyedLimiter<String> keyed() {
        return KeyedLimiter.of(Limit.of(ROOMY, INTERVAL));
    }

    /** Returns its name in results. */
    @Override
    public String toString() {
        return title;
    }
}
