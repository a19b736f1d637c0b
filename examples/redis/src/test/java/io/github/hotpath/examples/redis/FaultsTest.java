package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Throwables;
import io.github.hotpath.examples.redis.RedisLimits.NotAcquiredException;
import io.github.hotpath.examples.redis.RedisLimits.OutcomeUnknownException;
import io.github.hotpath.examples.support.Ports;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong at the server and on the way to it. */
@Timeout(600)
class FaultsTest {
    private static final Map<String, Limit> TWO_KEYS =
            Map.of("first", Limit.of(2, Redis.HOUR), "k", Limit.of(2, Redis.HOUR));

    private static Redis redis;
    private static RedisLimits limits;

    @BeforeAll
    static void start() throws Exception {
        redis = new Redis("--appendonly", "yes", "--appendfsync", "no");
        limits = redis.limits();
    }

    @AfterAll
    static void stop() {
        limits.close();
        redis.close();
    }

    @BeforeEach
    void clear() {
        redis.commands().flushall();
    }

    private static void assertNotAcquired(String reason) {
        assertThatExceptionOfType(NotAcquiredException.class)
                .isThrownBy(() -> Redis.delay(limits, TWO_KEYS, 1))
                .withMessageContaining("first")
                .withMessageContaining(reason);
        assertThat(redis.commands().exists("first")).isZero();
    }

    @Test
    void tryAcquire_foreignValue_throwsAndChangesNothing() {
        redis.commands().set("k", "a value of another program");
        assertNotAcquired("WRONGTYPE");

        redis.commands().del("k");
        redis.commands().zadd("k", 1, "a value of another program");
        assertNotAcquired("");
        assertThat(redis.commands().zcard("k")).isEqualTo(1);
    }

    @Test
    void tryAcquire_noMemory_throwsAndChangesNothing() {
        assertThat(Redis.delay(limits, Redis.anHour("k", 2), 1)).isZero();
        redis.commands().configSet("maxmemory", "1");
        try {
            assertNotAcquired("OOM");
        } finally {
            redis.commands().configSet("maxmemory", "0");
        }
        assertThat(redis.commands().zcard("k")).isEqualTo(1);
        assertThat(Redis.delay(limits, TWO_KEYS, 1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl"})
    void new_keysWouldBeEvicted_throws(String policy) {
        redis.commands().configSet("maxmemory-policy", policy);
        try {
            assertThatIllegalStateException()
                    .isThrownBy(() -> redis.limits())
                    .withMessage("maxmemory_policy:" + policy + " (expected: maxmemory_policy:noeviction)");
        } finally {
            redis.commands().configSet("maxmemory-policy", "noeviction");
        }
    }

    @Test
    void new_noServerThere_leavesNoThread() throws Exception {
        RedisURI nobody = RedisURI.create("127.0.0.1", Ports.free());
        Set<Thread> before = threadsOfClients();
        assertThatExceptionOfType(RedisConnectionException.class)
                .isThrownBy(() -> new RedisLimits(nobody, "", Redis.NEVER));
        for (Thread thread : threadsOfClients()) {
            if (!before.contains(thread)) {
                thread.join(); // it was about to end
            }
        }
    }

    private static Set<Thread> threadsOfClients() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce"))
                .collect(Collectors.toSet());
    }

    @Test
    void tryAcquire_scriptsFlushed_countsOnce() {
        assertThat(Redis.delay(limits, Redis.anHour("k", 2), 1)).isZero();
        redis.commands().scriptFlush();

        assertThat(Redis.delay(limits, Redis.anHour("k", 2), 1)).isZero();
        assertThat(redis.commands().zcard("k")).isEqualTo(2);
    }

    /** A user who may do nothing but what the page lists, with keys of one prefix. Each of the rights is needed. */
    @Test
    void new_rightsOfThePage_areEnoughAndNeeded() throws Exception {
        Matcher rights =
                Pattern.compile("ACL SETUSER limits on >secret (.+)").matcher(Files.readString(Path.of("README.md")));
        assertThat(rights.find()).isTrue();
        acl("on >secret " + rights.group(1));
        redis.commands().scriptFlush();
        RedisURI uri = RedisURI.builder(redis.server.uri())
                .withAuthentication("limits", "secret")
                .build();
        try (RedisLimits restricted = new RedisLimits(uri, "api:", Redis.NEVER)) {
            Map<String, Limit> limit =
                    Map.of("k", Limit.of(5, Duration.ofNanos(1_000)), "calls", Limit.ofCalls(1, Redis.HOUR));
            assertThat(Redis.delay(restricted, limit, 5)).isZero();
            assertThat(Redis.delay(restricted, limit, 5)).isPositive();
            for (int i = 0; i < 5; i++) { // so that grants expire
                assertThat(Redis.delay(restricted, Map.of("zero", Limit.of(9, Duration.ZERO)), 1))
                        .isZero();
            }
        }
        redis.commands().flushall();
        assertNotPermitted(uri, "other:");
        for (String right : rights.group(1).split(" ")) {
            if (right.startsWith("+") && !right.equals("+ping")) { // which Lettuce sends, if its version does
                acl("-" + right.substring(1));
                redis.commands().scriptFlush();
                assertNotPermitted(uri, "api:");
                acl(right);
            }
        }
        assertThat(redis.commands().keys("*")).isEmpty();
    }

    private static void assertNotPermitted(RedisURI uri, String prefix) {
        assertThatThrownBy(() -> new RedisLimits(uri, prefix, Redis.NEVER))
                .extracting(Throwables::getStackTraceAsString, InstanceOfAssertFactories.STRING)
                .containsPattern("NOPERM|executing the script can't"); // by Redis 7, and before
    }

    private static void acl(String rules) {
        CommandArgs<String, String> user =
                new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add("limits");
        Arrays.stream(rules.split(" ")).forEach(user::add);
        redis.commands().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), user);
    }

