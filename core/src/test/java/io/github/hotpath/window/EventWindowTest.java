package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of time, member by member. Windows are of 10 ns where nothing else is said. */
class EventWindowTest {
    private static final int[] SIZES = {0, 1, 8, 9, 600, 3_000};

    // of, interval, toString

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000000001S", "PT1M", "PT12000H", "PT2562047H47M16.854775807S"})
    void interval_ofAnyLength_isTheOneGiven(Duration interval) {
        EventWindow window = EventWindow.of(interval);

        assertThat(window.interval()).isEqualTo(interval);
    }

    @FromAnyStart
    void toString_namesIntervalAndCountAsOfNow(long start) {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        assertThat(window).hasToString("EventWindow[interval=PT1M, count=0]");

        window.record(start);
        window.record(start + 1);

        assertThat(window).hasToString("EventWindow[interval=PT1M, count=2]");
    }

    // record

    @FromAnyStart
    void record_first_isCountedWhateverItsTime(long start) {
        EventWindow window = Windows.ofNanos(10);

        assertThat(window.record(start)).isEqualTo(1);

        assertThatWindow(window).holds(start);
    }

    @FromAnyStart
    void record_first_setsNow(long start) {
        EventWindow window = Windows.holding(10, start);

        assertThat(window.count(start - 100)).isEqualTo(1);
        assertThat(window.record(start - 11)).isEqualTo(1);
        assertThatWindow(window).holds(start);
    }

    @FromAnyStart
    void record_oneExactlyAsOldAsTheInterval_countsBoth(long start) {
        EventWindow window = Windows.holding(10, start);

        assertThat(window.record(start + 10)).isEqualTo(2);

        assertThatWindow(window).holds(start, start + 10);
    }

    @FromAnyStart
    void record_oneNanosecondOlder_letsItGo(long start) {
        EventWindow window = Windows.holding(10, start);

        assertThat(window.record(start + 11)).isEqualTo(1);

        assertThatWindow(window).holds(start + 11);
    }

    @FromAnyStart
    void record_equalTimes_countEachAndGoTogether(long start) {
        EventWindow window = Windows.holding(10, start, start, start);

        assertThat(window.record(start + 10)).isEqualTo(4);
        assertThat(window.record(start + 11)).isEqualTo(2);

        assertThatWindow(window).holds(start + 10, start + 11);
    }

    @FromAnyStart
    void record_intervalZero_countsTheVeryTimeOnly(long start) {
        EventWindow window = Windows.holding(0, start, start);

        assertThat(window.count(start)).isEqualTo(2);
        assertThat(window.count(start + 1)).isZero();
        assertThat(window.record(start + 1)).isEqualTo(1);
        assertThat(window.record(start)).isEqualTo(1);
        assertThatWindow(window).holds(start + 1);
    }

    @FromAnyStart
    void record_longestInterval_keepsWhatIsThatOld(long start) {
        EventWindow window = Windows.holding(Long.MAX_VALUE, start, start + 1);

        assertThat(window.record(start + Long.MAX_VALUE)).isEqualTo(3);
        assertThat(window.record(start + Long.MAX_VALUE + 1)).isEqualTo(3);

        assertThatWindow(window).holds(start + 1, start + Long.MAX_VALUE, start + Long.MAX_VALUE + 1);
    }

    @FromAnyStart
    void record_pastHalfTheRange_ageIsUnsigned(long start) {
        long interval = (1L << 62) + 5;
        EventWindow window = Windows.holding(interval, start, start + interval);
        long later = start + interval + Long.MAX_VALUE; // there the first event is older than a signed long tells

        assertThat(window.count(later)).isZero();
        assertThat(window.record(later)).isEqualTo(1);
        assertThatWindow(window).holds(later);
    }

