package io.github.hotpath.examples.fleet;

import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A replica of a service that limits its clients: how all of it is used. */
final class Replica implements AutoCloseable {
    private final FleetMember member;
    private final FleetLimiter limiter;

    Replica(String own, String second, String third, Path dir) throws IOException {
        FleetMembers members = FleetMembers.of("api", own, second, third); // the same at all members
        member = FleetMember.join(members, own, dir, Duration.ofSeconds(2));
        limiter = member.limiter("requests", Limit.of(1000, Duration.ofMinutes(1)));
    }

    /** Returns 0, or for how many nanoseconds the client is refused. */
    long admit(String client) {
        return limiter.tryAcquireOrDelay(client, 1);
    }

    @Override
    public void close() throws IOException {
        member.close();
    }
}
