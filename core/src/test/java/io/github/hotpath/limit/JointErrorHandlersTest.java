package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.internal.PolledLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An error in the middle of a transaction on several gates: where {@link LimiterErrorsTest} has none, since the locks are
 * acquired by calls that need more stack than those that follow.
 */
@Timeout(60)
class JointErrorHandlersTest {
    private final SlidingWindowLimiter first = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter second = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter third = Limiters.acquiring(Limiters.of(9, 10), 0);

    /** When the error is thrown. */
    private enum Moment {
        DECIDE,
        CHECK,
        CHANGE,
        CONCLUDE
    }

    private final class Failing extends Transaction {
        private final Moment moment;

        Failing(Moment moment) {
            super(new Gate[] {first, second, third});
            this.moment = moment;
        }

        private void failAt(Moment at) {
            if (at == moment) {
                throw new StackOverflowError();
            }
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            failAt(Moment.DECIDE);
            return CHANGE;
        }

        @Override
        boolean areCurrent() {
            failAt(Moment.CHECK);
            return true;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            failAt(Moment.CHANGE);
        }

        @Override
        void conclude(Gate[] gates, long nanos, int permits) {
            failAt(Moment.CONCLUDE);
        }
    }

    private void checkReleased() {
        for (SlidingWindowLimiter limiter : new SlidingWindowLimiter[] {first, second, third}) {
            assertThat(limiter.isInUse()).isFalse();
            assertThat(limiter.inUse).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void run_errorWhileLocksAreHeld_releasesThem(Moment moment) {
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> new Failing(moment).run(1, 1));

        checkReleased();
        assertThat(first.state).isEqualTo(Gate.UNKNOWN);
        assertThat(second.state).isEqualTo(Gate.UNKNOWN);
        assertThat(third.state).isEqualTo(Gate.UNKNOWN);
        Limiter all = Limiter.allOf(first, second, third);
        assertThat(all.available(1)).isEqualTo(8);
        assertThat(all.tryAcquire(1, 8)).isTrue();
        assertThat(all.tryAcquire(1, 1)).isFalse();
    }

    /** An entry that has been evicted is never used again. */
    @Test
    void run_errorWhenOneIsRetired_itStaysRetired() {
        first.retire();

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> new Failing(Moment.DECIDE).run(1, 1));

        checkReleased();
        assertThat(first.isRetired()).isTrue();
        assertThat(second.isRetired()).isFalse();
    }

    /** After an error, until the next call that holds the lock, requests are refused with the lock. */
    @Test
    void run_refusedAfterAnError_publishesAgain() {
        assertThat(second.tryAcquire(0, 8)).isTrue();
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> new Failing(Moment.DECIDE).run(1, 1));
        assertThat(second.refuses(1)).isFalse();

        assertThat(Limiter.allOf(first, second).tryAcquire(1, 1)).isFalse();

        assertThat(second.refuses(1)).isTrue();
    }

    /** Another call holds the lock of the third, so the others are released, to be acquired in order. */
    @Test
    void run_contended_acquiresAllInOrder() throws InterruptedException {
        assertThat(third.log.tryLock(PolledLock.ALONE)).isTrue();
        Thread other = new Thread(() -> Limiter.allOf(first, second, third).record(1, 1));
        other.start();
        while (first.isInUse() == second.isInUse() && other.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        third.log.unlock();
        other.join();

        checkReleased();
        assertThat(Limiter.allOf(first, second, third).available(1)).isEqualTo(7);
    }
}
