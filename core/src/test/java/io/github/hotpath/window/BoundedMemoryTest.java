package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Allocation;
import io.github.hotpath.testing.Memory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link BoundedEventWindow} allocates and retains, to the byte. */
class BoundedMemoryTest {

    /**
     * From windows whose buckets have one event each to one whose oldest have hundreds, and back at each nanosecond.
     */
    @ParameterizedTest(name = "{0} events, error {1}")
    @CsvSource({"1, 0.01", "100, 0.01", "10000, 0.01", "30000, 1"})
    void record_steady_allocatesNothing(int n, double error) {
        BoundedEventWindow window = Windows.boundedOfNanos(10L * (n - 1), error);
        record(window, 0, 10 * n + 20_000, 10);

        Allocation.assertNone(() -> record(window, 10L * (10 * n + 20_000), 100_000, 10));
    }

    @Test
    void record_severalAtOneTimeAndOutOfOrderAndReads_steady_allocatesNothing() {
        BoundedEventWindow window = Windows.boundedOfNanos(100_000, 0.05);
        for (int round = 0; round < 4; round++) { // until the arrays are as long as they will be
            recordAndRead(window, 1_000_000 * round);
        }

        Allocation.assertNone(() -> recordAndRead(window, 4_000_000));
    }

    private static void recordAndRead(BoundedEventWindow window, long from) {
        for (long time = from; time < from + 1_000_000; time += 20) {
            window.record(time, 3);
            window.record(time - 1_000);
            window.countAtLeast(time);
            window.countAtMost(time);
        }
    }

    /** 0.5 MB exactly is 65,536 events; the arrays may be five twelfths larger than the buckets, and as many again. */
    @ParameterizedTest(name = "error {0}")
    @CsvSource({"0.01, 26000", "0.1, 4000", "1, 1200"})
    void record_hundredThousand_retainsLittle(double error, int most) {
        BoundedEventWindow window = Windows.boundedOfNanos(Long.MAX_VALUE, error);

        record(window, 0, 100_000, 10);

        assertThat(Memory.bytes(window)).isLessThanOrEqualTo(most);
    }

    @Test
    @Tag("slow")
    void record_tenMillion_retainsFortyKilobytes() {
        BoundedEventWindow window = Windows.boundedOfNanos(10L * 9_999_999, 0.01);

        for (int tenth = 0; tenth < 15; tenth++) {
            record(window, tenth * 10_000_000L, 1_000_000, 10);

            assertThat(Memory.bytes(window)).isLessThanOrEqualTo(40_000);
        }
    }

    @Test
    void record_oneTime_retainsOneBucketHoweverManyEvents() {
        BoundedEventWindow window = Windows.boundedOfNanos(10, 0.01);

        for (int i = 0; i < 100_000; i++) {
            window.record(0, 1_000);
        }

        assertThat(Memory.bytes(window)).isLessThanOrEqualTo(500);
    }

    /** A time has one boundary if one event is there, and another behind it only if there are several. */
    @Test
    void record_oneOutOfOrder_takesOneBoundary() {
        BoundedEventWindow window = Windows.boundedOfNanos(100, 0.01);
        window.record(0, 2);
        window.record(10);
        assertThat(boundaries(window)).as("at 0, 1 and 10").isEqualTo(3);

        window.record(5);

        assertThat(boundaries(window)).isEqualTo(4);

        window.record(1); // where the second boundary is, and no event yet

        assertThat(boundaries(window)).isEqualTo(4);
    }

    private static int boundaries(BoundedEventWindow window) {
        return window.histogram.end - window.histogram.first;
    }

    /** After a busy time the arrays shrink by halves, each time that they have been run through. */
    @Test
    void record_fewAfterMany_releasesMemory() {
        BoundedEventWindow window = Windows.boundedOfNanos(1_000_000, 0.01);
        record(window, 0, 100_000, 10);

        record(window, 10_000_000, 10_000, 500_000);

        assertThat(Memory.bytes(window)).isLessThanOrEqualTo(1_500);
    }

    @Test
    void trimOfAllOrClear_retainsWhatANewWindowDoes() {
        long asNew = Memory.bytes(Windows.boundedOfNanos(10, 0.01));
        BoundedEventWindow window = Windows.boundedOfNanos(1_000, 0.01);
        record(window, 0, 1_000, 1);

        window.trim(100_000);
        assertThat(Memory.bytes(window)).isEqualTo(asNew);

        record(window, 100_000, 1_000, 1);
        window.clear();
        assertThat(Memory.bytes(window)).isEqualTo(asNew);
    }

    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {1, 50, 10_000})
    void trim_any_mergesAndRetainsNoSpareMemory(int n) {
        BoundedEventWindow window = Windows.boundedOfNanos(10L * (n - 1), 0.01);
        record(window, 0, n + 5_000, 10);

        window.trim(0);

        long[] earlier = window.histogram.earlier;
        assertThat(window.histogram.end).isEqualTo(earlier.length);
        long total = window.histogram.total;
        for (int i = 2; i < earlier.length; i++) {
            long together = earlier[i] - earlier[i - 2];
            assertThat((double) together).as("bucket %s", i).isGreaterThan(0.0099 * (total - earlier[i]));
        }
    }

    private static void record(BoundedEventWindow window, long from, long count, long step) {
        for (long i = 0; i < count; i++) {
            window.record(from + i * step);
        }
    }
}
