package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Long scenarios in which other limiters went wrong: above each test, where. Those that break a rule at once are named
 * above the test of that rule.
 */
class LimiterPeerFaultsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A call of limits (Python) took as many steps as the limit is high, which stalled the server (#268). */
    @Test
    void limits_stepsByTheLimit_bisects() {
        List<Limit> most = List.of(Limit.of(Limit.MOST, MINUTE));
        SlidingWindowLimiter limiter = new SlidingWindowLimiter(new SlidingLog(
                new LimiterState(most, true, 0, 0, new long[] {-1, 0}, new long[] {1, Limit.MOST - 1}, null)));

        assertThat(limiter.tryAcquireOrDelay(0, 1)).isEqualTo(MINUTE.toNanos());
        assertThat(limiter.tryAcquireOrDelay(0, 2)).isEqualTo(MINUTE.toNanos() + 1);
    }

    /**
     * Bucket4j's compare-and-set on Redis took 45 rounds under contention (#407, #580, #603). Here 200 threads that
     * contend request exactly the limit: no request is refused because another one is in progress, and none is lost.
     */
    @Test
    @Timeout(600)
    void bucket4j_roundsUnderContention_grantsTheLimitToTwoHundredThreads() {
        int threads = 200;
        int calls = 2_000;
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(threads * calls, Duration.ofHours(1)));
        AtomicLong refused = new AtomicLong();

        new AtOnce()
                .on(threads, () -> {
                    for (int call = 0; call < calls; call++) {
                        if (!limiter.tryAcquire(System.nanoTime(), 1)) {
                            refused.incrementAndGet();
                        }
                    }
                })
                .run();

        assertThat(refused.get()).isZero();
        assertThat(limiter.tryAcquire(System.nanoTime(), 1)).isFalse();
    }
}
