package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.FORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limiter whose permits nearly fill a {@code long}: no sum overflows, and what is written can be read. */
class LimiterOverflowTest {
    /** Five calls in any 10 ns; one call at 100, of 2^63 - 6 permits. */
    static final String NEARLY_FULL = "4C 01 01 01 05 0A 02 0000000000000064 00 01 00 00 F9 FF FF FF FF FF FF FF 7F";

    private SlidingWindowLimiter limiter;

    @BeforeEach
    void read() throws IOException {
        limiter = FORM.read(NEARLY_FULL);
    }

    @Test
    void tryAcquire_moreThanALongHolds_refusedUntilPermitsExpire() {
        assertThat(limiter.available(100)).isEqualTo(5);
        assertThat(limiter.tryAcquireOrDelay(100, 6)).isEqualTo(11);
        assertThat(limiter.tryAcquireOrDelay(105, Integer.MAX_VALUE)).isEqualTo(6);
        assertThat(limiter.tryAcquire(110, 6)).isFalse();
        assertThat(limiter.tryAcquire(110, 5)).isTrue();
        assertThat(limiter.tryAcquireOrDelay(110, 1)).isEqualTo(1);
        assertThat(limiter.tryAcquire(111, Integer.MAX_VALUE)).isTrue();
        assertThat(limiter.tryAcquire(112, Integer.MAX_VALUE)).isTrue();
        limiter.checkInvariants();
    }

    @Test
    void reserve_moreThanALongHolds_grantedWhenPermitsHaveExpired() {
        Reservation reservation = limiter.reserve(100, 6, Duration.ofNanos(11));

        assertThat(reservation.delayNanos()).isEqualTo(11);
        assertThat(limiter.tryAcquireOrDelay(112, 1)).isZero();
        limiter.checkInvariants();
    }

    @Test
    void adjustTo_moreThanALongHolds_rejectedWithoutAChange() throws IOException {
        Reservation reservation = limiter.reserve(101, 4, Duration.ZERO);
        String before = FORM.hex(limiter);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> reservation.adjustTo(6))
                .withMessage("permits: 2 more than before (expected: at most 1 more)");

