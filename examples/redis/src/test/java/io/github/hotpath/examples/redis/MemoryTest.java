package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a key takes, and what a call does. */
@Timeout(120)
class MemoryTest {
    private static final String KEY = "memory";
    private static final long START = 1_700_000_000_000_000L;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static ServerProcess server;
    private static Store store;

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        server = new ServerProcess(dir.resolve("server"), ServerProcess.chosenProgram());
        store = new Store(server.uri());
        store.commands().scriptLoad(AcquireScript.STANDARD.text());
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
        server.close();
    }

    private static void acquire(Rules rules, long from, int calls, int permits) throws Exception {
        RedisAsyncCommands<String, byte[]> async = store.async();
        String[] keys = {KEY};
        List<RedisFuture<Long>> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            byte[][] arguments = bytes(rules.arguments(permits, Long.toString(from + i)));
            answers.add(async.evalsha(AcquireScript.STANDARD.digest(), ScriptOutputType.INTEGER, keys, arguments));
        }
        for (RedisFuture<Long> answer : answers) {
            assertThat(answer.get()).isZero();
        }
    }

    private static byte[][] bytes(String[] words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes();
        }
        return bytes;
    }

    private static double bytesEach(long grants) {
        return (double) store.commands().memoryUsage(KEY) / grants;
    }

    private static void assumeKnownAllocator() {
        assumeTrue(store.commands().info("memory").contains("mem_allocator:jemalloc"), "another allocator");
    }

    @Test
    void memory_fullLimit_isTenBytesAGrant() throws Exception {
        assumeKnownAllocator();
        for (int permits : new int[] {1_000, 50_000}) {
            store.commands().flushall();
            acquire(new Rules(Limit.of(permits, SECOND)), START, permits, 1);
            acquire(new Rules(Limit.of(permits, SECOND)), START + 1_000_001, permits / 10, 1);

            assertThat(bytesEach(permits)).isLessThan(10);
        }
    }

    @Test
    void memory_growing_isFourteenBytesAGrant() throws Exception {
        assumeKnownAllocator();
        assertThat(largest(1, 20_000)).isLessThan(14);
    }

    @Test
    void memory_severalPermits_is26BytesAGrant() throws Exception {
        assumeKnownAllocator();
        assertThat(largest(3, 20_000)).isLessThan(26);
    }

    /** Returns the most bytes a grant from a thousand grants on. */
    private static double largest(int permits, int calls) throws Exception {
        store.commands().flushall();
        Rules rules = new Rules(Limit.of(1L << 40, SECOND));
        acquire(rules, START, 1_000, permits);
        double most = bytesEach(1_000);
        for (int i = 1_000; i < calls; i += 5) {
            acquire(rules, START + i, 5, permits);
            most = Math.max(most, bytesEach(i + 5));
        }
        return most;
    }

    /** A burst long ago, and one grant of several permits, do not cost for ever. */
    @Test
    void memory_afterABurst_isReleased() throws Exception {
        store.commands().flushall();
        Rules rules = new Rules(Limit.of(1L << 40, SECOND));
        acquire(rules, START, 5_000, 1);
        acquire(rules, START + 5_000, 1, 2);
        assertThat(log().rings()).isEqualTo(2);
        assertThat(log().count()).isEqualTo(5_001);

        for (int i = 1; i <= 6; i++) {
            acquire(rules, START + i * 20_000_000L, 100, 1);
            assertThat(store.commands().pttl(KEY)).isBetween(61_000L, 70_000L); // even when it was replaced
        }

        assertThat(log().rings()).isEqualTo(1);
        assertThat(log().capacity()).isLessThan(500);
        assertThat(log().length()).isLessThan(4_000);
    }

    /** However long the limit is exhausted again and again: no more places than its permits. */
    @Test
    void memory_manyIntervals_isBoundedByTheLimit() throws Exception {
        store.commands().flushall();
        Rules rules =
                new Rules(Limit.of(100, SECOND), Limit.ofCalls(90, SECOND), Limit.of(10_000, Duration.ofMillis(1)));
        for (int i = 0; i < 10; i++) {
            acquire(rules, START + i * 1_000_200L, 90, 1);
        }
        assertThat(log().capacity()).isEqualTo(90);
    }

    private static Log log() {
        return Log.read(store.commands(), KEY);
    }

    /** A grant is five commands at the server, a refusal three; a key is told to live longer once in a while. */
    @Test
    void commands_ofACall_areFew() {
        try (LimitServer limits = LimitServer.connect(server.uri(), Duration.ofSeconds(10))) {
            RedisLimiter limiter = limits.limiter("commands", Limit.of(4, Duration.ofNanos(1000)));
            for (int i = 0; i < 20; i++) {
                limiter.askServer("k", 1);
            }
            long before = commands();
            for (int i = 0; i < 100; i++) {
                assertThat(limiter.askServer("k", 1)).isZero();
            }
            assertThat(commands() - before).isBetween(500L, 510L);

            RedisLimiter exhausted = limits.limiter("commands", Limit.of(1, Duration.ofHours(1)));
            exhausted.tryAcquire("one", 1);
            before = commands();
            for (int i = 0; i < 100; i++) {
                assertThat(exhausted.askServer("one", 1)).isPositive();
            }
            assertThat(commands() - before).isBetween(300L, 305L);
        }
    }

    /** The commands that the server has run in scripts and for other callers, but for the scripts themselves. */
    private static long commands() {
        return store.commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_") && !line.startsWith("cmdstat_evalsha"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?:calls=(\\d+).*", "$1")))
                .sum();
    }
}
