package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.window.Structure;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that {@link SlidingWindowLimiter} and {@link Reservation} reject: name, value, rule, and no change. */
class LimiterRejectionTest {
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void of_null_isRejected() {
        Limit limit = Limit.of(1, Duration.ofNanos(10));

        assertThatNullPointerException()
                .isThrownBy(() -> SlidingWindowLimiter.of((Limit) null))
                .withMessage("first");
        assertThatNullPointerException()
                .isThrownBy(() -> SlidingWindowLimiter.of((List<Limit>) null))
                .withMessage("limits");
        assertThatNullPointerException()
                .isThrownBy(() -> SlidingWindowLimiter.of(Arrays.asList(limit, null)))
                .withMessage("limits[1]");
        assertThatNullPointerException()
                .isThrownBy(() -> SlidingWindowLimiter.of(limit, (Limit) null))
                .withMessage("more[0]");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void acquiring_lessThanOnePermit_isRejected(int permits) {
        String message = "permits: " + permits + " (expected: at least 1)";
        assertRejected(limiter -> limiter.tryAcquire(25, permits), message);
        assertRejected(limiter -> limiter.tryAcquireOrDelay(25, permits), message);
        assertRejected(limiter -> limiter.reserve(25, permits, Duration.ZERO), message);
    }

    @Test
    void reserve_maxDelayNegative_isRejected() {
        for (Duration maxDelay : List.of(Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertRejected(
                    limiter -> limiter.reserve(25, 1, maxDelay), "maxDelay: " + maxDelay + " (expected: zero or more)");
        }
    }

    @Test
    void reserve_maxDelayNull_isRejected() {
        for (SlidingWindowLimiter limiter : limiters()) {
            String before = Structure.describe(limiter);

            assertThatNullPointerException()
                    .isThrownBy(() -> limiter.reserve(25, 1, null))
                    .withMessage("maxDelay");

            assertThat(Structure.describe(limiter)).isEqualTo(before);
        }
    }

    @Test
    void reserve_maxDelayLongerThanALongHolds_countsAsTheLongest() {
        SlidingWindowLimiter limiter = Limiters.of(1, 10);
        limiter.tryAcquire(0, 1);

        assertThat(limiter.reserve(0, 1, ANY).delayNanos()).isEqualTo(11);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void adjustTo_negative_isRejectedAlways(int permits) {
        SlidingWindowLimiter limiter = Limiters.of(1, 10);
        Reservation granted = limiter.reserve(0, 1, ANY);
        Reservation cancelled = limiter.reserve(0, 1, ANY);
        cancelled.cancel();
        Reservation refused = limiter.reserve(0, 1, Duration.ZERO);

        for (Reservation reservation : List.of(granted, cancelled, refused)) {
            String before = Structure.describe(limiter);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> reservation.adjustTo(permits))
                    .withMessage("permits: " + permits + " (expected: at least 0)");

            assertThat(Structure.describe(limiter)).isEqualTo(before);
        }
    }

    private static void assertRejected(Consumer<SlidingWindowLimiter> call, String message) {
        for (SlidingWindowLimiter limiter : limiters()) {
            String before = Structure.describe(limiter);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> call.accept(limiter))
                    .withMessage(message);

            assertThat(Structure.describe(limiter)).isEqualTo(before);
        }
    }

    /** New, in use, exhausted, exhausted for ever, and with a pending reservation. */
    private static List<SlidingWindowLimiter> limiters() {
        SlidingWindowLimiter pending = Limiters.acquiring(Limiters.of(1, 10), 20);
        pending.reserve(20, 1, ANY);
        return List.of(
                Limiters.of(3, 10),
                Limiters.acquiring(Limiters.of(3, 10), 1, 5, 12, 14, 20),
                Limiters.acquiring(Limiters.of(1, 10), 20),
                Limiters.of(0, 10),
                pending);
    }

    /** Also of what counts at the latest time alone, since longer limits might count it together with the rest. */
    @Test
    void recordAndAdjustTo_moreThanCanCount_areRejectedAndChangeNothing() throws IOException {
        SlidingWindowLimiter limiter = Limiters.of(Limit.MOST, 10);
        long[] nearlyAll = {Limit.MOST - 10};
        limiter.log.start(new LimiterState(limiter.limits(), true, 0, 0, new long[] {0}, nearlyAll, null));
        Reservation reservation = limiter.reserve(0, 4, ANY);
        limiter.closeFor(0, Duration.ofNanos(11));
        String before = Limiters.FORM.hex(limiter);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.record(0, 7))
                .withMessage("permits: 7 (expected: at most 6, so that at most 2^62 count)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reservation.adjustTo(11))
                .withMessage("permits: 11 (expected: at most 10, so that at most 2^62 count)");

        assertThat(Limiters.FORM.hex(limiter)).isEqualTo(before);
        limiter.record(0, 6);
        assertThat(Limiters.FORM.hex(Limiters.FORM.copy(limiter))).isEqualTo(Limiters.FORM.hex(limiter));
        limiter.setLimits(Limit.of(100, Duration.ofNanos(1_000)));
        assertThat(limiter.available(11)).isZero();
        assertThat(reservation.adjustTo(3)).isTrue();
        limiter.record(1_012, Integer.MAX_VALUE); // all of that has expired
        limiter.checkInvariants();
    }
}
