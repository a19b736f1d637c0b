package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.testing.AtOnce;
import io.github.hotpath.testing.Fields;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Long scenarios in which other limiters went wrong: above each test, where. Those that break a rule at once are named
 * above the test of that rule.
 */
class LimiterPeerFaultsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeTicker clock = new FakeTicker();

    /**
     * A call of limits (Python) took as many steps as the limit is high, which stalled the server (#268). Here a delay
     * is found by bisection: it is the same when the sums of most entries are overwritten that have to expire first.
     */
    @Test
    void limits_stepsByTheLimit_bisects() {
        int entries = 100_000;
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(2 * entries, MINUTE));
        for (int call = 0; call < entries; call++) {
            assertThat(limiter.tryAcquire(clock.read(), 2)).isTrue();
            clock.advance(1);
        }
        long delay = MINUTE.toNanos() - entries + entries / 2;
        assertThat(limiter.tryAcquireOrDelay(clock.read(), entries)).isEqualTo(delay);

        Object log = requireNonNull(Fields.get(requireNonNull(Fields.get(limiter, "log")), "log"));
        long[][] chunks = (long[][]) requireNonNull(Fields.get(requireNonNull(Fields.get(log, "blocks")), "chunks"));
        for (int block = 33; block < 48; block++) {
            Arrays.fill(chunks[block], 1_024, 2 * 1_024, 0); // the column of permits
        }

        assertThat(limiter.tryAcquireOrDelay(clock.read(), entries)).isEqualTo(delay);
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
