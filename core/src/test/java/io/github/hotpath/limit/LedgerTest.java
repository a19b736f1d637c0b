package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Grants that only append to the log, and when a call has to do more. */
class LedgerTest {
    private static final int MANY = 100_000;

    /** Otherwise each of them moves the windows, which is what most of a grant would cost. */
    @Test
    void acquireIfOpen_steadyTraffic_nearlyAlwaysAppends() {
        Ledger ledger = Ledger.of(Limit.of(2 * MANY, Limiters.nanos(MANY)), Limit.ofCalls(MANY, Limiters.nanos(1_000)));
        int appended = 0;

        for (int time = 0; time < 3 * MANY; time++) {
            if (ledger.acquireIfOpen(time, 1)) {
                appended++;
            } else {
                assertThat(ledger.acquire(time, 1)).isEqualTo(Ledger.OPEN);
            }
        }

        assertThat(appended).isGreaterThan(3 * MANY / 100 * 98);
        ledger.checkInvariants();
    }

    /** Entries that have expired would stay until a chunk is full. */
    @Test
    void acquireIfOpen_anIntervalLater_leftToACallThatRemovesWhatHasExpired() {
        Ledger ledger = Ledger.of(Limit.of(2 * MANY, Limiters.nanos(MANY)));
        for (int time = 0; time < MANY; time++) {
            assertThat(ledger.acquireIfOpen(time, 1) || ledger.acquire(time, 1) == Ledger.OPEN)
                    .isTrue();
        }

        assertThat(ledger.acquireIfOpen(3 * MANY, 1)).isFalse();
        assertThat(ledger.acquire(3 * MANY, 1)).isEqualTo(Ledger.OPEN);
        assertThat(ledger.tail() - ledger.head()).isEqualTo(1);
    }

    /** The clock came round to the time of the reservation, which looks young if a half turn was not counted. */
    @Test
    void adjustTo_afterATurnOfTheClock_hasExpired() {
        SlidingWindowLimiter limiter = Limiters.of(100, 10);
        Reservation reservation = limiter.reserve(-3, 1, Duration.ZERO);

        Limiters.acquiring(limiter, -2, -1, 1, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE + 5, -1L << 62, -20, -1);

        assertThat(reservation.adjustTo(2)).isFalse();
        limiter.checkInvariants();
    }
}
