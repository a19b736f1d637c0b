package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What other libraries' approximate counters get wrong: above each test, what the other library does. */
class BoundedPeerFaultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long NANOS = SECOND.toNanos();

    /**
     * Two counters, one of this second and one of the last, whose events are assumed to be evenly spread (Cloudflare,
     * Kong, upstash, limits): with a thousand events at the end of the last second and a thousand half-way through this
     * one, half of the first are assumed to have expired, and none have. So a limiter admits twice its limit.
     */
    @Test
    void twoCounters_interpolationHasNoBound_countIsBetweenBounds() {
        BoundedEventWindow window = BoundedEventWindow.of(SECOND, 0.01);
        window.record(NANOS - 1, 1_000);
        window.record(3 * NANOS / 2, 1_000);

        assertThat(window.countAtLeast(3 * NANOS / 2)).isEqualTo(2_000);
        assertThat(window.countAtMost(3 * NANOS / 2)).isEqualTo(2_000);
    }

    /** Counters by buckets (Hystrix, Sentinel, Resilience4j) miss, or count too much, what one bucket has. */
    @Test
    void buckets_wrongByABucket_countIsBetweenBounds() {
        BoundedEventWindow window = BoundedEventWindow.of(SECOND, 0.01);
        for (long nanos = 0; nanos <= NANOS; nanos += NANOS / 100_000) {
            window.record(nanos);
        }

        long at = NANOS + NANOS / 20; // in the middle of a bucket of a tenth
        assertThat(window.countAtLeast(at)).isBetween(94_000L, 95_001L);
        assertThat(window.countAtMost(at)).isBetween(95_001L, 96_000L);
    }

    /**
     * Algebird's {@code ExpHist} requires times in order. One out of order precedes newer ones there, and is counted
     * until they have expired, too.
     */
    @Test
    void algebird_outOfOrderStaysTooLong_expiresAtItsTime() {
        BoundedEventWindow window = BoundedEventWindow.of(SECOND, 0.01);
        window.record(NANOS);
        window.record(NANOS / 2);

        assertThat(window.countAtLeast(NANOS)).isEqualTo(2);
        assertThat(window.countAtMost(NANOS / 2 + NANOS)).isEqualTo(2);
        assertThat(window.countAtMost(NANOS / 2 + NANOS + 1)).isEqualTo(1);
    }
}
