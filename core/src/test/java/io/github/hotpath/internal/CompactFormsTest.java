package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.limit.KeyedFormTarget;
import io.github.hotpath.limit.LimiterFormTarget;
import io.github.hotpath.testing.CompactBytes;
import io.github.hotpath.testing.FormTarget;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.window.EventWindowFormTarget;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The rules that all compact forms share: what is read of any bytes, and which failures there are. */
@Timeout(600)
class CompactFormsTest {
    static final List<FormTarget<?>> FORMS =
            List.of(EventWindowFormTarget.TARGET, LimiterFormTarget.TARGET, KeyedFormTarget.TARGET);

    /** Kind, version, interval 10, one and three events, latest time 112. */
    private static final String WINDOW = "EventWindow; 57 01 0A 04 0000000000000070 ";

    /** Kind, version, one limit of 5 permits in 10 ns; three entries, latest time 112, no slot pending. */
    private static final String LIMITER = "SlidingWindowLimiter; 4C 01 01 00 05 0A 04 0000000000000070 00 ";

    private static final String KEYED = "KeyedLimiter; 4B 01 "; // kind, version

    private static FormTarget<?> target(String type) {
        return FORMS.stream()
                .filter(form -> form.toString().equals(type))
                .findAny()
                .orElseThrow();
    }

