package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.files.ChildJvm;
import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors at moments that the random calls of {@link LimiterErrors} seldom hit. */
@Timeout(60)
class ErrorMomentsTest {
    private final SlidingWindowLimiter first = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter second = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter third = Limiters.acquiring(Limiters.of(9, 10), 0);

    /**
     * When the error is thrown: in the middle of a transaction on several gates, where a stack seldom overflows, since
     * the locks are acquired by calls that need more of it than those that follow.
     */
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

    /** A cancellation takes effect, and once only, though there is no memory to compact the log then. */
    @Test
    @Tag("slow")
    void cancel_noMemoryToCompact_hasTakenEffect(@TempDir Path temp) throws Exception {
        ChildJvm jvm = new ChildJvm(temp, Limiter.class, Arguments.class, ErrorMomentsTest.class);

        assertThat(jvm.run(NoMemory.class, List.of("-Xmx16m", "-XX:+UseSerialGC")))
                .containsExactly("taken effect though an error was thrown: true");
    }

    static final class NoMemory {
        private static final int GRANTED = 4_000;

        /** As many cancelled entries as stay, and then the log is compacted, or is to be by each one that follows. */
        private static final int HALF = GRANTED / 2;

        private NoMemory() {}

        public static void main(String[] unused) {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(GRANTED, Duration.ofSeconds(1)));
            List<Reservation> reservations = IntStream.range(0, GRANTED)
                    .mapToObj(time -> limiter.reserve(time, 1, Duration.ZERO))
                    .toList();
            byte[][] ballast = new byte[1 << 14][];
            boolean hasTakenEffect = false;
            for (int i = 0; i < HALF + 20; i++) {
                if (Math.abs(i - HALF) < 10) {
                    load(ballast);
                }
                boolean isThrown = false;
                try {
                    reservations.get(i).cancel();
                } catch (OutOfMemoryError e) {
                    isThrown = true;
                }
                Arrays.fill(ballast, null);
                hasTakenEffect |= isThrown && limiter.available(GRANTED) == i + 1;
                reservations.get(i).cancel(); // with memory
                if (limiter.available(GRANTED) != i + 1) {
                    throw new AssertionError(limiter.available(GRANTED) + ", not " + (i + 1) + ", thrown: " + isThrown);
                }
            }
            limiter.checkInvariants(); // with memory it was compacted
            System.out.println("taken effect though an error was thrown: " + hasTakenEffect);
        }

        /** Leaves less memory in one piece than the compacted log takes, and more than the cancellation. */
        private static void load(byte[][] ballast) {
            int count = 0;
            for (int size = 1 << 20; size >= 1 << 13; size /= 2) {
                try {
                    while (true) {
                        ballast[count] = new byte[size];
                        count++;
                    }
                } catch (OutOfMemoryError full) {
                    // on with smaller ones
                }
            }
        }
    }
}
