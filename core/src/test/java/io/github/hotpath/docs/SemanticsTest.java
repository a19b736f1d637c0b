package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The examples with times in {@code docs/semantics.md}, run. */
class SemanticsTest {
    private final EventWindow window = EventWindow.of(nanos(10));

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    private static Limit limit(long permits, long interval) {
        return Limit.of(permits, nanos(interval));
    }

    @Test
    void latestTime() {
        window.record(100);
        assertThat(window.count(105)).isEqualTo(1);
        window.record(112);
        assertThat(window.count(105)).isEqualTo(1);
    }

    @Test
    void outOfOrderEvents() {
        window.record(100);
        window.record(105);
        assertThat(window.record(112)).isEqualTo(2);
        assertThat(window.record(103)).isEqualTo(3);
        assertThat(window.record(101)).isEqualTo(3);
    }

    @Test
    void timeTooFarInTheFuture() {
        window.record(100);
        window.record(1_000_000);

        assertThat(window.record(101)).isEqualTo(1);
    }

    @Test
    void limits() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limit(3, 10), Limit.ofCalls(2, nanos(10)));

        assertThat(limiter.tryAcquire(0, 4)).isFalse();
        assertThat(limiter.tryAcquire(0, 2)).isTrue();
        assertThat(limiter.tryAcquire(1, 2)).isFalse();
        assertThat(limiter.tryAcquire(1, 1)).isTrue();
        assertThat(limiter.tryAcquire(11, 2)).isTrue();
    }

    @Test
    void slots() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limit(3, 10));

        assertThat(limiter.tryAcquire(0, 3)).isTrue();
        assertThat(limiter.reserve(4, 2, nanos(7)).delayNanos()).isEqualTo(7);
        assertThat(limiter.tryAcquire(5, 1)).isFalse();
        assertThat(limiter.reserve(5, 2, nanos(30)).delayNanos()).isEqualTo(17);
        assertThat(limiter.tryAcquireOrDelay(6, 1)).isEqualTo(16);
    }

    @Test
    void corrections() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limit(10, 10));
        Reservation reservation = limiter.reserve(0, 6, Duration.ZERO);

        assertThat(limiter.tryAcquire(1, 4)).isTrue();
        assertThat(reservation.adjustTo(2)).isTrue();
        assertThat(limiter.tryAcquire(2, 4)).isTrue();
        assertThat(reservation.adjustTo(5)).isTrue();
        assertThat(limiter.tryAcquireOrDelay(3, 1)).isEqualTo(8);
    }

    @Test
    void limitsThatChange() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limit(9, 10));

        assertThat(limiter.tryAcquire(0, 1)).isTrue();
        assertThat(limiter.tryAcquire(11, 1)).isTrue();
        limiter.setLimits(limit(9, 100));
        assertThat(limiter.available(11)).isEqualTo(8);
        limiter.setLimits(limit(1, 100));
        assertThat(limiter.tryAcquireOrDelay(12, 1)).isEqualTo(100);
    }

    @Test
    void severalLimitersTogether() {
        SlidingWindowLimiter first = SlidingWindowLimiter.of(limit(1, 10));
        SlidingWindowLimiter second = SlidingWindowLimiter.of(limit(2, 10));
        Limiter all = Limiter.allOf(first, second);

        assertThat(all.tryAcquire(0, 1)).isTrue();
        assertThat(all.tryAcquire(1, 1)).isFalse();
        assertThat(second.tryAcquire(2, 1)).isTrue();
        assertThat(all.tryAcquireOrDelay(3, 1)).isEqualTo(8);
    }

    @Test
    void decide() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limit(3, 10), limit(2, 100));
        limiter.tryAcquire(0, 2);

        Decision decision = limiter.decide(4, 1);

        assertThat(decision.isGranted()).isFalse();
        assertThat(decision.delayNanos()).isEqualTo(97);
        assertThat(decision.quotas())
                .containsExactly(new Quota(limit(3, 10), 1, 7, false), new Quota(limit(2, 100), 0, 97, true));
    }

    @Test
    void closeFor() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limit(3, 10));

        limiter.closeFor(0, nanos(20));
        assertThat(limiter.tryAcquireOrDelay(5, 1)).isEqualTo(15);
        limiter.record(8, 2);
        assertThat(limiter.tryAcquireOrDelay(9, 2)).isEqualTo(22);
    }

    @Test
    void limitForEachKey() {
        KeyedLimiter<String> limiter = KeyedLimiter.of(limit(1, 10));

        assertThat(limiter.forKey("a").tryAcquire(0, 1)).isTrue();
        assertThat(limiter.forKey("b").tryAcquire(20, 1)).isTrue();
        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.forKey("a").tryAcquire(15, 1)).isTrue();
        assertThat(limiter.forKey("a").tryAcquire(30, 1)).isFalse();
        assertThat(limiter.forKey("a").tryAcquire(31, 1)).isTrue();
    }

    @Test
    void boundsInsteadOfACount() {
        BoundedEventWindow bounded = BoundedEventWindow.of(Duration.ofSeconds(1), 0.01);
        for (int event = 1; event <= 10_000; event++) {
            bounded.record(event);
            if (event == 100) {
                assertThat(bounded.countAtLeast(event)).isEqualTo(100);
                assertThat(bounded.countAtMost(event)).isEqualTo(100);
            }
        }

        assertThat(bounded.countAtMost(10_000) - bounded.countAtLeast(10_000)).isLessThanOrEqualTo(100);
    }
}
