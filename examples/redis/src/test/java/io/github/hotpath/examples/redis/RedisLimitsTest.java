package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class RedisLimitsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long REFUSED = HOUR.toNanos() + 1_000; // at most
    private static final long START = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private static Redis redis;
    private static RedisLimits limits;
    private static Answers script;

    @BeforeAll
    static void start() throws Exception {
        redis = new Redis();
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
        script = new Answers(redis);
    }

    private static long calls() {
        return redis.commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?:calls=(\\d+).*", "$1")))
                .sum();
    }

    @Test
    void decide_severalKeys_allOrNothing() {
        Map<String, Limit> both = Map.of("client", Limit.of(3, HOUR), "tenant", Limit.of(1, Duration.ofMinutes(1)));
        assertThat(Redis.delay(limits, both, 1)).isZero();
        assertThat(Redis.delay(limits, both, 1)).isBetween(1L, 60_000_001_000L);

        assertThat(Redis.delay(limits, Map.of("client", Limit.of(3, HOUR)), 2)).isZero();
        assertThat(Redis.delay(limits, both, 1)).isBetween(60_000_001_001L, REFUSED); // the longest delay
    }

    /** How all of it is used. */
    private static CompletableFuture<RedisLimits.Answer> admit(String user, String tenant, int tokens) {
        Map<String, Limit> all = Map.of(
                "user:" + user, Limit.ofCalls(60, MINUTE),
                "tokens:" + user, Limit.of(100_000, MINUTE),
                "tenant:" + tenant, Limit.ofCalls(1_000, MINUTE));
        return limits.decide(all, tokens);
    }

    @Test
    void decide_callsAndPermits_countedByThemselves() {
        assertThat(admit("ann", "t", 99_999).join().delayNanos()).isZero();
        assertThat(admit("ann", "t", 2).join().delayNanos()).isBetween(1L, 60_000_001_000L);
        assertThat(admit("bob", "t", 2).join().delayNanos()).isZero();
        assertThat(redis.commands().zcard("tenant:t")).isEqualTo(2);
        assertThat(Redis.delay(limits, Map.of("tenant:t", Limit.ofCalls(2, MINUTE)), 1))
                .isPositive();
    }

    @Test
    void decide_noKeyOrNeverPossible_changesNothing() {
        long calls = calls();
        assertThat(Redis.delay(limits, Map.of(), 1_000)).isZero();
        assertThat(calls()).isEqualTo(calls);
        assertThat(Redis.delay(limits, Map.of("k", Limit.of(0, HOUR), "l", Limit.of(9, HOUR)), 1))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Redis.delay(limits, Map.of("k", Limit.ofCalls(0, HOUR)), 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(Redis.delay(limits, Map.of("k", Limit.of(2, HOUR)), 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(redis.commands().keys("*")).isEmpty();
        assertThat(Redis.delay(limits, Map.of("k", Limit.ofCalls(1, HOUR)), 3)).isZero();
    }

    @Test
    void decide_many_grantTheLimit() {
        assertThat(Stream.generate(() -> limits.decide(Redis.anHour("k", 500), 1)).limit(800).toList().stream()
                        .map(CompletableFuture::join)
                        .filter(answer -> answer.delayNanos() == 0))
                .hasSize(500);
    }

    /** A lower maximum holds at once, a higher one grants at once. */
    @Test
    void decide_maximumChanged_countsWhatWasGranted() {
        assertThat(script.ask("k", Limit.of(3, HOUR), 3, START)).isZero();
        assertThat(script.ask("k", Limit.of(5, HOUR), 2, START)).isZero();
        assertThat(script.ask("k", Limit.of(4, HOUR), 1, START)).isEqualTo(3_600 * SECOND + 1);
        assertThat(script.ask("k", Limit.of(4, HOUR), 4, START + 3_600 * SECOND + 1))
                .isZero();
        assertThat(script.ask("k", Limit.of(4, HOUR), 1, START + 3_600 * SECOND + 1))
                .isPositive();
    }

    @Test
    void decide_twoPrefixes_countByThemselves() {
        try (RedisLimits others = new RedisLimits(redis.server.uri(), "other:", Redis.NEVER)) {
            assertThat(Redis.delay(limits, Redis.anHour("k", 1), 1)).isZero();
            assertThat(Redis.delay(others, Redis.anHour("k", 1), 1)).isZero();
            assertThat(redis.commands().keys("*")).containsExactlyInAnyOrder("k", "other:k");
        }
    }

    /** The time of a key never moves back. */
    @Test
    void script_clockOfTheServerStepsBack_waitsForIt() {
        Limit limit = Limit.of(2, HOUR);
        assertThat(script.ask("k", limit, 1, START)).isZero();
        assertThat(script.ask("k", limit, 1, START - 100 * SECOND)).isZero(); // at the time of the first
        assertThat(script.ask("k", limit, 1, START - 100 * SECOND)).isEqualTo(3_700 * SECOND + 1);
        assertThat(redis.commands().pttl("k")).isBetween(3_600_000L, 3_760_000L);
        assertThat(script.ask("k", limit, 2, START + 3_600 * SECOND)).isEqualTo(1);
        assertThat(script.ask("k", limit, 2, START + 3_600 * SECOND + 1)).isZero();
    }

    @Test
    void script_sumsBeyondTwoToThe53_waitUntilTheKeyHasExpired() {
        long most = (1L << 53) - 4;
        redis.commands().zadd("k", most / 2, "1:" + most / 2);
        redis.commands().zadd("k", most, START - 10 + ":" + most);
        Limit limit = Limit.of(1L << 51, Duration.ofNanos(5_000));
        assertThat(script.ask("k", limit, 3, START)).isZero();
        redis.commands().persist("k");
        assertThat(script.ask("k", limit, 3, START)).isPositive();
        redis.commands().del("k"); // as when it has expired
        assertThat(script.ask("k", limit, 3, START)).isZero();
    }

    @Test
    void memory_aGrant_150BytesAtMost() {
        assumeTrue(redis.commands().info("memory").contains("mem_allocator:jemalloc"), "another allocator");
        acquire(Limit.of(1 << 20, HOUR), START, 20_000);

        assertThat(redis.commands().memoryUsage("k") / redis.commands().zcard("k"))
                .isBetween(80L, 150L);
    }

    /** One grant removes all of a burst that has expired, and a full limit has one grant more than its permits at most. */
    @Test
    void memory_expired_isReleased() {
        Limit limit = Limit.of(20_000, Duration.ofSeconds(1));
        acquire(limit, START, 15_000);
        acquire(limit, START + 2 * SECOND, 2);
        assertThat(redis.commands().zcard("k")).isBetween(2L, 5_003L);
        acquire(limit, START + 4 * SECOND, 1);
        assertThat(redis.commands().zcard("k")).isEqualTo(2);

        Limit full = Limit.of(1_000, Duration.ofSeconds(1));
        acquire(full, START + 50 * SECOND, 1_000);
        acquire(full, START + 52 * SECOND, 1_000);
        assertThat(redis.commands().zcard("k")).isEqualTo(1_001);
    }

    /** What the script tells of each key, in the order of the map. */
    @Test
    void decide_severalKeys_tellsWhatIsLeftOfEach() {
        Map<String, Limit> both = new LinkedHashMap<>();
        both.put("z", Limit.of(5, HOUR));
        both.put("a", Limit.ofCalls(1, HOUR));
        RedisLimits.Answer granted = limits.decide(both, 2).join();
        assertThat(granted.quotas().keySet()).containsExactly("z", "a");
        assertThat(granted.quotas().get("z")).isEqualTo(new Quota(Limit.of(5, HOUR), 3, REFUSED, false));
        assertThat(granted.quotas().get("a")).isEqualTo(new Quota(Limit.ofCalls(1, HOUR), 0, REFUSED, false));

        Map<String, Quota> refused = limits.decide(both, 2).join().quotas();
        assertThat(refused.get("z").exceeded()).isFalse();
        assertThat(refused.get("a").exceeded()).isTrue();
    }

    private static void acquire(Limit limit, long micros, int calls) {
        assertThat(Stream.generate(() -> script.ask(List.of("k"), List.of(limit), 1, micros))
                        .limit(calls)
                        .toList())
                .allMatch(answer -> answer.toCompletableFuture().join().get(0) == 0);
    }

    @Test
    void decide_anyInterval_keyLivesLongerThanItsGrantsCount() {
        RedisCommands<String, String> commands = redis.commands();
        for (long micros : new long[] {0, 1, 1000, 2_000_000, 3_600_000_000L, (1L << 61) / 1000}) {
            String key = "k" + micros;
            Map<String, Limit> limit = Map.of(key, Limit.of(9, Duration.ofNanos(micros * 1000)));
            for (int i = 0; i < 5; i++) {
                long before = time(commands);
                assertThat(Redis.delay(limits, limit, 1)).isZero();
                long ttl = commands.pttl(key);
                assertThat(ttl).isBetween((micros - time(commands) + before) / 1000 + 999, micros / 1000 + 1001);
            }
        }
    }

    private static long time(RedisCommands<String, String> commands) {
        return commands.time().stream().mapToLong(Long::parseLong).reduce(0, (a, b) -> a * SECOND + b);
    }

    @Test
    void arguments_wrong_areRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Redis.delay(limits, Redis.anHour("k", 1), 0))
                .withMessage("permits: 0 (expected: at least 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Redis.delay(limits, Map.of("k", Limit.of((1L << 51) + 1, HOUR)), 1))
                .withMessageStartingWith("limits: k=")
                .withMessageEndingWith("(expected: at most 2251799813685248)");
        assertThatNullPointerException().isThrownBy(() -> Redis.delay(limits, null, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new RedisLimits(redis.server.uri(), "", Duration.ZERO));
    }
}
