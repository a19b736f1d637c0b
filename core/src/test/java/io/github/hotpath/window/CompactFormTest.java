package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static io.github.hotpath.window.Windows.FORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.CompactBytes;
import io.github.hotpath.testing.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link EventWindow#writeTo} and {@link EventWindow#readFrom}: which bytes. */
class CompactFormTest {
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
            String before = Insides.state(window);

            assertThat(Arrays.mismatch(FORM.of(window), bytes)).as(Seed.hint()).isEqualTo(-1);
            assertThatWindow(window).isStill(before);
        }
        assertThatWindow(FORM.read(bytes)).holds(times);
    }
}
