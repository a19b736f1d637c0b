package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.FORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.internal.CompactBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link SlidingWindowLimiter#writeTo} and {@link SlidingWindowLimiter#readFrom}: which bytes, and which failures. */
class LimiterCompactFormTest {
    /** Kind, version, one limit of 5 permits in 10 ns. */
    private static final String LIMIT = "4C 01 01 00 05 0A ";

    /** The same; three entries, latest time 112, no slot pending. */
    private static final String HEAD = LIMIT + "04 0000000000000070 00 ";

    /** What a reader of version 1 would reject. */
    @ParameterizedTest
    @CsvSource({
        "'no limits', 4C 02 00 01 0000000000000070 00",
        "'a limit of 0', 4C 02 01 00 00 0A 02 0000000000000070 00 00 03 00",
        "'two calls at one time, no per-call limit', 4C 02 01 00 05 0A 02 0000000000000070 00 03 03 00 01 01"
    })
    void writeTo_newInVersion2_isReadAndWritten(String name, String hex) throws IOException {
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
        read.checkInvariants();
    }

    /**
     * As it was written once: it must stay readable, and is what is written today, but where entries have expired at a
     * pending slot and count at the latest time: they used to be left out.
     */
    @ParameterizedTest(name = "{0}")
    @MethodSource("stored")
    void storedForm_version1_isReadAndWritten(String name, String hex) throws IOException {
        SlidingWindowLimiter limiter = FORM.read(hex);

        limiter.checkInvariants();
        assertThat(FORM.hex(limiter)).isEqualTo(hex);
        assertThat(limiter.limits()).isEqualTo(example(name).limits());
        if (!name.equals("pending") && !name.equals("cancelled")) {
            assertThat(FORM.hex(example(name))).isEqualTo(hex);
        }
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
            case "pending", "pending now" -> {
                two.tryAcquire(Long.MAX_VALUE, 100_000);
                two.reserve(Long.MAX_VALUE, 5, Duration.ofHours(2));
            }
            case "cancelled", "cancelled now" -> {
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
        read.checkInvariants();
        assertThat(read.available(118)).isEqualTo(5);
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> FORM.read(LIMIT + "02 0000000000000070 06 00 00 11"))
                .withMessageContaining("age of the oldest: 17 (expected: at most 16)");
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
        assertThat(FORM.of(plain)).isEqualTo(FORM.of(plain));
        plain.checkInvariants();
    }

    /** One byte for each permit, and some 20 in all. */
    @Test
    void writeTo_manyGrantsOfOnePermit_aByteEach() throws IOException {
        SlidingWindowLimiter limiter = Limiters.of(100_000, 1_000_000);
        for (int i = 0; i < 100_000; i++) {
            limiter.tryAcquire(i, 1);
        }

        assertThat(FORM.of(limiter).length).isBetween(100_000, 100_040);
    }

    @Test
    void readFrom_severalInOneStream_eachReadsItsOwnBytes() throws IOException {
        List<String> names = List.of("new", "single permits", "weights", "pending", "cancelled", "corrected");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (String name : names) {
            example(name).writeTo(out);
            out.writeByte(0x77);
        }

        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));

        for (String name : names) {
            assertThat(FORM.hex(SlidingWindowLimiter.readFrom(in))).isEqualTo(FORM.hex(example(name)));
            assertThat(in.readByte()).isEqualTo((byte) 0x77);
        }
        assertThat(in.read()).isEqualTo(-1);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "57; first byte: 87 (expected: 76)",
                "4C 00; version: 0 (expected: at most 2)",
                "4C 03; version: 3 (expected: at most 2)",
                "4C 01 01 02 05 0A; kind of limit: 2 (expected: at most 1)",
                "4C 01 01 00 81 80 80 80 80 80 80 80 40 0A; maximum of a limit: 4611686018427387905 (expected: at most 4611686018427387904)",
                "4C 01 01 00 05 81 80 80 80 80 80 80 80 20; interval: 2305843009213693953 (expected: at most 2305843009213693952)",
                "4C 01 01 00 05 FF FF FF FF FF FF FF FF FF; interval: more than 9 bytes (expected: a varint)",
                LIMIT + "01 0000000000000070 FF FF FF FF FF FF FF FF 7F; delay of the last slot: 9223372036854775807"
                        + " (expected: at most 9223372036854775806)",
                HEAD + "04; columns: 4 (expected: at most 3)",
                HEAD + "00 04; unit: 4 (expected: from 0 to 3)",
                HEAD + "00 00 0B 00 00; age of the oldest: 11 (expected: at most 10)",
                HEAD + "00 00 09 00 07; distance: 0 (expected: at least 1)",
                HEAD + "00 00 09 02 08; distance: 8 (expected: at most 7)",
                HEAD + "01 00 09 02 07 00 FF FF FF FF FF FF FF FF 7F 00; permits after the first: 9223372036854775807"
                        + " (expected: at most 4611686018427387901)",
                "4C 01 01 01 05 0A 04 0000000000000070 00 03 00 09 02 07 00 01 00 00 02 00;"
                        + " calls after the first: 2 (expected: at most 1)",
                "4C 01 01 01 05 0A 04 0000000000000070 00 02 00 09 02 07 01 00 00;"
                        + " calls after the first: 1 (expected: at most 0)",
            })
    void readFrom_malformed_saysWhatIsWrong(String hex, String message) {
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> FORM.read(hex))
                .withMessage("SlidingWindowLimiter: " + message);
    }

    @Test
    void readFrom_tooManyLimits_saysSo() throws IOException {
        String limit = "00 01 00 ";

        assertThat(FORM.read("4C 01 E807 " + limit.repeat(1_000) + "00").limits())
                .hasSize(1_000);
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> FORM.read("4C 01 E907 " + limit))
                .withMessage("SlidingWindowLimiter: limits: 1001 (expected: at most 1000)");
    }

    @Test
    void writeTo_outputFails_failurePropagatesAndNoLockIsHeld() {
        IOException failure = new IOException("disk full");
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(2, 10), 1);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> limiter.writeTo(CompactBytes.failingOutput(failure)))
                .isSameAs(failure);
        assertThat(limiter.tryAcquire(1, 1)).isTrue();
    }

    /** A stream that calls the limiter would wait for ever otherwise. */
    @Test
    void writeTo_outputCallsTheLimiter_isAnswered() throws IOException {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(2, 10), 1);
        OutputStream calling = new OutputStream() {
            @Override
            public void write(int b) {
                limiter.available(1);
            }
        };

        limiter.writeTo(new DataOutputStream(calling));

        assertThat(limiter.available(1)).isEqualTo(1);
    }

    @Test
    void readFrom_inputFails_failurePropagates() {
        IOException failure = new IOException("disk gone");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> SlidingWindowLimiter.readFrom(CompactBytes.failingInput(failure)))
                .isSameAs(failure);
    }

    @Test
    void null_isRejected() {
        assertThatNullPointerException()
                .isThrownBy(() -> Limiters.of(1, 10).writeTo(null))
                .withMessage("out");
        assertThatNullPointerException()
                .isThrownBy(() -> SlidingWindowLimiter.readFrom(null))
                .withMessage("in");
    }
}
