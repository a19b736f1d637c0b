package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link SlidingWindowLimiter#setLimits}, in random sequences of calls, and where the log is compacted or full. */
class LimiterSetLimitsTest {
    /** Those that were cancelled leave the log, which would seem to have too many otherwise. */
    @Test
    void setLimits_firstPerCallLimit_manyCancelledAreDropped() {
        SlidingWindowLimiter limiter = Limiters.of(100, 100);
        List<Reservation> reservations = new ArrayList<>();
        for (int time = 0; time < 25; time++) {
            reservations.add(limiter.reserve(time, 1, Duration.ZERO));
        }
        reservations.subList(0, 10).forEach(Reservation::cancel);

        limiter.setLimits(Limit.ofCalls(20, nanos(100)));

        Invariants.check(limiter);
        assertThat(limiter.log.state().times()).hasSize(15);
        assertThat(limiter.tryAcquireOrDelay(25, 1)).isZero();
    }

    /** There is no last slot yet, so it is not known how many permits are left there. */
    @Test
    void setLimits_unused_countsFromTheFirstGrantOn() {
        SlidingWindowLimiter limiter = Limiters.of(10, 10);

        limiter.setLimits(Limit.of(10, nanos(1_000)));

        assertThat(limiter.tryAcquire(5, 1)).isTrue();
        assertThat(limiter.available(0)).isEqualTo(9);
        Invariants.check(limiter);
    }

    /** No entry is followed by less than nothing, and behind the newest one there is no chunk. */
    @Test
    void setLimits_zeroWhenTheLastChunkIsFull_refusesEverything() {
        SlidingWindowLimiter limiter = Limiters.of(5_000, 10_000);
        for (int time = 0; time < 3_072; time++) {
            assertThat(limiter.tryAcquire(time, 1)).isTrue();
        }

        limiter.setLimits(Limit.of(0, nanos(0)));

        assertThat(limiter.tryAcquireOrDelay(5_000, 1)).isEqualTo(Long.MAX_VALUE);
        Invariants.check(limiter);
    }
}
