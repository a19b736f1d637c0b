package io.github.hotpath.examples.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong at the server and on the way to it. */
@Timeout(60)
class FaultsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Limit TWO_IN_AN_HOUR = Limit.of(2, Duration.ofHours(1));
    private static final long HOUR = Duration.ofHours(1).toNanos() + 1000;

    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    private static ServerProcess process;
    private static RedisClient client;
    private static StatefulRedisConnection<String, byte[]> connection;
    private static LimitServer server;

    private final RedisCommands<String, byte[]> redis = connection.sync();
    private final RedisLimiter limiter = server.limiter("api", TWO_IN_AN_HOUR);

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        process = new ServerProcess(dir.resolve("server"), ServerProcess.chosenProgram(), "--appendonly", "yes");
        client = RedisClient.create(process.uri());
        connection = client.connect(CODEC);
        server = LimitServer.connect(process.uri(), TIMEOUT);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        client.shutdown();
        process.close();
    }

    @BeforeEach
    void clear() {
        redis.flushall();
    }

    private void assertNotAcquired(String key, String reason) {
        assertThatExceptionOfType(NotAcquiredException.class)
                .isThrownBy(() -> limiter.tryAcquire(key, 1))
                .withMessageContaining("api:" + key)
                .withMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a value of somebody else's, which is longer than the header of a log is", "HPR1", "HPR3 0"})
    void tryAcquire_foreignValue_throwsAndLeavesIt(String value) {
        redis.set("api:k", value.getBytes(UTF_8));

        assertNotAcquired("k", "FOREIGN");
        assertThat(redis.get("api:k")).isEqualTo(value.getBytes(UTF_8));
    }

    @Test
    void tryAcquire_foreignType_throwsAndLeavesIt() {
        redis.hset("api:k", "field", new byte[1]);

        assertNotAcquired("k", "WRONGTYPE");
        assertThat(redis.hlen("api:k")).isEqualTo(1);
    }

    /** However much of it is there, and however full it is: with one ring, and, from several permits on, with two. */
    @ParameterizedTest
    @CsvSource({"1, 1", "5, 1", "6, 1", "7, 1", "8, 1", "17, 1", "5, 2", "7, 2", "8, 2"})
    void tryAcquire_valueTooShort_throws(int grants, int permits) {
        RedisLimiter wide = server.limiter("api", Limit.of(100, Duration.ofHours(1)));
        for (int i = 0; i < grants; i++) {
            assertThat(wide.tryAcquire("whole", permits)).isTrue();
        }
        byte[] whole = redis.get("api:whole");
        for (int length = 1; length < whole.length; length++) {
            redis.set("api:k", Arrays.copyOf(whole, length));
            for (int i = 0; i < 2; i++) { // it does not heal by being written
                assertThatExceptionOfType(NotAcquiredException.class)
                        .as("length %d of %d", length, whole.length)
                        .isThrownBy(() -> wide.askServer("k", 1))
                        .withMessageContaining("api:k")
                        .withMessageContaining(length < Log.HEADER || i > 0 ? "" : "DAMAGED")
                        .withMessageMatching("(?s).*(FOREIGN|DAMAGED).*");
            }
        }
    }

    @Test
    void tryAcquire_noMemory_throwsAndChangesNothing() {
        assertThat(limiter.tryAcquire("k", 1)).isTrue();
        byte[] before = redis.get("api:k");
        redis.configSet("maxmemory", "1");
        try {
            assertNotAcquired("k", "OOM");
            assertNotAcquired("new", "OOM");
            RedisLimiter several = server.limiter("api", Limit.of(9, Duration.ofHours(1)));
            assertThatExceptionOfType(NotAcquiredException.class).isThrownBy(() -> several.tryAcquire("k", 2));
        } finally {
            redis.configSet("maxmemory", "0");
        }
        assertThat(redis.get("api:k")).isEqualTo(before);
        assertThat(redis.exists("api:new")).isZero();
        assertThat(limiter.tryAcquire("k", 1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl", "volatile-lfu", "allkeys-random"})
    void connect_keysWouldBeEvicted_throws(String policy) {
        redis.configSet("maxmemory-policy", policy);
        try {
            assertThatIllegalStateException()
                    .isThrownBy(() -> LimitServer.connect(process.uri(), TIMEOUT))
                    .withMessageContaining(policy)
                    .withMessageContaining("noeviction");
        } finally {
            redis.configSet("maxmemory-policy", "noeviction");
        }
    }

    @Test
    void tryAcquire_scriptsFlushed_countsOnce() {
        assertThat(limiter.tryAcquire("k", 1)).isTrue();
        redis.scriptFlush();

        assertThat(limiter.tryAcquire("k", 1)).isTrue();
        assertThat(limiter.tryAcquire("k", 1)).isFalse();
    }

    /** The server has granted, and the connection breaks: the attempt is not made again when there is another one. */
    @Test
    void tryAcquire_connectionBreaksBeforeTheAnswer_isUnknownAndCountsOnce() throws Exception {
        try (CutProxy proxy = new CutProxy(process.port());
                LimitServer behind = LimitServer.connect(proxy.uri(), TIMEOUT)) {
            RedisLimiter cut = behind.limiter("api", Limit.of(9, Duration.ofHours(1)));
            assertThat(cut.tryAcquire("k", 1)).isTrue();

            proxy.cutNextAnswer();
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> cut.tryAcquire("k", 1))
                    .withMessageContaining("api:k");
            proxy.awaitCut();

            assertThat(acquireWhenConnected(cut)).isTrue(); // Lettuce connects again by itself
            assertThat(Log.read(redis, "api:k").count()).isEqualTo(3);
        }
    }

    /** Returns the first answer. */
    private static boolean acquireWhenConnected(RedisLimiter limiter) {
        while (true) {
            try {
                return limiter.tryAcquire("k", 1);
            } catch (NotAcquiredException | OutcomeUnknownException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void tryAcquire_serverDoesNotAnswerInTime_isUnknown() {
        try (LimitServer hasty = LimitServer.connect(process.uri(), Duration.ofSeconds(2))) {
            RedisLimiter limiter = hasty.limiter("api", TWO_IN_AN_HOUR);
            assertThat(limiter.tryAcquire("k", 1)).isTrue();
            pauseWrites();
            try {
                assertThatExceptionOfType(OutcomeUnknownException.class)
                        .isThrownBy(() -> limiter.tryAcquire("k", 1))
                        .withMessageContaining("api:k");
            } finally {
                unpause();
            }
        }
    }

    private void pauseWrites() {
        client("PAUSE", "60000", "WRITE");
    }

    private void unpause() {
        client("UNPAUSE");
    }

    private void client(String... words) {
        CommandArgs<String, byte[]> args = new CommandArgs<>(CODEC);
        Arrays.stream(words).forEach(args::add);
        redis.dispatch(CommandType.CLIENT, new StatusOutput<>(CODEC), args);
    }

    @Test
    void tryAcquire_noServer_throwsUntilItIsThere_andAllGrantsAreThere() throws Exception {
        assertThat(limiter.tryAcquire("k", 1)).isTrue();
        process.kill();
        RuntimeException failure = null;
        while (!(failure instanceof NotAcquiredException)) { // first, Lettuce has to notice
            try {
                limiter.tryAcquire("k", 1);
            } catch (NotAcquiredException | OutcomeUnknownException e) {
                failure = e;
            }
        }
        process.restart();
        assertThat(acquireWhenConnected(limiter)).isTrue();
        assertThat(limiter.tryAcquire("k", 1)).isFalse();
    }

    /** The server's clock is a key here: the time of a limiter never moves back, and does not stand still either. */
    @Test
    void tryAcquire_clockOfTheServerStepsBack_timeGoesOnFromTheLatestGrant() {
        String script =
                SameAnswersTest.replaced(AcquireScript.STANDARD.text(), "call('TIME')", "{call('GET', 'clock'), 0}");
        try (LimitServer stepping = LimitServer.connect(process.uri(), TIMEOUT, 0, AcquireScript.of(script))) {
            RedisLimiter limiter = stepping.limiter("api", TWO_IN_AN_HOUR);
            clock(10_000);
            assertThat(limiter.askServer("k", 1)).isZero();
            assertThat(limiter.askServer("k", 1)).isZero();
            assertThat(limiter.askServer("k", 1)).isEqualTo(HOUR);

            clock(7_000); // back
            assertThat(limiter.askServer("k", 1)).isEqualTo(HOUR);
            clock(7_100);
            assertThat(limiter.askServer("k", 1)).isEqualTo(HOUR - 100_000_000_000L);
            clock(10_600);
            assertThat(limiter.askServer("k", 1)).isEqualTo(1000);
            clock(10_601);
            assertThat(limiter.askServer("k", 1)).isZero();
            clock(1); // back, and this time a grant notices
            assertThat(limiter.askServer("k", 1)).isZero();
            assertThat(limiter.askServer("k", 1)).isEqualTo(HOUR);

            clock(20_000); // forward: what was granted has expired
            assertThat(limiter.askServer("k", 2)).isZero();
            clock(1); // and back again: nothing is granted twice
            assertThat(limiter.askServer("k", 1)).isEqualTo(HOUR);
        }
    }

    private void clock(long seconds) {
        redis.set("clock", Long.toString(1_700_000_000 + seconds).getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1000, 2_000_000, 3_600_000_000L, (1L << 61) / 1000})
    void tryAcquire_anyInterval_keyLivesLongerThanItsGrantsCount(long micros) {
        RedisLimiter limiter = server.limiter("ttl", Limit.of(100, Duration.ofNanos(micros * 1000)));
        for (int i = 0; i < 20; i++) {
            assertThat(limiter.tryAcquire("k", 1)).isTrue();
            assertThat(redis.pttl("ttl:k")).isBetween(micros / 1000 + 1000, 2 * micros / 1000 + 6001);
        }
    }

    /** With clocks of callers, the key lives a minute longer. */
    @Test
    void tryAcquire_clockOfTheCaller_keyLivesAMinuteLonger() {
        RedisLimiter limiter = server.limiter("ttl", () -> 5, Limit.of(3, Duration.ofSeconds(1)));
        assertThat(limiter.tryAcquire("k", 1)).isTrue();

        assertThat(redis.pttl("ttl:k")).isBetween(61_000L, 66_000L);
    }

    @Test
    void connectCluster_oneServer_keepsAKeyInOnePlace(@TempDir Path dir) throws Exception {
        try (ServerProcess node =
                new ServerProcess(dir.resolve("node"), ServerProcess.chosenProgram(), "--cluster-enabled", "yes")) {
            RedisClient nodeClient = RedisClient.create(node.uri());
            RedisCommands<String, String> commands = nodeClient.connect().sync();
            int[] slots = new int[16384];
            Arrays.setAll(slots, slot -> slot);
            commands.clusterAddSlots(slots);
            while (!commands.clusterInfo().contains("cluster_state:ok")) {
                Thread.onSpinWait();
            }
            try (LimitServer cluster = LimitServer.connectCluster(List.of(node.uri()), TIMEOUT)) {
                RedisLimiter limiter = cluster.limiter("api", TWO_IN_AN_HOUR);
                for (int key = 0; key < 20; key++) {
                    assertThat(limiter.tryAcquire("k" + key, 1)).isTrue();
                    assertThat(limiter.tryAcquire("k" + key, 2)).isFalse();
                    assertThat(limiter.tryAcquire("k" + key, 1)).isTrue();
                    assertThat(limiter.tryAcquire("k" + key, 1)).isFalse();
                }
                assertThat(commands.dbsize()).isEqualTo(20);
                commands.configSet("maxmemory-policy", "allkeys-lru");
                assertThatIllegalStateException().isThrownBy(cluster::checkEviction);
            } finally {
                nodeClient.shutdown();
            }
        }
    }

    @Test
    void connect_noServer_throws() {
        RedisURI nobody = RedisURI.create("127.0.0.1", 1);

        assertThatExceptionOfType(io.lettuce.core.RedisConnectionException.class)
                .isThrownBy(() -> LimitServer.connect(nobody, TIMEOUT));
    }
}
