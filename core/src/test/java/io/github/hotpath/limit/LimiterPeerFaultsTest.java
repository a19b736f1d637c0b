package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.window.AtOnce;
import io.github.hotpath.window.Fields;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Long scenarios in which other limiters went wrong: above each test, where. Those that break a rule at once are named
 * above the test of that rule.
 */
class LimiterPeerFaultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);

    private final FakeTicker clock = new FakeTicker();

    /**
     * In Go, -212 tokens were left after cancellations, for which hundreds of later calls had to wait
     * (golang/go#69419).
     */
    @Test
    void go_cancelLeavesNegativeTokens_leavesNone() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, SECOND));
        for (int round = 0; round < 300; round++) {
            List<Reservation> reservations = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                reservations.add(limiter.reserve(clock.read(), 1 + i, ANY));
            }
            for (int i : new int[] {3, 0, 6, 5, 1, 4, 2}) {
                assertThat(reservations.get(i).cancel()).isTrue();
                assertThat(reservations.get(i).cancel()).isFalse();
            }
            clock.advance(reservations.get(6).delayNanos());

            assertThat(limiter.available(clock.read())).isEqualTo(10);
        }
    }

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

    /** Two counters and interpolation, as in upstash and parapet, admit up to 1.998 times the limit in one window. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 500_000_000, 999_999_999})
    void upstash_almostTwiceTheLimitInAWindow_neverMore(long offset) {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, SECOND));
        clock.advance(offset + Duration.ofHours(1).toNanos());
        ArrayDeque<Long> granted = new ArrayDeque<>();

        int total = 0;
        for (int call = 0; call < 10_000; call++) {
            int burst = call % 1_000 == 999 ? 100 : 1; // all at the end of each second, and then one by one
            for (int i = 0; i < burst; i++) {
                if (limiter.tryAcquire(clock.read(), 1)) {
                    granted.add(clock.read());
                    total++;
                }
                if (granted.size() == 101) {
                    assertThat(granted.getLast() - granted.remove()).isGreaterThan(SECOND.toNanos());
                }
            }
            clock.advance(Duration.ofMillis(1));
        }

        assertThat(total).isBetween(900, 1_000);
    }

    /**
     * Bucket4j's compare-and-set on Redis took 45 rounds under contention (#407, #580, #603). Here 200 threads that
     * contend request exactly the limit: no request is refused because another one is in progress, and none is lost.
     */
    @Test
    @Timeout(60)
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

    /**
     * NVIDIA's rate limiter ran out of memory after weeks, as some keys never expired (nvcf#1571); Redisson's keys have
     * no expiry of their own (#4301, #4813); a map of Bucket4j's buckets grew with each address
     * (spring-ai-agentcore#51).
     */
    @Test
    void nvcf_keysThatNeverExpire_areEvicted() {
        KeyedLimiter<String> keyed = KeyedLimiter.of(Limit.of(3, MINUTE));
        for (int i = 0; i < 50_000; i++) {
            assertThat(keyed.forKey("address " + i).tryAcquire(clock.read(), 1)).isTrue();
            clock.advance(MINUTE.dividedBy(100)); // a hundred of them at a time

            assertThat(keyed.size()).isLessThanOrEqualTo(4 * 101 + 64);
        }
    }
}
