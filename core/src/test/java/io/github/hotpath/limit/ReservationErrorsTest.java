package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.testing.Fields;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReservationErrorsTest {
    /** What has come back before the error is for the first in line. */
    @Test
    void cancel_errorWhenPermitsHaveComeBack_wakesTheFirstInLine() {
        SlidingWindowLimiter first = Limiters.of(9, 10);
        Gate failing = new Gate(new SlidingLog(List.of(Limit.of(9, Limiters.nanos(10)))), Gate.OPEN) {
            private int asked;

            @Override
            boolean isCurrent() {
                asked++;
                if (asked == 2) { // it is about to be changed
                    Fields.set(log, "log", null);
                }
                return true;
            }
        };
        assertThat(first.tryAcquire(0, 1)).isTrue();
        assertThat(failing.acquireOrDelay(0, 1)).isZero();
        WaitingLine line = new WaitingLine(1);
        AtomicBoolean isWoken = new AtomicBoolean();
        line.join(new WaitingLine.Waiter() {
            @Override
            boolean wake() {
                isWoken.set(true);
                return true;
            }
        });
        Reservation reservation = new Reservation(
                0,
                new Reservation.Grant[] {new Reservation.Grant(first, 0, 1), new Reservation.Grant(failing, 0, 1)},
                line);

        assertThatNullPointerException().isThrownBy(reservation::cancel);

        assertThat(first.available(0)).isEqualTo(9);
        assertThat(isWoken).isTrue();
    }
}