    /** The server has granted, and the connection breaks: the attempt is not made again when there is another one. */
    @Test
    void tryAcquire_connectionBreaksBeforeTheAnswer_isUnknownAndCountsOnce() throws Exception {
        try (CutProxy proxy = new CutProxy(redis.server.port());
                RedisLimits cut = new RedisLimits(proxy.uri(), "", Redis.NEVER)) {
            assertThat(Redis.delay(cut, Redis.anHour("k", 9), 1)).isZero();

            proxy.cutNextAnswer();
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> Redis.delay(cut, Redis.anHour("k", 9), 1))
                    .withMessageContaining("[k]");

            assertThat(Redis.delay(cut, Redis.anHour("k", 9), 1)).isZero(); // on a new connection
            assertThat(redis.commands().zcard("k")).isEqualTo(3);
        }
    }

    private static long firstAnswer(RedisLimits limits, Map<String, Limit> limit) {
        while (true) {
            try {
                return Redis.delay(limits, limit, 1);
            } catch (NotAcquiredException | OutcomeUnknownException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** The primary becomes a replica, and its name is now that of another server. */
    @Test
    void tryAcquire_serverHasBecomeAReplica_connectsToTheOneThatHasItsAddress() throws Exception {
        try (Redis other = new Redis();
                CutProxy proxy = new CutProxy(other.server.port());
                RedisLimits moved = new RedisLimits(proxy.uri(), "", Redis.NEVER)) {
            assertThat(Redis.delay(moved, Redis.anHour("k", 9), 1)).isZero();
            other.commands().replicaof("127.0.0.1", redis.server.port());
            assertThatExceptionOfType(NotAcquiredException.class)
                    .isThrownBy(() -> Redis.delay(moved, Redis.anHour("l", 9), 1))
                    .withMessageContaining("READONLY");

            proxy.moveTo(redis.server.port());
            assertThat(firstAnswer(moved, Redis.anHour("l", 9))).isZero();
            assertThat(redis.commands().zcard("l")).isEqualTo(1);
            assertThatIllegalStateException()
                    .isThrownBy(other::limits)
                    .withMessage("role:slave (expected: role:master)");
        }
    }

    /** Not each call to a replica makes a connection: the pauses between two of them double. */
    @Test
    void tryAcquire_serverStaysAReplica_fewConnections() throws Exception {
        try (Redis other = new Redis();
                RedisLimits replica = other.limits()) {
            other.commands().replicaof("127.0.0.1", redis.server.port());
            for (int i = 0; i < 1_000; i++) {
                assertThatExceptionOfType(NotAcquiredException.class)
                        .isThrownBy(() -> Redis.delay(replica, Redis.anHour("l", 9), 1));
            }
            assertThat(received(other)).isLessThan(500);
        }
    }

    private static int received(Redis server) {
        Matcher connections = Pattern.compile("total_connections_received:(\\d+)")
                .matcher(server.commands().info("stats"));
        assertThat(connections.find()).isTrue();
        return Integer.parseInt(connections.group(1));
    }

    /** A Sentinel that knows one primary. */
    @Test
    void new_uriOfSentinels_connectsToThePrimary() throws Exception {
        ServerSocket sentinel = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Socket client = sentinel.accept();
                    byte[] bytes = new byte[8192];
                    for (int n = client.getInputStream().read(bytes);
                            n > 0;
                            n = client.getInputStream().read(bytes)) {
                        String port = Integer.toString(redis.server.port());
                        String address = "*2\r\n$9\r\n127.0.0.1\r\n$" + port.length() + "\r\n" + port + "\r\n";
                        for (String command : new String(bytes, 0, n, StandardCharsets.US_ASCII).split("(?=\\*)")) {
                            String answer = command.contains("get-master-addr-by-name") ? address : "+OK\r\n";
                            client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                        }
                    }
                }
            } catch (IOException e) {
                // The socket was closed.
            }
        });
        thread.start();
        RedisURI uri = RedisURI.create("redis-sentinel://127.0.0.1:" + sentinel.getLocalPort() + "/0#primary");
        try (sentinel;
                RedisLimits limited = new RedisLimits(uri, "", Redis.NEVER)) {
            assertThat(Redis.delay(limited, Redis.anHour("k", 1), 1)).isZero();
        }
        thread.join();
        assertThat(redis.commands().zcard("k")).isEqualTo(1);
    }

    /** The machine vanishes without a word, and its address is that of another one. */
    @Test
    void tryAcquire_noAnswerInTime_isUnknownAndConnectsAnew() throws Exception {
        try (CutProxy proxy = new CutProxy(redis.server.port());
                RedisLimits silent = new RedisLimits(proxy.uri(), "", Duration.ofMillis(200))) {
            proxy.silence();
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> Redis.delay(silent, Redis.anHour("k", 9), 1))
                    .withMessageStartingWith("keys: [k] (expected: an answer)");

            assertThat(firstAnswer(silent, Redis.anHour("k", 9))).isZero();
        }
    }

    @Test
    void tryAcquire_closed_fails() {
        RedisLimits closed = redis.limits();
        closed.close();
        assertThatExceptionOfType(NotAcquiredException.class)
                .isThrownBy(() -> Redis.delay(closed, Redis.anHour("k", 9), 1));
    }

    /** Killed while it is called, and started again from its append-only file: no grant is lost, and none too many. */
    @Tag("redis")
    @Test
    void tryAcquire_serverKilled_throwsUntilItIsThere_andTheLimitIsExact() throws Exception {
        int permits = 20_000;
        Map<String, Limit> limit = Redis.anHour("k", permits);
        AtomicInteger granted = new AtomicInteger();
        AtomicInteger unknown = new AtomicInteger();
        CountDownLatch under = new CountDownLatch(500);
        CountDownLatch noticed = new CountDownLatch(4);
        List<Thread> callers = Stream.generate(() -> new Thread(() -> {
                    boolean isRefused = false;
                    while (!isRefused || noticed.getCount() > 0) {
                        try {
                            isRefused = Redis.delay(limits, limit, 1) > 0;
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
        redis.server.start();
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(granted).hasValueBetween(permits - unknown.get(), permits);
        assertThat(redis.commands().zcard("k")).isEqualTo(permits);
    }

    /** With a tag in the prefix, all keys are in one slot. */
    @Test
    void tryAcquire_nodeOfACluster_keysWithATagAreAcquiredTogether() throws Exception {
        try (Redis node = new Redis("--cluster-enabled", "yes")) {
            int[] slots = new int[16384];
            Arrays.setAll(slots, slot -> slot);
            node.commands().clusterAddSlots(slots);
            while (!node.commands().clusterInfo().contains("cluster_state:ok")) {
                Thread.onSpinWait();
            }
            try (RedisLimits tagged = new RedisLimits(node.server.uri(), "{api}:", Redis.NEVER)) {
                assertThat(Redis.delay(tagged, TWO_KEYS, 2)).isZero();
                assertThat(Redis.delay(tagged, TWO_KEYS, 1)).isPositive();
            }
            try (RedisLimits apart = node.limits()) {
                assertThatExceptionOfType(NotAcquiredException.class)
                        .isThrownBy(() -> Redis.delay(apart, TWO_KEYS, 1))
                        .withMessageContaining("CROSSSLOT");
            }
        }
    }
}