        assertThat(FORM.hex(limiter)).isEqualTo(before);
        assertThat(reservation.adjustTo(5)).isTrue();
        assertThat(limiter.available(101)).isZero();
        assertThat(reservation.cancel()).isTrue();
        assertThat(limiter.available(101)).isEqualTo(5);
        limiter.checkInvariants();
    }

    /** The key has been cleared, and stays so. */
    @Test
    void adjustTo_ofSeveralMoreThanALongHolds_rejectedWithoutAChange() {
        KeyedLimiter<String> keyed = KeyedLimiter.of(Limit.of(9, Duration.ofNanos(10)));
        Reservation reservation = Limiter.allOf(keyed.forKey("a"), limiter).reserve(101, 4, Duration.ZERO);
        keyed.remove("a");

        assertThatIllegalArgumentException().isThrownBy(() -> reservation.adjustTo(6));

        assertThat(limiter.available(101)).isEqualTo(1);
        assertThat(keyed.forKey("a").available(101)).isEqualTo(9);
        assertThat(keyed.forKey("a").tryAcquire(101, 9)).isTrue();
        assertThat(reservation.cancel()).isTrue();
        assertThat(limiter.available(101)).isEqualTo(5);
        assertThat(keyed.forKey("a").available(101)).isZero();
        keyed.checkInvariants();
    }

    @Test
    void record_moreThanALongHolds_rejectedWithoutAChange() throws IOException {
        SlidingWindowLimiter other = Limiters.of(9, 10);
        KeyedLimiter<String> keyed = KeyedLimiter.of(Limit.of(9, Duration.ofNanos(10)));
        Limiter all = Limiter.allOf(keyed.forKey("a"), other, limiter);
        String before = FORM.hex(limiter);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> all.record(100, 6))
                .withMessage("permits: 6 more than before (expected: at most 5 more)");

        assertThat(FORM.hex(limiter)).isEqualTo(before);
        assertThat(other.isIdle(100)).isTrue();
        assertThat(keyed.size()).isZero();
        all.record(100, 5);
        assertThat(all.available(100)).isZero();
        limiter.checkInvariants();
    }

    @Test
    void writeTo_full_isRead() throws IOException {
        limiter.tryAcquire(105, 5);

        SlidingWindowLimiter read = FORM.read(FORM.hex(limiter));

        assertThat(read.tryAcquireOrDelay(105, 1)).isEqualTo(6);
        assertThat(read.tryAcquire(111, Integer.MAX_VALUE)).isTrue();
        assertThat(FORM.hex(FORM.read(FORM.hex(read)))).isEqualTo(FORM.hex(read));
    }

    /** The sum of all permits is nearly full, and what is in the window is not. */
    @Test
    void available_nearlyAllHaveExpired_anyCallIsLeft() throws IOException {
        limiter.tryAcquire(111, 5);

        assertThat(limiter.available(111)).isEqualTo(Long.MAX_VALUE);
        assertThat(FORM.copy(limiter).available(111)).isEqualTo(Long.MAX_VALUE);
        assertThat(limiter.tryAcquire(111, Integer.MAX_VALUE)).isTrue();
    }

    /** Two calls, at 95 and at 100. Beside the second one a call of the most permits just fits. */
    @Test
    void available_oneMoreThanACallOfTheMostPermitsLeaves_isLessUntilItExpires() throws IOException {
        SlidingWindowLimiter two = FORM.read("4C 01 01 01 05 0A 03 0000000000000064 00 01 00 05 05 00 "
                + varint(Long.MAX_VALUE - Integer.MAX_VALUE - 1));

        assertThat(two.available(105)).isEqualTo(Integer.MAX_VALUE - 1);
        assertThat(two.tryAcquire(105, Integer.MAX_VALUE)).isFalse();
        assertThat(two.available(106)).isEqualTo(Long.MAX_VALUE);
        assertThat(two.tryAcquire(106, Integer.MAX_VALUE)).isTrue();
        assertThat(two.available(106)).isZero();
        two.checkInvariants();
    }

    /** The sum overflows after {@code room} permits, in a ring or in one of several blocks, and begins with 0 again. */
    @ParameterizedTest(name = "after {0} permits, the first {1} one by one")
    @CsvSource({"5, 1", "5, 5000", "50, 10", "1000, 1000", "3000, 5000", "12000, 20"})
    void tryAcquire_afterTheSumHasOverflowed_answersAsANewLimiter(int room, int few) throws IOException {
        Limit permits = Limit.of(10_000, Duration.ofNanos(3_000));
        Limit calls = Limit.ofCalls(5_000, Duration.ofNanos(3_000));
        SlidingWindowLimiter full = FORM.read("4C 01 02 00 904E B817 01 8827 B817 02 0000000000000064 00 01 00 00 "
                + varint(Long.MAX_VALUE - room - 1));
        SlidingWindowLimiter fresh = SlidingWindowLimiter.of(permits, calls);
        assertThat(full.limits()).isEqualTo(fresh.limits());

        for (int i = 0; i < 20_000; i++) {
            long time = 3_101 + i;
            int wanted = i < few ? 1 : 1 + i % 9;
            assertThat(full.tryAcquireOrDelay(time, wanted)).isEqualTo(fresh.tryAcquireOrDelay(time, wanted));
            assertThat(full.available(time + i % 4_000)).isEqualTo(fresh.available(time + i % 4_000));
        }
        full.checkInvariants();
        assertThat(FORM.hex(full)).isEqualTo(FORM.hex(fresh));
    }

    private static String varint(long value) {
        StringBuilder hex = new StringBuilder();
        long left = value;
        for (; left > 0x7F; left >>>= 7) {
            hex.append(String.format("%02X", left & 0x7F | 0x80));
        }
        return hex.append(String.format("%02X", left)).toString();
    }
}
