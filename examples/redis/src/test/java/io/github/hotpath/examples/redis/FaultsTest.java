package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.common.base.Ticker;
import com.google.common.reflect.Reflection;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.TimeoutOptions.TimeoutSource;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong at the server and on the way to it. */
@Timeout(600)
class FaultsTest {
    private static final long START = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;
    private static final long HOUR = Duration.ofHours(1).toNanos() + 1000;

    private static Redis redis;

    @BeforeAll
    static void start() throws Exception {
        redis = new Redis("--appendonly", "yes", "--appendfsync", "no");
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void clear() {
        redis.commands().flushall();
    }

    private static void assertNotAcquired(RedisLimiter limiter, String reason) {
        assertThatExceptionOfType(NotAcquiredException.class)
                .isThrownBy(() -> limiter.askServer(1))
                .withMessageContaining("[first, k]")
                .withMessageContaining(reason);
        assertThat(redis.commands().exists("first")).isZero();
    }

    private static RedisLimiter ofTwoKeys(RedisLimits limits) {
        return RedisLimiter.allOf(limits.limiter("first", Redis.anHour(2)), limits.limiter("k", Redis.anHour(2)));
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_foreignValue_throwsAndChangesNothing(Script script) {
        RedisLimiter limiter = ofTwoKeys(redis.limits(script));
        redis.commands().set("k", "a value of another program");
        assertNotAcquired(limiter, "WRONGTYPE");

        redis.commands().del("k");
        redis.commands().rpush("k", "a value of another program");
        assertNotAcquired(limiter, "");

        redis.commands().del("k");
        redis.commands().zadd("k", 1, "a value of another program");
        assertNotAcquired(limiter, "");
        assertThat(redis.commands().zcard("k")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_noMemory_throwsAndChangesNothing(Script script) {
        RedisLimits limits = redis.limits(script);
        assertThat(limits.limiter("k", Redis.anHour(2)).tryAcquire(1)).isTrue();
        redis.commands().configSet("maxmemory", "1");
        try {
            assertNotAcquired(ofTwoKeys(limits), "OOM");
        } finally {
            redis.commands().configSet("maxmemory", "0");
        }
        assertThat(redis.grants(script, "k")).isEqualTo(1);
        assertThat(ofTwoKeys(limits).tryAcquire(1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl", "volatile-lfu", "allkeys-random"})
    void of_keysWouldBeEvicted_throws(String policy) {
        redis.commands().configSet("maxmemory-policy", policy);
        try {
            assertThatIllegalStateException()
                    .isThrownBy(() -> redis.limits(Script.LIST))
                    .withMessage("maxmemory-policy: " + policy + " (expected: noeviction)");
        } finally {
            redis.commands().configSet("maxmemory-policy", "noeviction");
        }
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_scriptsFlushed_countsOnce(Script script) {
        RedisLimiter limiter = redis.limits(script).limiter("k", Redis.anHour(2));
        assertThat(limiter.tryAcquire(1)).isTrue();
        redis.commands().scriptFlush();

        assertThat(limiter.tryAcquire(1)).isTrue();
        assertThat(redis.grants(script, "k")).isEqualTo(2);
    }

    /** The server has granted, and the connection breaks: the attempt is not made again when there is another one. */
    @Test
    void tryAcquire_connectionBreaksBeforeTheAnswer_isUnknownAndCountsOnce() throws Exception {
        CutProxy proxy = new CutProxy(redis.server.port());
        RedisClient client = Redis.client(proxy.uri());
        try (proxy;
                StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisLimiter limiter = RedisLimits.of(connection, Script.LIST).limiter("k", Redis.anHour(9));
            assertThat(limiter.tryAcquire(1)).isTrue();

            proxy.cutNextAnswer();
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> limiter.tryAcquire(1))
                    .withMessageContaining("[k]");

            assertThat(acquireWhenConnected(limiter)).isTrue(); // Lettuce connects again by itself
            assertThat(redis.grants(Script.LIST, "k")).isEqualTo(3);
        } finally {
            client.shutdown(Duration.ZERO, Redis.NEVER);
        }
    }

    /** Returns the first answer. */
    private static boolean acquireWhenConnected(RedisLimiter limiter) {
        while (true) {
            try {
                return limiter.tryAcquire(1);
            } catch (NotAcquiredException | OutcomeUnknownException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** The server is paused, and only the script times out. */
    @Test
    void tryAcquire_noAnswerInTime_isUnknown() {
        RedisClient client = RedisClient.create(redis.server.uri());
        ClientOptions options = RedisLimits.options(Redis.NEVER);
        client.setOptions(options.mutate()
                .timeoutOptions(
                        TimeoutOptions.builder().timeoutSource(new OfScripts()).build())
                .build());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisLimiter hasty = RedisLimits.of(connection, Script.LIST).limiter("k", Redis.anHour(2));
            client("PAUSE", "600000", "WRITE");
            try {
                assertThatExceptionOfType(OutcomeUnknownException.class)
                        .isThrownBy(() -> hasty.tryAcquire(1))
                        .withMessage("keys: [k] (expected: an answer)");
            } finally {
                client("UNPAUSE");
            }
        } finally {
            client.shutdown(Duration.ZERO, Redis.NEVER);
        }
    }

    @Test
    void tryAcquire_interrupted_isUnknown() {
        RedisClient client = Redis.client(redis.server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisLimiter limiter = RedisLimits.of(connection, Script.LIST).limiter("k", Redis.anHour(2));
            client("PAUSE", "600000", "WRITE");
            try {
                Thread.currentThread().interrupt();
                assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> limiter.tryAcquire(1));
            } finally {
                assertThat(Thread.interrupted()).isTrue();
                client("UNPAUSE");
            }
        } finally {
            client.shutdown(Duration.ZERO, Redis.NEVER);
        }
    }

    private static final class OfScripts extends TimeoutSource {
        @Override
        public long getTimeout(RedisCommand<?, ?, ?> command) {
            return command.getType() == CommandType.EVALSHA ? 1 : Redis.NEVER.toMillis();
        }
    }

    private static void client(String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        Arrays.stream(words).forEach(args::add);
        redis.commands().dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), args);
    }

    /** Killed while it is called, and started again from its append-only file: no grant is lost, and none too many. */
    @Tag("redis")
    @ParameterizedTest
    @EnumSource
    void tryAcquire_serverKilled_throwsUntilItIsThere_andTheLimitIsExact(Script script) throws Exception {
        int permits = 20_000;
        RedisLimiter limiter = redis.limits(script).limiter("k", Redis.anHour(permits));
        AtomicInteger granted = new AtomicInteger();
        AtomicInteger unknown = new AtomicInteger();
        CountDownLatch under = new CountDownLatch(500);
        CountDownLatch noticed = new CountDownLatch(4);
        List<Thread> callers = Stream.generate(() -> new Thread(() -> {
                    boolean isRefused = false;
                    while (!isRefused || noticed.getCount() > 0) {
                        try {
                            isRefused = !limiter.tryAcquire(1);
                            granted.addAndGet(isRefused ? 0 : 1);
                            under.countDown();
                        } catch (OutcomeUnknownException e) {
                            unknown.incrementAndGet();
                        } catch (NotAcquiredException e) {
                            noticed.countDown();
                        }
                    }
                }))
                .limit(4)
                .toList();
        callers.forEach(Thread::start);
        under.await();
        redis.server.kill();
        noticed.await();
        redis.server.restart();
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(granted).hasValueBetween(permits - unknown.get(), permits);
        assertThat(redis.grants(script, "k")).isEqualTo(permits);
    }

    /** The time of a key never moves back. */
    @ParameterizedTest
    @EnumSource
    void tryAcquire_clockOfTheServerStepsBack_waitsForIt(Script script) {
        RedisLimiter limiter =
                redis.limitsByClock(script, Ticker.systemTicker()).limiter("k", Redis.anHour(2));
        redis.setClock(START);
        assertThat(limiter.askServer(1)).isZero();

        redis.setClock(START - 100 * SECOND);
        assertThat(limiter.askServer(1)).isZero(); // at the time of the first
        assertThat(limiter.askServer(1)).isEqualTo(HOUR + 100_000_000_000L);
        assertThat(redis.commands().pttl("k")).isBetween(3_600_000L, 3_760_000L);

        redis.setClock(START + 3600 * SECOND);
        assertThat(limiter.askServer(1)).isEqualTo(1000);
        redis.setClock(START + 3600 * SECOND + 1);
        assertThat(limiter.askServer(2)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_cluster_keysWithATagAreAcquiredTogether(Script script) throws Exception {
        try (Redis node = new Redis("--cluster-enabled", "yes")) {
            int[] slots = new int[16384];
            Arrays.setAll(slots, slot -> slot);
            node.commands().clusterAddSlots(slots);
            while (!node.commands().clusterInfo().contains("cluster_state:ok")) {
                Thread.onSpinWait();
            }
            RedisClusterClient client = RedisClusterClient.create(node.server.uri());
            client.setOptions(ClusterClientOptions.builder(RedisLimits.options(Redis.NEVER))
                    .build());
            try (var connection = client.connect()) {
                RedisLimits limits = RedisLimits.of(withoutFirstNode(connection), script);
                List<RedisLimiter> users = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    users.add(RedisLimiter.allOf(
                            limits.limiter("user:{" + i + "}", Redis.anHour(2)),
                            limits.limiter("address:{" + i + "}", Redis.anHour(1))));
                }
                assertThat(users).allMatch(user -> user.tryAcquire(1));
                assertThat(users).noneMatch(user -> user.tryAcquire(1));
                assertThat(node.commands().dbsize()).isEqualTo(20);

                RedisLimiter apart =
                        RedisLimiter.allOf(limits.limiter("a", Redis.anHour(1)), limits.limiter("b", Redis.anHour(1)));
                assertThatExceptionOfType(NotAcquiredException.class)
                        .isThrownBy(() -> apart.tryAcquire(1))
                        .withMessageContaining("CROSSSLOT");
            } finally {
                client.shutdown(Duration.ZERO, Redis.NEVER);
            }
        }
    }

    /** As when the node is lost that the client has connected to first: others can grant. */
    @SuppressWarnings("unchecked") // the proxy passes each call on to a connection of these types
    private static StatefulRedisClusterConnection<String, String> withoutFirstNode(
            StatefulRedisClusterConnection<String, String> connection) {
        return Reflection.newProxy(
                StatefulRedisClusterConnection.class,
                (proxy, method, arguments) ->
                        method.getName().equals("isOpen") ? (Object) false : method.invoke(connection, arguments));
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_anyInterval_keyLivesLongerThanItsGrantsCount(Script script) {
        RedisCommands<String, String> commands = redis.commands();
        for (long micros : new long[] {0, 1, 1000, 2_000_000, 3_600_000_000L, (1L << 61) / 1000}) {
            RedisLimiter limiter = redis.limits(script)
                    .limiter(
                            "k" + micros,
                            Limit.of(100, Duration.ofMillis(1)),
                            Limit.of(9, Duration.ofNanos(micros * 1000)));
            for (int i = 0; i < 5; i++) {
                long before =
                        commands.time().stream().mapToLong(Long::parseLong).reduce(0, (a, b) -> a * SECOND + b);
                assertThat(limiter.tryAcquire(1)).isTrue();
                long ttl = commands.pttl("k" + micros);
                long after = commands.time().stream().mapToLong(Long::parseLong).reduce(0, (a, b) -> a * SECOND + b);
                assertThat(ttl).isBetween((micros - after + before) / 1000 + 999, Math.max(micros, 1000) / 1000 + 1001);
            }
        }
    }
}
