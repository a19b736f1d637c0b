package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Ticker;
import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a key takes. */
@Timeout(600)
class MemoryTest {
    private static final long START = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private static Redis redis;

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
    }

    private static void acquire(Script script, Limit limit, long micros, int calls, int permits) {
        redis.setClock(micros);
        RedisLimiter limiter =
                redis.limitsByClock(script, Ticker.systemTicker()).limiter("k", limit);
        List<CompletableFuture<Long>> answers = Stream.generate(() -> limiter.tryAcquireOrDelayAsync(permits))
                .limit(calls)
                .toList();
        assertThat(answers).allMatch(answer -> answer.join() == 0);
    }

    private static double bytesAGrant(Script script) {
        return (double) redis.commands().memoryUsage("k") / redis.grants(script, "k");
    }

    @ParameterizedTest
    @CsvSource({"LIST, 1, 9, 11", "LIST, 3, 20, 27", "SORTED_SET, 1, 80, 150"})
    void memory_aGrant(Script script, int permits, int least, int most) {
        assumeTrue(redis.commands().info("memory").contains("mem_allocator:jemalloc"), "another allocator");
        acquire(script, Limit.of(1 << 20, Duration.ofHours(1)), START, 20_000, permits);

        assertThat(bytesAGrant(script)).isBetween((double) least, (double) most);
    }

    /** A burst long ago does not cost for ever, and a full limit has one grant more than its permits at most. */
    @ParameterizedTest
    @EnumSource
    void memory_expired_isReleased(Script script) {
        Limit limit = Limit.of(1_000, Duration.ofSeconds(1));
        acquire(script, limit, START, 1_000, 1);
        for (int i = 1; i <= 20; i++) {
            acquire(script, limit, START + 2 * i * SECOND, 60, 1);
        }
        assertThat(redis.grants(script, "k")).isBetween(61L, 121L);

        acquire(script, limit, START + 50 * SECOND, 1_000, 1);
        acquire(script, limit, START + 52 * SECOND, 1_000, 1);
        assertThat(redis.grants(script, "k")).isEqualTo(1_001);
    }
}
