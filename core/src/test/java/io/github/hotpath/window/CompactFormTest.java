package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static io.github.hotpath.window.Windows.FORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.internal.CompactBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link EventWindow#writeTo} and {@link EventWindow#readFrom}: which bytes, and which failures. */
class CompactFormTest {
    /** Kind, version, interval 10, one and three events, latest time 112. */
    private static final String HEAD = "57 01 0A 04 0000000000000070 ";

    @Test
    void writeTo_threeEvents_bytesOfTheForm() throws IOException {
        assertThat(FORM.of(Windows.holding(10, 105, 112, 103))).isEqualTo(CompactBytes.parse(HEAD + "00 09 02 07"));
    }

    /** Version 1, as it was written once: it must stay readable, and is what is written today. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("stored")
    void storedForm_version1_isReadAndWritten(String hex, long interval, String latest, String times)
            throws IOException {
        EventWindow window = FORM.read(hex);

        assertThatWindow(window).holds(times(times));
        assertThat(window.intervalNanos()).isEqualTo(interval);
        assertThat(window.isStarted()).isEqualTo(!latest.equals("none"));
        if (window.isStarted()) {
            assertThat(window.latest()).isEqualTo(Long.parseLong(latest));
        }
        assertThat(FORM.hex(window)).isEqualTo(hex);
    }

    static Stream<String[]> stored() throws IOException {
        return CompactBytes.stored(CompactFormTest.class, "event-window-v1.txt");
    }

    private static long[] times(String times) {
        return Stream.of(times.split(" "))
                .filter(time -> !time.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** Read by another clock, of any origin. */
    @FromAnyStart
    void readFrom_shifted_everyTimeIsLater(long start) throws IOException {
        EventWindow window = Windows.holding(10, 105, 112, 103);
        window.trim(113);

        EventWindow read = EventWindow.readFrom(CompactBytes.input(FORM.of(window)), start - 100);

        assertThatWindow(read).holds(start + 3, start + 5, start + 12);
        assertThat(read.latest()).isEqualTo(start + 13);
        assertThat(read.count(start + 14)).isEqualTo(2);
    }