    @SuppressWarnings("ConstantOverflow") // the wrap is the point
    @ParameterizedTest(name = "of {0} ns")
    @ValueSource(longs = {1, 2, 1_000, 2_999, 3_000, 3_001, 100_000, 1L << 61})
    void record_steadyAfterAnIdleGap_isExact(long gap) {
        long last = StartTimes.BEFORE_THE_WRAP + 2_999;
        EventWindow window = Windows.ofNanos(2_999);
        for (long time = StartTimes.BEFORE_THE_WRAP; time - last <= 0; time++) {
            window.record(time);
        }

        for (long i = 0; i < 9_000; i++) {
            long old = Math.max(0, 3_000 - gap - i);
            long resumed = Math.min(3_000, i + 1);
            assertThat(window.record(last + gap + i)).isEqualTo(old + resumed);
        }

        window.checkInvariants();
    }

    // count

    @FromAnyStart
    void count_new_isZero(long start) {
        EventWindow window = Windows.ofNanos(10);

        assertThat(window.count(start)).isZero();
        assertThat(window.count(start, Duration.ZERO)).isZero();
    }

    @FromAnyStart
    void count_later_countsWhatIsStillIn(long start) {
        EventWindow window = Windows.holding(10, start, start + 3, start + 5);

        assertThat(window.count(start + 10)).isEqualTo(3);
        assertThat(window.count(start + 11)).isEqualTo(2);
        assertThat(window.count(start + 13)).isEqualTo(2);
        assertThat(window.count(start + 15)).isEqualTo(1);
        assertThat(window.count(start + 16)).isZero();
        assertThat(window.count(start + 5 + Long.MAX_VALUE)).isZero();
    }

    @FromAnyStart
    void count_earlierThanNow_isAnsweredAsOfNow(long start) {
        EventWindow window = Windows.holding(10, start, start + 5);

        assertThat(window.count(start + 4)).isEqualTo(2);
        assertThat(window.count(start - 1_000)).isEqualTo(2);
        assertThat(window.count(start + 5 - Long.MAX_VALUE)).isEqualTo(2);
        assertThat(window.count(start + 4, Duration.ofNanos(4))).isEqualTo(1);
    }

    @FromAnyStart
    void count_exactlyTwoToThe63Away_isNotLater(long start) {
        EventWindow window = Windows.holding(10, start);

        assertThat(window.count(start + Long.MIN_VALUE)).isEqualTo(1);
        assertThat(window.count(start + Long.MIN_VALUE, Duration.ZERO)).isEqualTo(1);
    }

    @FromAnyStart
    void count_beforeAnyRecord_doesNotSetNow(long start) {
        EventWindow window = Windows.ofNanos(10);

        window.count(start + 1_000);

        assertThat(window.record(start)).isEqualTo(1);
    }

    @FromAnyStart
    void count_withSpan_isTheCountOfAShorterWindow(long start) {
        EventWindow window = Windows.holding(10, start, start + 3, start + 3, start + 10);

        assertThat(window.count(start + 10, Duration.ZERO)).isEqualTo(1);
        assertThat(window.count(start + 10, Duration.ofNanos(6))).isEqualTo(1);
        assertThat(window.count(start + 10, Duration.ofNanos(7))).isEqualTo(3);
        assertThat(window.count(start + 10, Duration.ofNanos(9))).isEqualTo(3);
        assertThat(window.count(start + 10, Duration.ofNanos(10))).isEqualTo(4);
        assertThat(window.count(start + 12, Duration.ofNanos(1))).isZero();
        assertThat(window.count(start + 12, Duration.ofNanos(9))).isEqualTo(3);
    }

    // trim

    @FromAnyStart
    void trim_later_movesNowAndLetsGo(long start) {
        EventWindow window = Windows.holding(10, start, start + 5);

        window.trim(start + 11);

        assertThatWindow(window).holds(start + 5);
        assertThat(window.record(start)).isEqualTo(1);
        assertThat(window.record(start + 1)).isEqualTo(2);
        assertThatWindow(window).holds(start + 1, start + 5);
    }

