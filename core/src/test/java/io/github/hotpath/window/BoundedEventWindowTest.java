package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of time of {@link BoundedEventWindow}, member by member. Windows are of 10 ns, and exact for the few events
 * that they hold, where nothing else is said.
 */
class BoundedEventWindowTest {
    private static final double ERROR = 0.01;

    // of, interval, maxRelativeError, toString

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000000001S", "PT1M", "PT2562047H47M16.854775807S"})
    void interval_ofAnyLength_isTheOneGiven(Duration interval) {
        assertThat(BoundedEventWindow.of(interval, ERROR).interval()).isEqualTo(interval);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.MIN_VALUE, 0.001, 0.5, 1})
    void maxRelativeError_ofAnySize_isTheOneGiven(double error) {
        assertThat(BoundedEventWindow.of(Duration.ZERO, error).maxRelativeError())
                .isEqualTo(error);
    }

    @FromAnyStart
    void toString_namesAllAtTheLatestTime(long start) {
        BoundedEventWindow window = BoundedEventWindow.of(Duration.ofMinutes(1), 1);
        assertThat(window)
                .hasToString("BoundedEventWindow[interval=PT1M, maxRelativeError=1.0, countAtLeast=0, countAtMost=0]");

        window.record(start, 3);
        window.record(start + 7);

        assertThat(window)
                .hasToString("BoundedEventWindow[interval=PT1M, maxRelativeError=1.0, countAtLeast=4, countAtMost=4]");
    }

    /** Several events a nanosecond, all still in the window; the span begins inside a bucket of more than one time. */
    @Test
    void toString_boundsApart_namesBoth() {
        BoundedEventWindow window = Windows.boundedOfNanos(1_000, 1);
        for (long time = 0; time < 1_500; time++) {
            window.record(time);
        }

        long atLeast = window.countAtLeast(1_499);
        long atMost = window.countAtMost(1_499);
        assertThat(atLeast).isLessThan(atMost);
        assertThat(window).asString().endsWith("countAtLeast=" + atLeast + ", countAtMost=" + atMost + "]");
    }

    // record

    @FromAnyStart
    void record_first_isCountedAndSetsTheLatestTime(long start) {
        BoundedEventWindow window = holding(start);

        assertCount(window, start, 1);
        assertCount(window, start - 100, 1);
        window.record(start - 11);
        assertCount(window, start, 1);
    }

    @FromAnyStart
    void record_oneExactlyAsOldAsTheInterval_countsBoth(long start) {
        assertCount(holding(start, start + 10), start + 10, 2);
    }

    @FromAnyStart
    void record_oneNanosecondOlder_expires(long start) {
        BoundedEventWindow window = holding(start, start + 11);

        assertCount(window, start + 11, 1);
        assertCount(window, start, 1);
    }

    @FromAnyStart
    void record_equalTimes_countEachAndExpireTogether(long start) {
        BoundedEventWindow window = holding(start, start, start, start + 10);

        assertCount(window, start + 10, 4);
        assertCount(window, start + 11, 1);
    }

    @FromAnyStart
    void record_several_isAsManySingleRecords(long start) {
        BoundedEventWindow window = holding();
        window.record(start, 5);
        window.record(start + 1, Integer.MAX_VALUE);
        window.record(start + 3, 2);

        assertCount(window, start + 10, 7L + Integer.MAX_VALUE);
        assertCount(window, start + 11, 2L + Integer.MAX_VALUE);
        assertCount(window, start + 12, 2);
        assertCount(window, start + 14, 0);
    }

    @FromAnyStart
    void record_intervalZero_countsTheVeryTimeOnly(long start) {
        BoundedEventWindow window = Windows.boundedOfNanos(0, ERROR);
        window.record(start);
        window.record(start);

        assertCount(window, start, 2);
        assertCount(window, start + 1, 0);
        window.record(start + 1);
        assertCount(window, start, 1);
        window.record(start);
        assertCount(window, start, 1);
    }

    @FromAnyStart
    void record_longestInterval_keepsWhatIsThatOld(long start) {
        BoundedEventWindow window = Windows.boundedOfNanos(Long.MAX_VALUE, ERROR);
        window.record(start);
        window.record(start + 1);

        window.record(start + Long.MAX_VALUE);
        assertCount(window, start + Long.MAX_VALUE, 3);
        window.record(start + Long.MAX_VALUE + 1);
        assertCount(window, start + Long.MAX_VALUE, 3);
        window.record(start + Long.MAX_VALUE - 1);
        assertCount(window, start, 4);
    }

    /** The newest event is then nearly 2^64 before the next one, and seems to be later than it. */
    @FromAnyStart
    void record_longAfterATrim_isNotOutOfOrder(long start) {
        BoundedEventWindow window = Windows.boundedOfNanos(Long.MAX_VALUE, ERROR);
        window.record(start);
        window.trim(start + Long.MAX_VALUE);
        assertCount(window, start, 1);

        window.record(start + Long.MAX_VALUE + Long.MAX_VALUE);

        assertCount(window, start, 1);
        assertCount(window, start - 2 + Long.MAX_VALUE, 1);
        assertCount(window, start - 2 + Long.MIN_VALUE, 1);
    }

    // record, out of order

    @FromAnyStart
    void record_outOfOrder_isExactWhereTheOthersAre(long start) {
        BoundedEventWindow window = holding(start, start + 2, start + 8, start + 5, start + 1, start - 1, start + 5);

        assertCount(window, start + 8, 7);
        assertCount(window, start + 10, 6);
        assertCount(window, start + 11, 5);
        assertCount(window, start + 12, 4);
        assertCount(window, start + 13, 3);
        assertCount(window, start + 15, 3);
        assertCount(window, start + 16, 1);
        assertCount(window, start + 19, 0);
    }

    @FromAnyStart
    void record_severalOutOfOrder_areExactWhereTheOthersAre(long start) {
        BoundedEventWindow window = holding(start + 8, start + 3, start + 3);
        window.record(start + 5, 4);
        window.record(start + 3, 3);
        window.record(start + 7, 2);

        assertCount(window, start + 13, 12);
        assertCount(window, start + 14, 7);
        assertCount(window, start + 15, 7);
        assertCount(window, start + 16, 3);
        assertCount(window, start + 17, 3);
        assertCount(window, start + 18, 1);
    }

    /** Of all events ever recorded; those in the window must fit a long, and no others. */
    @Test
    void record_numberOfAllEventsWraps_countsThoseInTheWindow() {
        for (long before : new long[] {Long.MAX_VALUE - 3, -3}) {
            BoundedEventWindow window = Windows.boundedOfNanos(10, ERROR);
            Object histogram = Fields.get(window, "histogram");
            Fields.set(histogram, "total", before);
            Fields.set(histogram, "expired", before);

            window.record(100, 2);
            window.record(104, 2);
            window.record(102, 3);

            assertCount(window, 104, 7);
            assertCount(window, 112, 5);
            assertCount(window, 113, 2);
        }
    }

    @FromAnyStart
    void record_exactlyAsLateAsTheInterval_isCounted(long start) {
        BoundedEventWindow window = holding(start, start - 10);

        assertCount(window, start, 2);
        assertCount(window, start + 1, 1);
    }

    @FromAnyStart
    void record_oneNanosecondTooLate_isIgnored(long start) {
        BoundedEventWindow window = holding(start, start - 10);
        String before = Structure.describe(window);

        window.record(start - 11);
        window.record(start - Long.MAX_VALUE, Integer.MAX_VALUE);
        window.record(start + Long.MIN_VALUE);

        assertThat(Structure.describe(window)).isEqualTo(before);
    }

    @FromAnyStart
    void record_exactlyTwoToThe63Away_isTooLateForAnyInterval(long start) {
        BoundedEventWindow window = Windows.boundedOfNanos(Long.MAX_VALUE, ERROR);
        window.record(start);

        window.record(start + Long.MIN_VALUE);
        assertCount(window, start, 1);
        window.record(start - Long.MAX_VALUE);
        assertCount(window, start, 2);
    }

    @FromAnyStart
    void record_outOfOrderInAnEmptyWindow_isCountedAtTheLatestTime(long start) {
        BoundedEventWindow window = holding(start);
        window.trim(start + 20);

        window.record(start + 9);
        assertCount(window, start + 20, 0);
        window.record(start + 15);
        window.record(start + 12);
        window.record(start + 17);

        assertCount(window, start, 3);
        assertCount(window, start + 23, 2);
        assertCount(window, start + 26, 1);
    }

    // countAtLeast, countAtMost

    @FromAnyStart
    void counts_new_areZero(long start) {
        BoundedEventWindow window = holding();

        assertCount(window, start, 0);
        assertCount(window, start, 0, 0);
    }

    @FromAnyStart
    void counts_laterOrEarlierThanTheLatestTime_areThoseOfThatOrTheLatestTime(long start) {
        BoundedEventWindow window = holding(start, start + 3, start + 5);

        assertCount(window, start + 4, 3);
        assertCount(window, start + 5 - Long.MAX_VALUE, 3);
        assertCount(window, start + 5 + Long.MIN_VALUE, 3);
        assertCount(window, start + 10, 3);
        assertCount(window, start + 11, 2);
        assertCount(window, start + 15, 1);
        assertCount(window, start + 16, 0);
        assertCount(window, start + 5 + Long.MAX_VALUE, 0);
    }

    @FromAnyStart
    void counts_withSpan_areThoseOfAShorterWindow(long start) {
        BoundedEventWindow window = holding(start, start + 3, start + 3, start + 10);

        assertCount(window, start + 10, 0, 1);
        assertCount(window, start + 10, 6, 1);
        assertCount(window, start + 10, 7, 3);
        assertCount(window, start + 10, 9, 3);
        assertCount(window, start + 10, 10, 4);
        assertCount(window, start + 12, 1, 0);
        assertCount(window, start + 12, 9, 3);
        assertCount(window, start + 4, 9, 3);
    }

    @FromAnyStart
    void counts_beforeAnyRecord_doNotSetTheLatestTime(long start) {
        BoundedEventWindow window = holding();

        window.countAtLeast(start + 1_000);
        window.countAtMost(start + 1_000, Duration.ZERO);
        window.record(start);

        assertCount(window, start, 1);
    }

    @FromAnyStart
    void counts_anyWindow_changeNothing(long start) {
        BoundedEventWindow window = Windows.boundedOfNanos(1_000, 0.5);
        for (long time = start; time != start + 3_000; time++) {
            window.record(time);
        }
        String before = Structure.describe(window);

        for (long at = start - 5; at != start + 4_005; at += 5) {
            window.countAtLeast(at);
            window.countAtMost(at, Duration.ofNanos(3));
        }

        assertThat(window.toString()).isNotEmpty();
        assertThat(Structure.describe(window)).isEqualTo(before);
    }

    /** Until something expires, the whole is known however much was merged. */
    @FromAnyStart
    void counts_nothingHasExpired_areEqual(long start) {
        BoundedEventWindow window = Windows.boundedOfNanos(10_000, 1);
        for (long i = 0; i <= 10_000; i++) {
            window.record(start + i);
            assertCount(window, start + i, i + 1);
        }
    }

    @Test
    void counts_oneTimeHasNearlyAllEvents_areEqualWhereverASpanBegins() {
        BoundedEventWindow window = Windows.boundedOfNanos(1_000, 0.01);
        window.record(0, 7);
        window.record(500, 1_000_000);
        window.record(900, 9);

        assertCount(window, 1_000, 1_000, 1_000_016);
        assertCount(window, 1_000, 999, 1_000_009);
        assertCount(window, 1_000, 500, 1_000_009);
        assertCount(window, 1_000, 499, 9);
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

    // trim, clear

    @FromAnyStart
    void trim_later_advancesAndEvicts(long start) {
        BoundedEventWindow window = holding(start, start + 5);

        window.trim(start + 11);

        assertCount(window, start, 1);
        window.record(start);
        assertCount(window, start, 1);
        window.record(start + 1);
        assertCount(window, start, 2);
    }

    @FromAnyStart
    void trim_earlier_changesNoCount(long start) {
        BoundedEventWindow window = holding(start, start + 5);

        window.trim(start - 1);
        window.trim(start + 5 + Long.MIN_VALUE);

        assertCount(window, start, 2);
        assertCount(window, start + 11, 1);
    }

    @FromAnyStart
    void trim_new_setsTheLatestTime(long start) {
        BoundedEventWindow window = holding();

        window.trim(start);
        window.record(start - 11);
        assertCount(window, start - 11, 0);

        window.record(start - 10);
        assertCount(window, start, 1);
    }

    @FromAnyStart
    void clear_resets(long start) {
        BoundedEventWindow window = holding(start, start + 5);

        window.clear();

        assertCount(window, start + 5, 0);
        window.record(start - 100);
        assertCount(window, start - 100, 1);
    }

    private static BoundedEventWindow holding(long... times) {
        BoundedEventWindow window = Windows.boundedOfNanos(10, ERROR);
        for (long time : times) {
            window.record(time);
        }
        return window;
    }

    private static void assertCount(BoundedEventWindow window, long at, long count) {
        window.checkInvariants(0);
        assertThat(window.countAtLeast(at)).isEqualTo(count);
        assertThat(window.countAtMost(at)).isEqualTo(count);
    }

    private static void assertCount(BoundedEventWindow window, long at, long span, long count) {
        assertThat(window.countAtLeast(at, Duration.ofNanos(span))).isEqualTo(count);
        assertThat(window.countAtMost(at, Duration.ofNanos(span))).isEqualTo(count);
    }

    /** The tests rely on this check, after each call. */
    @Test
    void checkInvariants_boundariesOutOfOrder_areNoticed() {
        BoundedEventWindow window = Windows.boundedOfNanos(999, 0.1);
        for (long time = 0; time < 4_000; time += 2) {
            window.record(time);
        }
        window.checkInvariants(0);
        Object histogram = Fields.get(window, "histogram");
        int first = (int) Fields.get(histogram, "first");
        long[] times = (long[]) Fields.get(histogram, "times");

        times[first + 1] = times[first];

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> window.checkInvariants(0))
                .withMessage("boundaries out of order");
    }
}
