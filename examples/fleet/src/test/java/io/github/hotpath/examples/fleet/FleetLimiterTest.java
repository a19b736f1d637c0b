package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.examples.fleet.GrantLog.Outcome;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members in this JVM, which no test ends. */
@Timeout(40)
class FleetLimiterTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final LocalMembers LOCAL = new LocalMembers();

    private static List<EmbeddedCacheManager> members;

    @TempDir
    private Path dir;

    @BeforeAll
    static void start() {
        members = LOCAL.startAll();
    }

    @AfterAll
    static void stop() {
        LOCAL.close();
    }

    /** Lets all members join a limit, each with its own clock, and waits until the first ones share the data. */
    private static List<FleetLimiter<String>> join(
            String name, Duration maxSkew, Duration margin, Limit limit, LongSupplier... clocks) {
        List<FleetLimiter<String>> fleet = IntStream.range(0, clocks.length)
                .mapToObj(i ->
                        FleetLimiter.<String>join(members.get(i), name, clocks[i], maxSkew, margin, TIMEOUT, limit))
                .toList();
        await(fleet);
        return fleet;
    }

    private static void await(List<FleetLimiter<String>> fleet) {
        try {
            Fleet.await(() -> fleet.stream().allMatch(member -> FleetMembers.hasOwners(member.cache())), "owners");
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** If its owner failed, nothing of a grant would be left. */
    @Test
    void tryAcquire_onlyOneMemberHasJoined_isOutcomeUnknown() {
        Limit limit = Limit.of(1, HOUR);
        FleetLimiter<String> first =
                FleetLimiter.join(members.get(0), "first", () -> 0, HOUR, Duration.ZERO, TIMEOUT, limit);

        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> first.tryAcquire("a", 1))
                .havingCause()
                .withMessage("too few of the members with data have joined the limit");

        FleetLimiter<String> second =
                FleetLimiter.join(members.get(1), "first", () -> 0, HOUR, Duration.ZERO, TIMEOUT, limit);
        await(List.of(first, second));
        assertThat(first.tryAcquire("a", 1)).isTrue();
        assertThat(second.tryAcquire("a", 1)).isFalse();
    }

    private static LongSupplier wallClock(int offsetMillis) {
        return () -> FleetLimiter.wallClock() + Duration.ofMillis(offsetMillis).toNanos();
    }

    @Test
    void tryAcquire_anyMembers_shareOneLimit() {
        AtomicLong clock = new AtomicLong();
        List<FleetLimiter<String>> fleet =
                join("share", HOUR, Duration.ofNanos(5), Limit.of(10, HOUR), clock::get, clock::get, clock::get);

        for (int i = 0; i < 10; i++) {
            assertThat(fleet.get(i % 3).tryAcquire("a", 1)).isTrue();
        }
        assertThat(fleet).noneMatch(member -> member.tryAcquire("a", 1));
        assertThat(fleet.get(1).tryAcquireOrDelay("a", 2)).isEqualTo(HOUR.toNanos() + 5 + 1);
        assertThat(fleet.get(2).tryAcquire("b", 10)).isTrue();

        clock.set(HOUR.toNanos() + 5);
        assertThat(fleet).noneMatch(member -> member.tryAcquire("a", 1));
        clock.incrementAndGet();
        assertThat(fleet).allMatch(member -> member.tryAcquire("a", 1));
    }

    @Test
    void tryAcquire_granted_countsAtTheBackupAndExpires() {
        FleetLimiter<String> limiter = join("backup", HOUR, Duration.ZERO, Limit.of(3, HOUR), () -> 0, () -> 0, () -> 0)
                .get(0);
        limiter.tryAcquire("a", 2);

        List<CacheEntry<Object, SlidingWindowLimiter>> copies = members.stream()
                .map(member -> member.<Object, SlidingWindowLimiter>getCache(
                                limiter.cache().getName())
                        .getAdvancedCache()
                        .getDataContainer()
                        .peek("a"))
                .filter(entry -> entry != null)
                .<CacheEntry<Object, SlidingWindowLimiter>>map(entry -> entry)
                .toList();

        assertThat(copies).hasSize(2);
        assertThat(copies).allMatch(copy -> copy.getValue().available(0) == 1);
        assertThat(copies).allMatch(copy -> copy.getLifespan() >= 2 * HOUR.toMillis());
    }

    /** What the guide shows, with one member instead of three. */
    @Test
    void replica_admit_isGranted() {
        HostAndPort own = LocalMembers.freePorts(1).get(0);
        try (Replica replica = new Replica(own, List.of(own))) {
            assertThat(replica.admit("client")).isZero();
        }
    }

    @Test
    void tryAcquire_otherLimitOfTheSameName_countsByItself() {
        FleetLimiter<String> two = join("name", HOUR, Duration.ZERO, Limit.of(2, HOUR), () -> 0, () -> 0)
                .get(0);
        FleetLimiter<String> three = join("name", HOUR, Duration.ZERO, Limit.of(3, HOUR), () -> 0, () -> 0)
                .get(0);

        assertThat(two.tryAcquire("a", 2)).isTrue();
        assertThat(three.tryAcquire("a", 3)).isTrue();
        assertThat(two.tryAcquire("a", 1)).isFalse();
    }

    @Test
    void tryAcquire_wrongArgument_isRejected() {
        FleetLimiter<String> limiter = join("arguments", HOUR, Duration.ZERO, Limit.of(2, HOUR), () -> 0, () -> 0)
                .get(0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("a", 0))
                .withMessage("permits: 0 (expected: at least 1)");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.tryAcquire(null, 1))
                .withMessage("key");
        assertThat(limiter.tryAcquireOrDelay("a", 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(limiter.refusedLocally()).isEqualTo(1);
    }

    /** A key that cannot be sent; any other failure looks the same. */
    @Test
    void tryAcquire_failure_isOutcomeUnknown() {
        FleetLimiter<Object> limiter =
                FleetLimiter.join(members.get(0), "failure", () -> 0, HOUR, Duration.ZERO, TIMEOUT, Limit.of(2, HOUR));
        join("failure", HOUR, Duration.ZERO, Limit.of(2, HOUR), () -> 0, () -> 0, () -> 0);

        for (int i = 0; i < 3; i++) {
            Object key = new Unwritable(i);
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> limiter.tryAcquire(key, 1))
                    .withMessage("key: " + key + " (expected: an answer)")
                    .havingCause();
        }
    }

    private record Unwritable(int number) {}

    /**
     * The clock is simulated: each millisecond each member tries twice. A limiter that is called by all, without
     * refusals in the members, grants so much.
     */
    @Test
    void tryAcquire_refusedLocally_grantsAsMuch() {
        Duration interval = Duration.ofMillis(100);
        Limit limit = Limit.of(20, interval);
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 500_000_000);
        List<FleetLimiter<String>> fleet =
                join("local", HOUR, Duration.ofHours(2), limit, clock::get, clock::get, clock::get);
        Duration longer = interval.plus(Duration.ofHours(2));
        SlidingWindowLimiter model = SlidingWindowLimiter.of(Limit.of(20, longer));
        long granted = 0;
        long expected = 0;

        for (int step = 0; step < 4_000; step++) {
            clock.addAndGet(longer.toNanos() / 200);
            for (int i = 0; i < 6; i++) {
                granted += fleet.get(i % 3).tryAcquire("a", 1 + i / 4) ? 1 + i / 4 : 0;
                expected += model.tryAcquire(clock.get(), 1 + i / 4) ? 1 + i / 4 : 0;
            }
        }

        assertThat(granted).isBetween((long) (0.99 * expected), expected);
        assertThat(expected).isGreaterThanOrEqualTo(19 * 20);
        assertThat(fleet).allMatch(member -> member.refusedLocally() > 7_000); // of 8,000 each
    }

    /** What a member with a slow clock is granted counts too early, for one with a fast clock. */
    @Test
    void tryAcquire_clocksApartWithoutAMargin_exceeds() throws Exception {
        assertThat(fullestWindow(Duration.ZERO)).isGreaterThan(10);
    }

    @Test
    void tryAcquire_clocksApartWithTheMargin_neverExceeds() throws Exception {
        assertThat(fullestWindow(Duration.ofMillis(700))).isEqualTo(10);
    }

    private long fullestWindow(Duration margin) throws IOException, InterruptedException, TimeoutException {
        Duration interval = Duration.ofSeconds(1);
        List<FleetLimiter<String>> fleet =
                join("apart", HOUR, margin, Limit.of(10, interval), wallClock(-300), wallClock(0), wallClock(400));
        GrantLog log = GrantLog.create(dir.resolve("log"), 30);
        for (FleetLimiter<String> member : List.of(fleet.get(0), fleet.get(2))) {
            long granted = log.granted() + 10;
            Fleet.await(() -> Clients.call(member, 0, log) == Outcome.GRANTED && log.granted() == granted, "grants");
        }
        Report report = new Report();
        report.add(log);
        return report.grants().fullestWindow(interval.toNanos());
    }

    @Test
    void join_clockOffByMore_isRejected() {
        join("skew", HOUR, Duration.ZERO, Limit.of(1, HOUR), wallClock(0), wallClock(0));

        assertThatExceptionOfType(ClockSkewException.class)
                .isThrownBy(() -> FleetLimiter.join(
                        members.get(2),
                        "skew",
                        wallClock(2_000),
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        TIMEOUT,
                        Limit.of(1, HOUR)))
                .withMessageMatching("skew to .*: PT-[12]\\..*S, give or take PT.*S \\(expected: at most PT1S\\)");
        assertThat(members.get(1).getCacheNames()).anyMatch(name -> name.startsWith("hotpath-skew"));
        assertThat(members.get(2).getCacheNames()).noneMatch(name -> name.startsWith("hotpath-skew"));
    }

    /** A member that is not in this JVM answers late, which is no reason to refuse it. */
    @Test
    void checkClock_driftedApart_fails() {
        AtomicLong drift = new AtomicLong();
        FleetLimiter<String> limiter = join(
                        "drift",
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Limit.of(1, HOUR),
                        () -> FleetLimiter.wallClock() + drift.get(),
                        wallClock(-200),
                        wallClock(200))
                .get(0);

        limiter.checkClock();
        drift.set(3_000_000_000L);
        assertThatExceptionOfType(ClockSkewException.class).isThrownBy(limiter::checkClock);
    }
}
