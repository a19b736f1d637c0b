package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a change of the log does besides what it returns. */
class SlidingLogTest {
    private static final int MANY = 100_000;

    private static SlidingLog of(Limit... limits) {
        return new SlidingLog(List.of(limits));
    }

    /** An entry that has expired may stay for a sixteenth of the interval, but no longer. */
    @Test
    void acquire_steadyTraffic_whatHasExpiredIsRemovedSoon() {
        SlidingLog log = of(Limit.of(2 * MANY, Limiters.nanos(MANY)), Limit.ofCalls(MANY, Limiters.nanos(1_000)));

        for (int time = 0; time < 3 * MANY; time++) {
            assertThat(log.acquire(time, 1)).isZero();
            assertThat(log.numberOfEntries()).isLessThanOrEqualTo(MANY + MANY / 16 + 1);
        }
        assertThat(log.acquire(5 * MANY, 1)).isZero();

        assertThat(log.numberOfEntries()).isEqualTo(1);
    }

    /** What may have been idle is examined for eviction: also what was closed for no time, or is cancelled. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeForOrAdjust_nothingCounts_theNextGrantFindsItIdle(boolean isCancelled) {
        SlidingLog log = of(Limit.of(5, Limiters.nanos(1_000)));
        if (isCancelled) {
            log.acquire(0, 1);
            log.adjust(0, 1, 0);
        } else {
            log.closeFor(0, 0);
        }
        log.takeWasIdle();

        assertThat(log.acquire(1, 1)).isZero();

        assertThat(log.takeWasIdle()).isTrue();
    }

    /** Newest first, so that chunks are released at the end of the log. */
    @ParameterizedTest
    @ValueSource(ints = {1_100, 3_000})
    void cancel_allReservationsNewestFirst_leavesNone(int number) {
        SlidingWindowLimiter limiter = Limiters.of(number, 10_000);
        List<Reservation> reservations = IntStream.range(0, number)
                .mapToObj(time -> limiter.reserve(time, 1, Duration.ZERO))
                .toList();

        for (int left = number - 1; left >= 0; left--) {
            assertThat(reservations.get(left).cancel()).isTrue();
            assertThat(limiter.available(number)).isEqualTo(number - left);
        }

        Invariants.check(limiter);
        assertThat(limiter.tryAcquire(number, number)).isTrue();
    }

    /** Among the newest thousand, and behind a million. */
    @Test
    void adjustTo_ofAnyOfAMillion_countsInItsPlace() {
        SlidingWindowLimiter limiter = Limiters.of(2_000_000, 1_000_000);
        List<Integer> places = List.of(0, 1, 1_023, 1_024, 500_000, 999_500, 999_998, 999_999);
        List<Reservation> reservations = new ArrayList<>();
        for (int time = 0; time < 1_000_000; time++) {
            if (places.contains(time)) {
                reservations.add(limiter.reserve(time, 1, Duration.ZERO));
            } else {
                limiter.tryAcquire(time, 1);
            }
        }
        for (int permits : new int[] {7, 2, 0}) {
            for (int i = 0; i < places.size(); i++) {
                assertThat(reservations.get(i).adjustTo(permits)).isTrue();
                long lastTime = 1_000_000 + places.get(i); // at which it counts
                assertThat(limiter.available(lastTime + 1) - limiter.available(lastTime))
                        .isEqualTo(permits);
            }
            assertThat(limiter.available(999_999)).isEqualTo(1_000_000 + places.size() * (1L - permits));
        }
        Invariants.check(limiter);
    }

    /** A call of limits (Python) took as many steps as the limit is high, which stalled the server (#268). */
    @Test
    void waitFor_hugeLimit_takesNoStepForEachPermit() {
        List<Limit> most = List.of(Limit.of(Limit.MOST, Limiters.nanos(10)));
        SlidingWindowLimiter limiter = new SlidingWindowLimiter(new SlidingLog(
                new LimiterState(most, true, 0, 0, new long[] {-1, 0}, new long[] {1, Limit.MOST - 1}, null)));

        assertThat(limiter.tryAcquireOrDelay(0, 1)).isEqualTo(10);
        assertThat(limiter.tryAcquireOrDelay(0, 2)).isEqualTo(11);
    }

    /** No entry is followed by less than nothing, and behind the newest one there is no chunk. */
    @Test
    void setLimits_zeroWhenTheLastChunkIsFull_refusesEverything() {
        SlidingWindowLimiter limiter = Limiters.of(5_000, 10_000);
        for (int time = 0; time < 3_072; time++) {
            assertThat(limiter.tryAcquire(time, 1)).isTrue();
        }

        limiter.setLimits(Limit.of(0, Limiters.nanos(0)));

        assertThat(limiter.tryAcquireOrDelay(5_000, 1)).isEqualTo(Long.MAX_VALUE);
        Invariants.check(limiter);
    }
}