    @FromAnyStart
    void trim_asOldAsTheInterval_staysIn(long start) {
        EventWindow window = Windows.holding(10, start);

        window.trim(start + 10);

        assertThatWindow(window).holds(start);
    }

    @FromAnyStart
    void trim_earlierThanNow_forgetsNothing(long start) {
        EventWindow window = Windows.holding(10, start, start + 5);

        window.trim(start + 4);
        window.trim(start - 1_000);
        window.trim(start + 5 + Long.MIN_VALUE);

        assertThatWindow(window).holds(start, start + 5);
        assertThat(window.record(start - 5)).isEqualTo(3);
        assertThat(window.record(start - 6)).isEqualTo(3);
    }

    @FromAnyStart
    void trim_first_setsNow(long start) {
        EventWindow window = Windows.ofNanos(10);

        window.trim(start);

        assertThat(window.record(start - 11)).isZero();
        assertThat(window.record(start - 10)).isEqualTo(1);
        assertThatWindow(window).holds(start - 10);
    }

    @FromAnyStart
    void trim_everythingExpired_windowGoesOn(long start) {
        EventWindow window = Windows.holding(10, start, start + 5);

        window.trim(start + 1_000);

        assertThatWindow(window).holds();
        assertThat(window.count(start + 5)).isZero();
        assertThat(window.record(start + 1_000)).isEqualTo(1);
    }

    // clear

    @FromAnyStart
    void clear_anyWindow_isAsIfNew(long start) {
        for (int n : SIZES) {
            EventWindow window = Windows.byRandomRoute(Windows.times(start, n), Seed.random("clear"));

            window.clear();

            assertThatWindow(window).isStill(Structure.describe(Windows.ofNanos(Windows.INTERVAL)));
        }
    }

    @FromAnyStart
    void clear_afterATimeTooFarInTheFuture_isTheRemedy(long start) {
        EventWindow window = Windows.holding(10, start, start + (1L << 62));
        assertThat(window.record(start + 1)).isEqualTo(1); // late, and too old to count

        window.clear();

        assertThat(window.record(start + 3)).isEqualTo(1);
        assertThat(window.record(start + 4)).isEqualTo(2);
        assertThatWindow(window).holds(start + 3, start + 4);
    }

    @FromAnyStart
    void clear_forgetsNow_anEarlierTimeSetsItAgain(long start) {
        EventWindow window = Windows.holding(10, start);

        window.clear();

        assertThat(window.record(start - 11)).isEqualTo(1);
        assertThat(window.record(start - 12)).isEqualTo(2);
        assertThatWindow(window).holds(start - 12, start - 11);
    }

    // toArray

    @Test
    void toArray_new_isEmpty() {
        assertThat(Windows.ofNanos(10).toArray()).isEmpty();
    }

    @FromAnyStart
    void toArray_afterReadingsOfLaterTimes_isAsOfNow(long start) {
        EventWindow window = Windows.holding(10, start, start + 5);

        assertThat(window.count(start + 100)).isZero();

        assertThat(window.toArray()).containsExactly(start, start + 5);
    }

    @Test
    void toArray_changedByTheCaller_windowIsNot() {
        EventWindow window = Windows.holding(10, 1, 2);

        Arrays.fill(window.toArray(), 3);

        assertThatWindow(window).holds(1, 2);
    }

    // all readings

    @FromAnyStart
    void readings_atAnyTime_changeNothing(long start) {
        for (int n : SIZES) {
            EventWindow window = Windows.byRandomRoute(Windows.times(start, n), Seed.random("readings"));
            String before = Structure.describe(window);

            for (long nanos :
                    new long[] {start, start - 1, start + 2 * n, start + Windows.INTERVAL, start + (1L << 62)}) {
                window.count(nanos);
                window.count(nanos, Duration.ZERO);
                window.count(nanos, Duration.ofNanos(n));
            }
            window.toArray();
            assertThat(window.toString()).isNotEmpty();
            window.interval();

            assertThatWindow(window).isStill(before);
        }
    }
}
