package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.testing.FromAnyStart;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link BoundedEventWindow} has beside the rules of time in {@link EventWindowTest} and the bounds in {@link
 * BoundedModelTest}.
 */
class BoundedEventWindowTest {
    @ParameterizedTest
    @ValueSource(doubles = {Double.MIN_VALUE, 0.001, 0.5, 1})
    void maxRelativeError_ofAnySize_isTheOneGiven(double error) {
        assertThat(BoundedEventWindow.of(Duration.ZERO, error).maxRelativeError())
                .isEqualTo(error);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, -0.1, 1.0000000000000002, 5, Double.NaN, Double.POSITIVE_INFINITY})
    void of_errorNotOverZeroAndUpToOne_isRejected(double error) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BoundedEventWindow.of(Duration.ZERO, error))
                .withMessage("maxRelativeError: " + error + " (expected: over 0, up to 1)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void record_lessThanOneEvent_isRejected(int events) {
        assertRejected(
                nearlyFull(0, 3), window -> window.record(25, events), "events: " + events + " (expected: at least 1)");
    }

    /** {@link RejectionTest} has the same for the other bound. */
    @Test
    void countAtMost_noSpan_isRejected() {
        assertRejected(
                nearlyFull(0, 3),
                window -> window.countAtMost(25, Duration.ofNanos(11)),
                "span: PT0.000000011S (expected: from zero to the interval, PT0.00000001S)");
    }

    /** Several events a nanosecond, all still in the window; the span begins inside a bucket of more than one time. */
    @Test
    void toString_namesAllAtTheLatestTime() {
        BoundedEventWindow window = Windows.boundedOfNanos(1_000, 1);
        String head = "BoundedEventWindow[interval=PT0.000001S, maxRelativeError=1.0, countAtLeast=";
        assertThat(window).hasToString(head + "0, countAtMost=0]");
        for (long time = 0; time < 1_500; time++) {
            window.record(time);
        }

        long atLeast = window.countAtLeast(1_499);
        long atMost = window.countAtMost(1_499);
        assertThat(atLeast).isLessThan(atMost);
        assertThat(window).hasToString(head + atLeast + ", countAtMost=" + atMost + "]");
    }

    // Very many events

    @FromAnyStart
    void record_asManyAsALongHolds_areCounted(long start) {
        BoundedEventWindow window = nearlyFull(start, Integer.MAX_VALUE);

        window.record(start, Integer.MAX_VALUE - 1);
        window.record(start + 5);

        assertCount(window, start, Long.MAX_VALUE);
    }

    @FromAnyStart
    void record_oneMoreThanALongHolds_isRejectedAndNothingChanged(long start) {
        for (long nanos : new long[] {start, start + 1, start + 10, start - 1, start - 10}) {
            assertRejected(
                    nearlyFull(start, 3),
                    window -> window.record(nanos, 4),
                    "events: 4 (expected: at most 3, for the count to fit a long)");
        }
    }

    /** Those that have expired by then, or that are ignored, raise nothing. */
    @FromAnyStart
    void record_manyThatDoNotCountTogether_areCountedOrIgnored(long start) {
        BoundedEventWindow later = nearlyFull(start, 0);
        BoundedEventWindow tooLate = nearlyFull(start, 0);

        later.record(start + 11, 5);
        tooLate.record(start - 11, 5);

        assertCount(later, start, 5);
        assertCount(tooLate, start, Long.MAX_VALUE);
    }

    /** Of all events ever recorded; those in the window must fit a long, and no others. */
    @Test
    void record_numberOfAllEventsWraps_countsThoseInTheWindow() {
        for (long before : new long[] {Long.MAX_VALUE - 3, -3}) {
            BoundedEventWindow window = Windows.boundedOfNanos(10, 0.01);
            window.histogram.total = before;
            window.histogram.expired = before;

            window.record(100, 2);
            window.record(104, 2);
            window.record(102, 3);

            assertCount(window, 104, 7);
            assertCount(window, 112, 5);
            assertCount(window, 113, 2);
        }
    }

    /**
     * Of more than 2^53 events a {@code double} does not tell each number from the next: rounded, the older events
     * of this window seem to be as many as the newer ones, and are two more.
     */
    @Test
    void counts_moreThanADoubleTells_areAsCloseAsPromised() {
        BoundedEventWindow window = Windows.boundedOfNanos(1_000, 1);
        long newer = 1L << 54;
        record(window, 0, newer + 1);
        window.record(5);
        record(window, 10, newer);

        window.trim(10);

        Duration span = Duration.ofNanos(3);
        assertThat(window.countAtLeast(10, span)).isEqualTo(newer);
        assertThat(window.countAtMost(10, span)).isBetween(newer, newer + newer);
    }

    private static void record(BoundedEventWindow window, long nanos, long events) {
        long left = events;
        for (; left > Integer.MAX_VALUE; left -= Integer.MAX_VALUE) {
            window.record(nanos, Integer.MAX_VALUE);
        }
        window.record(nanos, (int) left);
    }

    /** Returns a window of 10 ns in which there could be {@code left} more; to record the others would take hours. */
    private static BoundedEventWindow nearlyFull(long start, long left) {
        BoundedEventWindow window = Windows.boundedOfNanos(10, 0.5);
        window.record(start);
        window.histogram.total = Long.MAX_VALUE - left;
        Insides.check(window, 0);
        return window;
    }

    private static void assertRejected(BoundedEventWindow window, Consumer<BoundedEventWindow> call, String message) {
        String before = Insides.state(window);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> call.accept(window))
                .withMessage(message);

        assertThat(Insides.state(window)).isEqualTo(before);
    }

    private static void assertCount(BoundedEventWindow window, long at, long count) {
        Insides.check(window, 0);
        assertThat(window.countAtLeast(at)).isEqualTo(count);
        assertThat(window.countAtMost(at)).isEqualTo(count);
    }
}
