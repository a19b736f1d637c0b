package io.github.hotpath.examples.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.adapters.fleet.FleetLimits;
import io.github.hotpath.examples.adapters.redis.SharedLimits;
import io.github.hotpath.examples.fleet.FleetMember;
import io.github.hotpath.examples.fleet.FleetMembers;
import io.github.hotpath.examples.redis.RedisLimits;
import io.github.hotpath.examples.redis.Script;
import io.github.hotpath.examples.support.Ports;
import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** The same requests get the same answers, whatever the limits are in. */
class AdaptersTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(10); // for what hangs

    private static final Limit CLIENT = Limit.of(2, HOUR);
    private static final Limit TENANT = Limit.of(3, HOUR);
    private static final Limit SERVICE = Limit.of(5, HOUR);

    @TempDir
    private Path dir;

    @Test
    @Tag("redis")
    void sharedLimits_severalCallers_allOrNothing() throws IOException {
        int port = Ports.free();
        RedisServer server =
                RedisServer.newRedisServer().port(port).setting("save \"\"").build();
        server.start();
        RedisClient client = RedisClient.create(RedisURI.builder(RedisURI.create("127.0.0.1", port))
                .withTimeout(TIMEOUT)
                .build());
        client.setOptions(RedisLimits.options(TIMEOUT));
        try (var connection = client.connect()) {
            for (Script script : Script.values()) {
                connection.sync().flushall();
                RequestLimits limits = sharedLimits(connection, script, "one");
                checkAllOrNothing(limits::decide);

                RequestLimits others = sharedLimits(connection, script, "other"); // which count by themselves
                checkAllOrNothing((caller, permits) -> others.decideAsync(caller, permits)
                        .toCompletableFuture()
                        .join());
            }
        } finally {
            client.shutdown(Duration.ZERO, TIMEOUT);
            server.stop();
        }
    }

    @Test
    @Tag("fleet")
    void fleetLimits_severalCallers_allOrNothing() throws IOException {
        String own = "127.0.0.1:" + Ports.free();
        Queue<Runnable> waiting = new ArrayDeque<>();
        try (FleetMember member = FleetMember.create(FleetMembers.of("test", own), own, dir.resolve("data"), TIMEOUT)) {
            RequestLimits limits = new FleetLimits(
                    member,
                    member.limiter("client", CLIENT),
                    member.limiter("tenant", TENANT),
                    member.limiter("service", SERVICE),
                    waiting::add);
            checkAllOrNothing(limits::decide);

            CompletionStage<Verdict> refused = limits.decideAsync(Caller.address("192.0.2.3"), 1);
            assertThat(waiting).hasSize(1); // this thread has not asked
            waiting.remove().run();
            assertThat(refused.toCompletableFuture().join().isGranted()).isFalse();
        }
    }

    private static RequestLimits sharedLimits(
            StatefulRedisConnection<String, String> connection, Script script, String prefix) {
        return new SharedLimits(RedisLimits.of(connection, script), prefix, CLIENT, TENANT, SERVICE);
    }

    private static void checkAllOrNothing(BiFunction<Caller, Integer, Verdict> limits) {
        Caller first = Caller.user("first", "tenant");
        Caller second = Caller.user("second", "tenant");
        Caller stranger = Caller.address("192.0.2.1");

        assertThat(limits.apply(first, 2).isGranted()).isTrue(); // client 2 of 2, tenant 2 of 3, service 2 of 5
        assertThat(limits.apply(first, 1).delayNanos()).isPositive().isLessThanOrEqualTo(HOUR.toNanos() + 1_000);
        assertThat(limits.apply(second, 2).isGranted()).isFalse(); // the tenant's limit
        assertThat(limits.apply(second, 1).isGranted())
                .isTrue(); // service 3 of 5: what was refused has used up nothing
        assertThat(limits.apply(stranger, 2).isGranted()).isTrue(); // without a tenant
        assertThat(limits.apply(Caller.address("192.0.2.2"), 1).isGranted()).isFalse(); // the limit of all
    }
}
