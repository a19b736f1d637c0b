package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.FORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.testing.CompactBytes;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link SlidingWindowLimiter#writeTo} and {@link SlidingWindowLimiter#readFrom}: which bytes. */
class LimiterCompactFormTest {
    /** Kind, version, one limit of 5 permits in 10 ns. */
    private static final String LIMIT = "4C 01 01 00 05 0A ";

    @ParameterizedTest
    @CsvSource({
        "'no limits', 4C 01 00 01 0000000000000070 00",
        "'a limit of 0', 4C 01 01 00 00 0A 02 0000000000000070 00 00 03 00",
        "'two calls at one time, no per-call limit', 4C 01 01 00 05 0A 02 0000000000000070 00 03 03 00 01 01"
    })
    void writeTo_uncommonLimits_isReadAndWritten(String name, String hex) throws IOException {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(
                name.equals("no limits") ? List.of() : Limiters.of(5, 10).limits());
        if (name.startsWith("two")) {
            limiter.tryAcquire(112, 1);
        }
        limiter.tryAcquire(112, 1);
        if (name.equals("a limit of 0")) {
            limiter.setLimits(Limit.of(0, Limiters.nanos(10)));
        }

        assertThat(FORM.of(limiter)).isEqualTo(CompactBytes.parse(hex));
        SlidingWindowLimiter read = FORM.read(hex);
        assertThat(FORM.of(read)).isEqualTo(CompactBytes.parse(hex));
        assertThat(read.limits()).isEqualTo(limiter.limits());
        read.setLimits(Limit.ofCalls(3, Limiters.nanos(10)));
        limiter.setLimits(Limit.ofCalls(3, Limiters.nanos(10)));
        assertThat(read.decide(112, 1)).isEqualTo(limiter.decide(112, 1));
        Invariants.check(read);
    }

    /** The example of docs/compact-forms.md. */
    @Test
    void writeTo_twoPermitsAtOneTime_columnOldestFirst() throws IOException {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(5, 10), 103);
        limiter.tryAcquire(105, 2);
        limiter.tryAcquire(112, 1);

        assertThat(FORM.of(limiter))
                .isEqualTo(CompactBytes.parse(LIMIT + "04 0000000000000070 00 01 00 00 07 02 00 01 00"));
    }

    /** Version 1, as it was written once: it must stay readable, and is what is written today. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("stored")
    void storedForm_version1_isReadAndWritten(String name, String hex) throws IOException {
        SlidingWindowLimiter limiter = FORM.read(hex);

        Invariants.check(limiter);
        assertThat(FORM.hex(limiter)).isEqualTo(hex);
        assertThat(limiter.limits()).isEqualTo(example(name).limits());
        assertThat(FORM.hex(example(name))).isEqualTo(hex);
    }

    static Stream<String[]> stored() throws IOException {
        return CompactBytes.stored(LimiterCompactFormTest.class, "sliding-window-limiter-v1.txt");
    }

    private static SlidingWindowLimiter example(String name) {
        SlidingWindowLimiter two = SlidingWindowLimiter.of(
                Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofHours(1)));
        switch (name) {
            case "new" -> {}
            case "single permits" -> {
                for (int second = 0; second < 10; second++) {
                    two.tryAcquire(second * 1_000_000_000L, 1);
                }
            }
            case "weights" -> {
                two.tryAcquire(-7, 300);
                two.tryAcquire(-7, 20);
                two.tryAcquire(5_000, 1);
                two.tryAcquire(5_001, 70_000);
            }
            case "pending" -> {
                two.tryAcquire(Long.MAX_VALUE, 100_000);
                two.reserve(Long.MAX_VALUE, 5, Duration.ofHours(2));
            }
            case "cancelled" -> {
                two.tryAcquire(1, 1);
                two.tryAcquire(2, 99_999);
                two.reserve(3, 5, Duration.ofHours(2)).cancel();
            }
            case "corrected" -> {
                Reservation reservation = two.reserve(0, 1, Duration.ZERO);
                two.tryAcquire(1, 1);
                reservation.adjustTo(Integer.MAX_VALUE);
            }
            default -> throw new IllegalArgumentException(name);
        }
        return two;
    }

    /** It counts at the latest time, if not at the last slot. */
    @Test
    void readFrom_oldestWithinTheIntervalOfTheLatestTime_isRead() throws IOException {
        SlidingWindowLimiter read = FORM.read(LIMIT + "02 0000000000000070 06 00 00 10");
        Invariants.check(read);
        assertThat(read.available(118)).isEqualTo(5);
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> FORM.read(LIMIT + "02 0000000000000070 06 00 00 11"))
                .withMessageContaining("distance: 17 (expected: at most 16)");
    }

    /** Refused requests, and permits that have expired or were cancelled, leave no trace. */
    @Test
    void writeTo_sameStateByOtherRoutes_sameBytes() throws IOException {
        SlidingWindowLimiter plain = Limiters.of(3_000, 5_000);
        SlidingWindowLimiter other = Limiters.of(3_000, 5_000);
        for (long time = 0; time < 20_000; time += 2) {
            plain.tryAcquire(time, 1);
            if (time % 7 == 0) {
                other.reserve(time, 2, Duration.ZERO).adjustTo(1);
                other.available(time + 3_000);
                other.tryAcquire(time + 4_000, 3_001);
            } else if (time % 11 == 0) {
                Reservation cancelled = other.reserve(time - 1, 1, Duration.ZERO);
                other.tryAcquire(time, 1);
                cancelled.cancel();
            } else {
                other.tryAcquire(time, 1);
            }
        }

        assertThat(FORM.of(other)).isEqualTo(FORM.of(plain));
        assertThat(FORM.of(FORM.copy(plain))).isEqualTo(FORM.of(plain));
        Invariants.check(plain);
    }
}
