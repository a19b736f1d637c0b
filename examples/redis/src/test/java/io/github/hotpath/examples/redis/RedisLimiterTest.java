package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.limit.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RedisLimiterTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long MICROS = 1_700_000_000_000_000L;

    private static ServerProcess process;
    private static LimitServer server;
    private static Store store;

    private long micros = MICROS;

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        process = new ServerProcess(dir.resolve("server"), ServerProcess.chosenProgram());
        server = LimitServer.connect(process.uri(), TIMEOUT);
        store = new Store(process.uri());
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
        server.close();
        process.close();
    }

    @BeforeEach
    void clear() {
        store.commands().flushall();
    }

    private RedisLimiter byOwnClock(Limit... limits) {
        return server.limiter("api", () -> micros, limits);
    }

    private static long calls() {
        return store.commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?:calls=(\\d+).*", "$1")))
                .sum();
    }

    @Test
    void tryAcquireOrDelay_exhausted_isTheExactDelayAndThenNoCall() {
        RedisLimiter limiter = byOwnClock(Limit.of(2, Duration.ofMillis(5)));
        limiter.askServer("loads the script", 1);
        long before = calls();
        assertThat(limiter.tryAcquireOrDelay("k", 1)).isZero();
        assertThat(limiter.tryAcquireOrDelay("k", 1)).isZero();
        assertThat(limiter.tryAcquireOrDelay("k", 1)).isEqualTo(5_001_000);
        long calls = calls();
        assertThat(calls).isEqualTo(before + 3);

        micros += 5_000;
        assertThat(limiter.tryAcquireOrDelay("k", 1)).isEqualTo(1_000);
        assertThat(limiter.tryAcquireOrDelay("k", 2)).isEqualTo(1_000);
        assertThat(limiter.tryAcquireOrDelay("k", 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(calls()).isEqualTo(calls);
        assertThat(limiter.refusedLocally()).isEqualTo(3);

        micros++;
        assertThat(limiter.tryAcquireOrDelay("k", 2)).isZero();
        assertThat(limiter.tryAcquireOrDelay("other", 2)).isZero();
    }

    @Test
    void tryAcquireOrDelay_refusedForMany_asksForFew() {
        RedisLimiter limiter = byOwnClock(Limit.of(5, HOUR));
        assertThat(limiter.tryAcquire("k", 3)).isTrue();
        assertThat(limiter.tryAcquire("k", 3)).isFalse();

        assertThat(limiter.tryAcquire("k", 2)).isTrue();
        assertThat(limiter.tryAcquire("k", 1)).isFalse();
    }

    @Test
    void tryAcquire_clockOfTheServer_refusesForTheInterval() {
        RedisLimiter limiter = server.limiter("api", Limit.of(2, HOUR), Limit.ofCalls(1, Duration.ofDays(1)));
        assertThat(limiter.tryAcquire("k", 1)).isTrue();

        assertThat(limiter.tryAcquireOrDelay("k", 1))
                .isBetween(
                        Duration.ofDays(1).minusMinutes(1).toNanos(),
                        Duration.ofDays(1).toNanos() + 1000);
    }

    /** The script's numbers are exact up to 2^53; so are sums of the largest permits. */
    @Test
    void tryAcquire_largestPermits_areExact() {
        RedisLimiter limiter = byOwnClock(Limit.of((1L << 31) + 5, Duration.ofNanos(1000)));
        for (int i = 0; i < 50; i++) {
            assertThat(limiter.tryAcquire("k", Integer.MAX_VALUE)).isTrue();
            assertThat(limiter.tryAcquire("k", 6)).isTrue();
            assertThat(limiter.tryAcquire("k", 1)).isFalse();
            micros += 2;
        }
    }

    /** By calls with more permits than an {@code int} has: their sum passes 2^53 in a few of them. */
    @Test
    void acquire_sumsBeyondTwoToThe53_areExact() {
        long half = Rules.MOST_PERMITS / 2;
        for (int i = 0; i < 40; i++) {
            assertThat(acquire(half + 1)).isZero();
            assertThat(acquire(half - 2)).isZero();
            assertThat(acquire(2)).isEqualTo(1_001);
            assertThat(acquire(1)).isZero();
            assertThat(acquire(1)).isEqualTo(1_001);
            micros += 1_001;
        }
    }

    private long acquire(long permits) {
        String[] arguments = new Rules(Limit.of(Rules.MOST_PERMITS, Duration.ofMillis(1))).arguments(1, "" + micros);
        arguments[0] = Long.toString(permits);
        return server.acquire("api:k", arguments);
    }

    @Test
    void setLimits_lowerAndHigher_countWhatWasGranted() {
        RedisLimiter limiter = byOwnClock(Limit.of(3, HOUR));
        assertThat(limiter.tryAcquire("k", 3)).isTrue();
        assertThat(limiter.tryAcquire("k", 1)).isFalse();

        limiter.setLimits(Limit.of(5, HOUR)); // what was refused before is forgotten
        assertThat(limiter.limits()).containsExactly(Limit.of(5, HOUR));
        assertThat(limiter.tryAcquire("k", 2)).isTrue();
        limiter.setLimits(Limit.of(4, HOUR), Limit.ofCalls(9, HOUR));
        assertThat(limiter.tryAcquireOrDelay("k", 1)).isEqualTo(HOUR.toNanos() + 1000);
        micros += 3_600_000_001L;
        assertThat(limiter.tryAcquire("k", 4)).isTrue();
        assertThat(limiter.tryAcquire("k", 1)).isFalse();
    }

    /**
     * Random limits that change: each grant keeps within the new ones all that counted under the limits before, and
     * nothing is refused that all grants of the past would allow.
     */
    @Test
    void setLimits_random_keepsWhatCountedAndNoMore() {
        for (int run = 0; run < 30; run++) {
            SplittableRandom random = new SplittableRandom(SEED + run);
            String key = "k" + run;
            List<Grant> past = new ArrayList<>();
            List<Grant> counting = new ArrayList<>();
            Limit[] limits = limits(random);
            RedisLimiter limiter = byOwnClock(limits);
            for (int i = 0; i < 120; i++) {
                if (random.nextInt(12) == 0) {
                    Limit[] before = limits;
                    long latest = past.isEmpty() ? micros : past.get(past.size() - 1).micros;
                    counting.removeIf(grant -> latest - grant.micros > longest(before));
                    limits = limits(random);
                    limiter.setLimits(limits);
                }
                int permits = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
                boolean granted = limiter.askServer(key, permits) == 0;
                assertThat(granted)
                        .as("run again with -Dhotpath.seed=%d; run %d, call %d", SEED, run, i)
                        .isIn(allows(past, limits, permits), allows(counting, limits, permits));
                if (granted) {
                    past.add(new Grant(micros, permits));
                    counting.add(new Grant(micros, permits));
                }
                micros += random.nextInt(20);
            }
        }
    }

    private record Grant(long micros, int permits) {}

    private static Limit[] limits(SplittableRandom random) {
        Limit[] limits = new Limit[1 + random.nextInt(2)];
        for (int i = 0; i < limits.length; i++) {
            Duration interval = Duration.ofNanos(1000L * random.nextInt(300));
            limits[i] = random.nextInt(4) == 0
                    ? Limit.ofCalls(1 + random.nextInt(20), interval)
                    : Limit.of(1 + random.nextInt(30), interval);
        }
        return limits;
    }

    private static long longest(Limit[] limits) {
        return IntStream.range(0, limits.length)
                .mapToLong(i -> limits[i].interval().toNanos() / 1000)
                .max()
                .getAsLong();
    }

    private boolean allows(List<Grant> grants, Limit[] limits, int permits) {
        for (Limit limit : limits) {
            long sum = grants.stream()
                    .filter(grant -> micros - grant.micros <= limit.interval().toNanos() / 1000)
                    .mapToLong(grant -> limit.isPerCall() ? 1 : grant.permits)
                    .sum();
            if (sum + (limit.isPerCall() ? 1 : permits) > limit.max()) {
                return false;
            }
        }
        return true;
    }

    @Test
    void clear_exhausted_isAsNew() {
        RedisLimiter limiter = byOwnClock(Limit.of(1, HOUR));
        assertThat(limiter.tryAcquire("k", 1)).isTrue();
        assertThat(limiter.tryAcquire("k", 1)).isFalse();

        limiter.clear("k");

        assertThat(limiter.tryAcquire("k", 1)).isTrue();
    }

    @Test
    void tryAcquire_manyThreads_grantsTheLimit() throws Exception {
        RedisLimiter limiter = server.limiter("api", Limit.of(500, HOUR));
        AtomicInteger granted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(new Thread(() -> {
                for (int call = 0; call < 100; call++) {
                    if (limiter.tryAcquire("k", 1)) {
                        granted.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(granted).hasValue(500);
    }

    @Test
    void arguments_wrong_areRejected() {
        RedisLimiter limiter = byOwnClock(Limit.of(1, HOUR));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("k", 0))
                .withMessage("permits: 0 (expected: at least 1)");
        micros = -1;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("k", 1))
                .withMessageContaining("epochMicros: -1");
        assertThatIllegalArgumentException().isThrownBy(limiter::setLimits).withMessageContaining("limits: none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.limiter("api", Limit.of(Rules.MOST_PERMITS + 1, HOUR)))
                .withMessageContaining("at most 2251799813685248");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LimitServer.connect(process.uri(), Duration.ZERO))
                .withMessage("timeout: PT0S (expected: positive)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LimitServer.connect(process.uri(), TIMEOUT, -1))
                .withMessage("replicas: -1 (expected: at least 0)");
        assertThatNullPointerException().isThrownBy(() -> limiter.tryAcquire(null, 1));
    }

    @Test
    void tryAcquire_replica_hasTheGrant(@TempDir Path dir) throws Exception {
        try (ServerProcess replica = new ServerProcess(
                        dir.resolve("replica"),
                        ServerProcess.chosenProgram(),
                        "--replicaof",
                        "127.0.0.1",
                        "" + process.port());
                Store replicated = new Store(replica.uri());
                LimitServer waiting = LimitServer.connect(process.uri(), TIMEOUT, 1)) {
            while (!replicated.commands().info("replication").contains("master_link_status:up")) {
                Thread.onSpinWait();
            }
            RedisLimiter limiter = waiting.limiter("api", Limit.of(20, HOUR));
            for (int i = 1; i <= 20; i++) { // in which the ring grows at the replica, too
                assertThat(limiter.tryAcquire("k", 1)).isTrue();
                assertThat(replicated.times("api:k")).hasSize(i);
            }
            assertThat(replicated.commands().get("api:k"))
                    .isEqualTo(store.commands().get("api:k"));
        }
    }

    /** Without a replica, the grant counts and is not acknowledged, when half of the time-out has passed. */
    @Test
    void tryAcquire_replicaMissing_isUnknown() {
        try (LimitServer replicated = LimitServer.connect(process.uri(), TIMEOUT, 1)) {
            RedisLimiter limiter = replicated.limiter("api", Limit.of(1, HOUR));
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> limiter.tryAcquire("k", 1))
                    .withStackTraceContaining("replicas that have the grant: 0 (expected: 1)");
            assertThat(limiter.tryAcquire("k", 1)).isFalse();
        }
    }
}