    /** The unit is the largest of all distances. */
    @ParameterizedTest(name = "every {0} ns, trimmed {1} ns later: {2}, {3} bytes an event")
    @CsvSource({
        "1, 0, 0, 1",
        "999, 0, 0, 2",
        "1000, 0, 1, 1",
        "1000, 999, 0, 2",
        "1000000, 0, 2, 1",
        "1000000, 7000, 1, 2",
        "1000000000, 0, 3, 1",
        "2000000000, 0, 3, 1",
        "999000000000, 0, 3, 2",
        "3000001, 0, 0, 4"
    })
    void writeTo_distancesHaveACommonUnit_inThatUnit(long step, long later, int unit, int bytesAnEvent)
            throws IOException {
        long[] times = LongStream.range(0, 100).map(i -> 17 + i * step).toArray();
        EventWindow window = Windows.holding(1L << 60, times);
        window.trim(times[99] + later);

        byte[] bytes = FORM.of(window);

        assertThat(bytes[20]).isEqualTo((byte) unit); // behind 2 bytes, 9 of the interval, 1 of the number, and 8
        assertThat(bytes.length).isBetween(21 + 99 * bytesAnEvent + 1, 21 + 99 * bytesAnEvent + 9);
        assertThatWindow(FORM.read(bytes)).holds(times);
    }

    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {0, 1, 3, 7, 9, 40, 511, 513, 1_024, 1_025, 5_000})
    void writeTo_sameStateByOtherRoutes_sameBytesAndUnchanged(int n) throws IOException {
        SplittableRandom random = Seed.random("same bytes " + n);
        long[] times = Windows.times(random.nextLong(), n);
        byte[] bytes = FORM.of(Windows.byRandomRoute(times, random));

        for (int route = 0; route < 20; route++) {
            EventWindow window = Windows.byRandomRoute(times, random);
            String before = Structure.describe(window);

            assertThat(FORM.of(window)).as(Seed.hint()).isEqualTo(bytes);
            assertThatWindow(window).isStill(before);
        }
        assertThat(FORM.of(FORM.read(bytes))).isEqualTo(bytes);
    }

    @Test
    void readFrom_severalInOneStream_eachReadsItsOwnBytes() throws IOException {
        EventWindow[] windows = {
            Windows.holding(10, 1, 2, 3),
            Windows.ofNanos(5),
            Windows.holding(Long.MAX_VALUE, Windows.times(7, 3_000)),
            Windows.holding(1L << 62, 0, 1L << 61, (1L << 61) + 300),
            Windows.holding(0, 9)
        };
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (EventWindow window : windows) {
            window.writeTo(out);
            out.writeByte(0x77);
        }

        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));

        for (EventWindow window : windows) {
            assertThatWindow(EventWindow.readFrom(in)).holds(window.toArray());
            assertThat(in.readByte()).isEqualTo((byte) 0x77);
        }
        assertThat(in.read()).isEqualTo(-1);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "58; first byte: 88 (expected: 87)",
                "57 00; version: 0 (expected: at most 1)",
                "57 02; version: 2 (expected: at most 1)",
                "57 FF; version: 255 (expected: at most 1)",
                "57 01 80 80 80 80 80 80 80 80 80 00; interval: more than 9 bytes (expected: a varint)",
                "57 01 0A FF FF FF FF FF FF FF FF FF; events: more than 9 bytes (expected: a varint)",
                HEAD + "04; unit: 4 (expected: from 0 to 3)",
                HEAD + "FF; unit: 255 (expected: from 0 to 3)",
                HEAD + "00 0B 00 00; age of the oldest: 11 (expected: at most 10)",
                HEAD + "01 01 00 00; age of the oldest: 1 (expected: at most 0)",
                HEAD + "00 FF FF FF FF FF FF FF FF FF; age of the oldest: more than 9 bytes (expected: a varint)",
                HEAD + "00 09 0A 00; distance: 10 (expected: at most 9)",
                HEAD + "00 09 02 08; distance: 8 (expected: at most 7)",
                // in units whose nanoseconds would wrap into the interval
                "57 01 FFFFFFFFFFFFFFFF7F 02 0000000000000070 03 FFFFFFFFFFFFFFFF7F; age of the oldest:"
                        + " 9223372036854775807 (expected: at most 9223372036)"
            })
    void readFrom_malformed_saysWhatIsWrong(String hex, String message) {
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> FORM.read(hex))
                .withMessage("EventWindow: " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57 01 0A 00", HEAD + "00 09 02 07", HEAD + "00 8900 02 07"})
    void readFrom_truncatedAnywhere_endOfFile(String hex) throws IOException {
        byte[] bytes = CompactBytes.parse(hex);
        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);

            assertThatExceptionOfType(EOFException.class).isThrownBy(() -> FORM.read(truncated));
        }
        assertThatWindow(FORM.read(bytes)).isNotNull();
    }

    /** Groups of zeros that are not needed, and nanoseconds for what are microseconds. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "57 01 0A 8400 0000000000000070 00 8980808000 02 07, 103 105 112",
        "57 01 904E 04 0000000000001B58 00 B817 E807 D00F, 4000 5000 7000",
        "57 01 90CE00 04 0000000000001B58 01 03 01 02, 4000 5000 7000"
    })
    void readFrom_longerThanNeedBe_sameWindow(String hex, String times) throws IOException {
        assertThatWindow(FORM.read(hex)).holds(times(times));
    }

    /** The number of events is only a promise. */
    @Test
    void readFrom_moreEventsThanThereAre_takesMemoryForThoseThatAre() {
        byte[] bytes = CompactBytes.parse("57 01 0A FF FF FF FF FF FF FF FF 7F 00 00 00 00 00 00 00 00 00 00 00 00");
        Runnable read = () -> assertThatExceptionOfType(EOFException.class).isThrownBy(() -> FORM.read(bytes));
        read.run();

        assertThat(Allocation.of(read)).isLessThan(16 << 10); // most of it for the exception and the assertion
    }

    @Test
    void writeTo_outputFails_failurePropagates() {
        IOException failure = new IOException("disk full");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Windows.holding(10, 1).writeTo(CompactBytes.failingOutput(failure)))
                .isSameAs(failure);
    }

    @Test
    void readFrom_inputFails_failurePropagates() {
        IOException failure = new IOException("disk gone");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> EventWindow.readFrom(CompactBytes.failingInput(failure)))
                .isSameAs(failure);
    }

    @Test
    void null_isRejected() {
        assertThatNullPointerException()
                .isThrownBy(() -> Windows.ofNanos(10).writeTo(null))
                .withMessage("out");
        assertThatNullPointerException()
                .isThrownBy(() -> EventWindow.readFrom(null))
                .withMessage("in");
    }
}
