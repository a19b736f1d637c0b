package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.List;
import org.infinispan.manager.DefaultCacheManager;

/** A replica of a service that limits its clients: how all of it is used. */
final class Replica implements AutoCloseable {
    private final DefaultCacheManager manager;
    private final FleetLimiter<String> limiter;

    Replica(HostAndPort own, List<HostAndPort> dataMembers) {
        Duration silence = Duration.ofSeconds(5);
        Duration startTimeout = Duration.ofMinutes(1);
        manager = new DefaultCacheManager(FleetMembers.member("api", own, dataMembers, silence, startTimeout), true);

        Duration maxSkew = Duration.ofMillis(500);
        Duration timeout = Duration.ofSeconds(2);
        limiter = FleetLimiter.join(manager, "requests", maxSkew, timeout, Limit.of(1000, Duration.ofMinutes(1)));
    }

    /** Returns 0, or for how many nanoseconds the client is refused. */
    long admit(String client) {
        return limiter.tryAcquireOrDelay(client, 1);
    }

    @Override
    public void close() {
        manager.stop();
    }
}
