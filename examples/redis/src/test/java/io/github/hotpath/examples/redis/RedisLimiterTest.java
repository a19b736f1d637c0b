package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.common.base.Ticker;
import io.github.hotpath.examples.support.Ports;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(600)
class RedisLimiterTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long START = 1_700_000_000_000_000L;

    private static Redis redis;

    private long micros = START;
    private final Ticker clock = new Ticker() {
        @Override
        public long read() {
            return micros * 1000;
        }
    };

    @BeforeAll
    static void start() throws Exception {
        redis = new Redis();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void clear() {
        redis.commands().flushall();
        pass(0);
    }

    /** The time of the server and of the client. */
    private void pass(long micros) {
        this.micros += micros;
        redis.setClock(this.micros);
    }

    private RedisLimits byClock(Script script) {
        return redis.limitsByClock(script, clock);
    }

    private static long calls() {
        return redis.commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?:calls=(\\d+).*", "$1")))
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquireOrDelay_exhausted_isTheExactDelayAndThenNoCall(Script script) {
        RedisLimiter limiter = byClock(script).limiter("k", Limit.of(2, Duration.ofMillis(5)));
        assertThat(limiter.tryAcquireOrDelay(1)).isZero();
        pass(1_000);
        assertThat(limiter.tryAcquireOrDelay(1)).isZero();
        assertThat(limiter.tryAcquireOrDelay(1)).isEqualTo(4_001_000);
        long calls = calls();

        pass(4_000);
        assertThat(limiter.tryAcquireOrDelay(1)).isEqualTo(1_000);
        assertThat(limiter.tryAcquireOrDelay(3)).isEqualTo(Long.MAX_VALUE);
        assertThat(calls()).isEqualTo(calls);
        assertThat(limiter.tryAcquireOrDelay(2)).isEqualTo(1_001_000); // more permits wait longer

        pass(1_001);
        assertThat(limiter.tryAcquireOrDelay(2)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_refused_asksAgainForFewerAndWithOtherLimitsAndAfterASecond(Script script) {
        RedisLimits limits = byClock(script);
        RedisLimiter limiter = limits.limiter("k", Limit.of(5, HOUR));
        assertThat(limiter.tryAcquire(3)).isTrue();
        assertThat(limiter.tryAcquire(3)).isFalse();
        assertThat(limiter.tryAcquire(2)).isTrue();
        assertThat(limiter.tryAcquire(1)).isFalse();

        RedisLimiter raised = limits.limiter("k", Limit.of(6, HOUR));
        assertThat(raised.tryAcquire(1)).isTrue();
        assertThat(raised.tryAcquire(1)).isFalse();
        assertThat(limits.limiter("k", Limit.of(6, HOUR)).tryAcquire(1)).isFalse();

        redis.commands().del("k");
        assertThat(raised.tryAcquire(1)).isFalse();
        pass(1_000_000);
        assertThat(raised.tryAcquire(1)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void allOf_oneRefuses_nothingIsAcquired(Script script) {
        RedisLimits limits = byClock(script);
        RedisLimiter client = limits.limiter("client", Limit.of(3, HOUR));
        RedisLimiter tenant = limits.limiter("tenant", Limit.of(1, Duration.ofMinutes(1)), Limit.ofCalls(9, HOUR));
        RedisLimiter both = RedisLimiter.allOf(client, tenant, client);
        assertThat(both.tryAcquireOrDelay(1)).isZero();
        assertThat(both.tryAcquireOrDelay(1)).isEqualTo(60_000_001_000L);

        assertThat(client.tryAcquire(2)).isTrue();
        assertThat(client.tryAcquire(1)).isFalse();
        assertThat(RedisLimiter.allOf(tenant, client).tryAcquireOrDelay(1)).isEqualTo(3_600_000_001_000L);
    }

    @ParameterizedTest
    @EnumSource
    void limits_noneOrZero_grantAllOrNothingWithoutACall(Script script) {
        RedisLimits limits = redis.limits(script);
        long calls = calls();
        assertThat(limits.limiter("k", List.of()).tryAcquire(1_000)).isTrue();
        assertThat(limits.limiter("k", Limit.of(0, HOUR)).tryAcquireOrDelay(1)).isEqualTo(Long.MAX_VALUE);
        assertThat(limits.limiter("k", Limit.ofCalls(0, HOUR)).tryAcquireOrDelay(1))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(calls()).isEqualTo(calls);

        RedisLimiter one = limits.limiter("one", Limit.of(1, HOUR));
        assertThat(RedisLimiter.allOf(limits.limiter("k", List.of()), one).tryAcquire(1))
                .isTrue();
        assertThat(one.tryAcquire(1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquireOrDelayAsync_many_grantTheLimit(Script script) {
        RedisLimiter limiter = redis.limits(script).limiter("k", Limit.of(500, HOUR));
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        for (int i = 0; i < 800; i++) {
            answers.add(limiter.tryAcquireOrDelayAsync(1));
        }
        assertThat(answers.stream().filter(answer -> answer.join() == 0)).hasSize(500);
        assertThat(answers.get(799).join()).isBetween(1L, HOUR.toNanos() + 1000);
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_sumsBeyondTwoToThe53_waitUntilTheKeyHasExpired(Script script) {
        String half = Long.toString(1L << 52);
        String most = Long.toString((1L << 53) - 4);
        if (script == Script.LIST) {
            redis.commands().rpush("k", "1:" + half, START - 10 + ":" + most);
        } else {
            redis.commands().zadd("k", Double.parseDouble(half), "1:" + half);
            redis.commands().zadd("k", Double.parseDouble(most), START - 10 + ":" + most);
        }
        RedisLimits limits = byClock(script);
        RedisLimiter limiter = limits.limiter("k", Limit.of(1L << 51, Duration.ofNanos(5000)));
        assertThat(limiter.tryAcquire(3)).isTrue();
        redis.commands().persist("k");
        assertThat(limiter.askServer(3)).isPositive();
        redis.commands().del("k"); // as when it has expired
        assertThat(limiter.askServer(3)).isZero();
    }

    /** A lower limit holds at once, a higher one grants at once. */
    @ParameterizedTest
    @EnumSource
    void limits_changed_countWhatWasGranted(Script script) {
        RedisLimits limits = byClock(script);
        assertThat(limits.limiter("k", Limit.of(3, HOUR)).tryAcquire(3)).isTrue();
        assertThat(limits.limiter("k", Limit.of(5, HOUR)).tryAcquire(2)).isTrue();
        RedisLimiter lowered = limits.limiter("k", Limit.of(4, HOUR), Limit.ofCalls(9, HOUR));
        assertThat(lowered.tryAcquireOrDelay(1)).isEqualTo(HOUR.toNanos() + 1000);
        pass(3_600_000_001L);
        assertThat(lowered.tryAcquire(4)).isTrue();
        assertThat(lowered.tryAcquire(1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_clockOfTheServer_refusesForTheInterval(Script script) {
        RedisLimits limits = redis.limits(script);
        assertThat(limits.limiter("k", Limit.of(1, HOUR)).tryAcquire(1)).isTrue();
        assertThat(limits.limiter("k", Limit.of(1, HOUR)).tryAcquireOrDelay(1)).isBetween(1L, HOUR.toNanos() + 1000);
        assertThat(redis.commands().pttl("k")).isBetween(1L, HOUR.toMillis() + 1000);
        assertThat(limits.limiter("zero", Limit.of(1, Duration.ZERO)).tryAcquire(1))
                .isTrue();
    }

    @Test
    void admit_users_areLimitedAloneAndByTheirTenant() {
        try (ApiLimits api = new ApiLimits(redis.server.uri(), Redis.NEVER)) {
            assertThat(api.admit("ann", "t", 99_999).join()).isZero();
            assertThat(api.admit("ann", "t", 2).join()).isBetween(1L, 60_000_001_000L);
            List<CompletableFuture<Long>> others = IntStream.range(1, 1_000) // together, within the minute
                    .mapToObj(i -> api.admit("user" + i / 60, "t", 1))
                    .toList();
            assertThat(others).allMatch(wait -> wait.join() == 0);
            assertThat(api.admit("bob", "t", 1).join()).isPositive();
            assertThat(api.admit("bob", "u", 1).join()).isZero();
        }
    }

    @Test
    void connect_noServerThere_leavesNoThread() throws Exception {
        RedisURI nobody = RedisURI.create("127.0.0.1", Ports.free());
        Set<Thread> before = threadsOfClients();
        assertThatExceptionOfType(RedisConnectionException.class).isThrownBy(() -> new ApiLimits(nobody, Redis.NEVER));
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
    void arguments_wrong_areRejected() {
        RedisLimits limits = redis.limits(Script.LIST);
        RedisLimiter limiter = limits.limiter("k", Limit.of(1, HOUR));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquireOrDelayAsync(0))
                .withMessage("permits: 0 (expected: at least 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.limiter("k", Limit.of((1L << 51) + 1, HOUR)))
                .withMessageContaining("(expected: at most 2251799813685248)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLimiter.allOf(limiter, limits.limiter("k", Limit.of(2, HOUR))))
                .withMessageContaining("(expected: the same limits of a key)");
        RedisLimiter other = redis.limits(Script.LIST).limiter("k", Limit.of(1, HOUR));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLimiter.allOf(limiter, other))
                .withMessageContaining("another RedisLimits");
        assertThatNullPointerException().isThrownBy(() -> limits.limiter(null, Limit.of(1, HOUR)));

        RedisClient client = RedisClient.create(redis.server.uri());
        try (var connection = client.connect()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RedisLimits.of(connection, Script.LIST))
                    .withMessageContaining("RedisLimits.options");
        } finally {
            client.shutdown(Duration.ZERO, Redis.NEVER);
        }
    }
}