    /** Inputs that reach other code each, and such that failed. */
    @ParameterizedTest
    @FieldSource("FORMS")
    void readFrom_corpus_failsAsItSaysOrIsValid(FormTarget<?> target) throws IOException {
        assertThat(target.checkCorpus()).isPositive();
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    <T> void readFrom_truncatedOrDamagedAnywhere_failsAsItSaysOrIsValid(FormTarget<T> target) throws IOException {
        SplittableRandom random = Seed.random("damaged " + target);
        for (int i = 0; i < 4; i++) {
            byte[] bytes = target.form.of(target.some(random, 25));
            for (int length = 0; length < bytes.length; length++) {
                byte[] truncated = Arrays.copyOf(bytes, length);
                assertThatExceptionOfType(EOFException.class).isThrownBy(() -> target.form.read(truncated));
            }
            for (int bit = 0; bit < 8 * bytes.length; bit++) {
                byte[] damaged = bytes.clone();
                damaged[bit / 8] ^= (byte) (1 << bit % 8);
                target.check(damaged);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    <T> void readFrom_anyBytesBehindAHeader_failsAsItSaysOrIsValid(FormTarget<T> target) throws IOException {
        SplittableRandom random = Seed.random("any bytes " + target);
        for (int i = 0; i < 300; i++) {
            byte[] head = target.form.of(target.some(random, 50));
            byte[] bytes = new byte[random.nextInt(1 << random.nextInt(13))];
            random.nextBytes(bytes);
            System.arraycopy(head, 0, bytes, 0, Math.min(random.nextInt(head.length), bytes.length));
            target.check(bytes);
        }
    }

    /** The number of events, entries or limits is only a promise: memory is taken for those that are there. */
    @ParameterizedTest
    @CsvSource({
        "EventWindow, 57 01 0A FFFFFFFFFFFFFFFF7F 0000000000000070 00 09 02",
        "SlidingWindowLimiter, 4C 01 01 00 05 0A FFFFFFFF07 0000000000000070 00 00 00 09 02",
        "SlidingWindowLimiter, 4C 01 E807 00 05 0A",
        "KeyedLimiter, 4B 01 01 07 FFFFFFFF07 0000000000000070 00 00 00 09 02"
    })
    void readFrom_moreThanThereIs_endOfFileInLittleMemory(String type, String hex) {
        target(type).check(CompactBytes.parse(hex));

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> target(type).form.read(hex));
    }

    /** And answers as what was written does, when its clock shows the same. */
    @ParameterizedTest
    @FieldSource("FORMS")
    <T> void readFrom_severalInOneStream_eachReadsItsOwnBytes(FormTarget<T> target) throws IOException {
        SplittableRandom random = Seed.random("several " + target);
        List<byte[]> written = new ArrayList<>();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            T subject = target.some(random, 1 << random.nextInt(1, 11));
            written.add(target.form.of(subject));
            all.writeBytes(target.form.of(subject));
            target.checkCopy(subject);
        }

        DataInputStream in = CompactBytes.input(all.toByteArray());

        for (byte[] bytes : written) {
            assertThat(Arrays.mismatch(target.form.of(target.form.read(in)), bytes))
                    .as(Seed.hint())
                    .isEqualTo(-1);
        }
        assertThat(in.read()).isEqualTo(-1);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = ';',
            value = {
                "EventWindow; 58; first byte: 88 (expected: 87)",
                "EventWindow; 57 00; version: 0 (expected: from 1 to 1)",
                "EventWindow; 57 02; version: 2 (expected: from 1 to 1)",
                "EventWindow; 57 01 808080808080808080 00; interval: more than 9 bytes (expected: a varint)",
                "EventWindow; 57 01 0A FFFFFFFFFFFFFFFFFF; events: more than 9 bytes (expected: a varint)",
                WINDOW + "04; unit: 4 (expected: from 0 to 3)",
                WINDOW + "00 0B 00 00; age of the oldest: 11 (expected: at most 10)",
                WINDOW + "01 01 00 00; age of the oldest: 1 (expected: at most 0)",
                WINDOW + "00 FFFFFFFFFFFFFFFFFF; age of the oldest: more than 9 bytes (expected: a varint)",
                WINDOW + "00 09 0A 00; distance: 10 (expected: at most 9)",
                WINDOW + "00 09 02 08; distance: 8 (expected: at most 7)",
                // in units whose nanoseconds would wrap into the interval
                "EventWindow; 57 01 FFFFFFFFFFFFFFFF7F 02 0000000000000070 03 FFFFFFFFFFFFFFFF7F;"
                        + " age of the oldest: 9223372036854775807 (expected: at most 9223372036)",
                "SlidingWindowLimiter; 57; first byte: 87 (expected: 76)",
                "SlidingWindowLimiter; 4C 00; version: 0 (expected: from 1 to 1)",
                "SlidingWindowLimiter; 4C 02; version: 2 (expected: from 1 to 1)",
                "SlidingWindowLimiter; 4C 01 E907 00 01 00; limits: 1001 (expected: at most 1000)",
                "SlidingWindowLimiter; 4C 01 01 02 05 0A; kind of limit: 2 (expected: at most 1)",
                "SlidingWindowLimiter; 4C 01 01 00 818080808080808040 0A;"
                        + " maximum of a limit: 4611686018427387905 (expected: at most 4611686018427387904)",
                "SlidingWindowLimiter; 4C 01 01 00 05 818080808080808020;"
                        + " interval: 2305843009213693953 (expected: at most 2305843009213693952)",
                "SlidingWindowLimiter; 4C 01 01 00 05 0A 01 0000000000000070 FFFFFFFFFFFFFFFF7F;"
                        + " delay of the last slot: 9223372036854775807 (expected: at most 9223372036854775806)",
                "SlidingWindowLimiter; 4C 01 00 02; entries: 2 (expected: at most 1)",
                LIMITER + "04; columns: 4 (expected: at most 3)",
                LIMITER + "00 04; unit: 4 (expected: from 0 to 3)",
                LIMITER + "00 00 0B 00 00; distance: 11 (expected: at most 10)",
                LIMITER + "00 00 00 00 02; distance: 0 (expected: at least 1)",
                LIMITER + "00 00 00 07 04; distance: 4 (expected: at most 3)",
                LIMITER + "01 00 00 07 02 00 FFFFFFFFFFFFFFFF7F 00;"
                        + " permits after the first: 9223372036854775807 (expected: at most 9223372036854775804)",
                LIMITER + "03 00 00 07 02 00 01 00 00 02 00; calls after the first: 2 (expected: at most 1)",
                LIMITER + "02 00 00 07 02 01 00 00; calls after the first: 1 (expected: at most 0)",
                "KeyedLimiter; 4C; first byte: 76 (expected: 75)",
                "KeyedLimiter; 4B 00; version: 0 (expected: from 1 to 1)",
                "KeyedLimiter; 4B 02; version: 2 (expected: from 1 to 1)",
                KEYED + "02; keys: 2 (expected: 0 or 1)",
                KEYED + "01 07 00; entries: 0 (expected: at least 1)",
                KEYED + "01 07 8080808008; entries: 2147483648 (expected: at most 2147483647)",
                KEYED + "01 07 01 0000000000000070 FFFFFFFFFFFFFFFF7F;"
                        + " delay of the last slot: 9223372036854775807 (expected: at most 9223372036854775806)",
                // of any age that there is, whatever the limits
                KEYED + "01 07 02 0000000000000070 00 00 03 FFFFFFFFFFFFFFFF7F;"
                        + " distance: 9223372036854775807 (expected: at most 9223372036)",
                KEYED + "01 07 03 0000000000000070 00 00 00 FFFFFFFFFFFFFFFF7F 01;"
                        + " distance: 1 (expected: at most 0)",
                KEYED + "01 07 03 0000000000000070 FEFFFFFFFFFFFFFF7F 00 00 FFFFFFFFFFFFFFFF7F 01;"
                        + " distance: 1 (expected: at most 0)",
                KEYED + "00 02; eviction times: 2 (expected: 0 or 1)"
            })
    void readFrom_malformed_saysWhatIsWrong(String type, String hex, String message) {
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> target(type).form.read(hex))
                .withMessage(type + ": " + message);
    }

    /** And no lock is held then. */
    @ParameterizedTest
    @FieldSource("FORMS")
    <T> void stream_fails_failurePropagates(FormTarget<T> target) throws IOException {
        IOException failure = new IOException("disk full");
        T subject = target.some(Seed.random("failing"), 50);

        assertThatIOException()
                .isThrownBy(() -> target.form.write(subject, failing(DataOutput.class, failure)))
                .isSameAs(failure);
        assertThatIOException()
                .isThrownBy(() -> target.form.read(failing(DataInput.class, failure)))
                .isSameAs(failure);
        assertThat(target.form.of(subject)).isNotEmpty();
    }

    private static <S> S failing(Class<S> stream, IOException failure) {
        return stream.cast(
                Proxy.newProxyInstance(stream.getClassLoader(), new Class<?>[] {stream}, (proxy, method, arguments) -> {
                    throw failure;
                }));
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    <T> void null_isRejected(FormTarget<T> target) {
        T subject = target.some(Seed.random("null"), 50);

        assertThatNullPointerException()
                .isThrownBy(() -> target.form.write(subject, null))
                .withMessage("out");
        assertThatNullPointerException()
                .isThrownBy(() -> target.form.read((DataInput) null))
                .withMessage("in");
    }
}
