package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link EventWindow#record} of events earlier than the latest time. */
class LateEventsTest {

    @FromAnyStart
    void record_late_isPutInItsPlace(long start) {
        EventWindow window = Windows.holding(10, start, start + 2, start + 8);

        assertThat(window.record(start + 5)).isEqualTo(4);
        assertThat(window.record(start + 1)).isEqualTo(5);
        assertThat(window.record(start - 1)).isEqualTo(6);

        assertThatWindow(window).holds(start - 1, start, start + 1, start + 2, start + 5, start + 8);
    }

    @FromAnyStart
    void record_late_doesNotMoveNow(long start) {
        EventWindow window = Windows.holding(10, start + 8, start);

        assertThat(window.record(start - 2)).isEqualTo(3);

        assertThat(window.count(start)).isEqualTo(3);
        assertThat(window.record(start + 9)).isEqualTo(3);
        assertThatWindow(window).holds(start, start + 8, start + 9);
    }

    @FromAnyStart
    void record_lateAtATimeThatIsThere_countsBoth(long start) {
        EventWindow window = Windows.holding(10, start, start + 5, start + 5, start + 8);

        assertThat(window.record(start + 5)).isEqualTo(5);

        assertThatWindow(window).holds(start, start + 5, start + 5, start + 5, start + 8);
    }

    @FromAnyStart
    void record_exactlyAsLateAsTheInterval_countsAndGoesFirst(long start) {
        EventWindow window = Windows.holding(10, start);

        assertThat(window.record(start - 10)).isEqualTo(2);

        assertThatWindow(window).holds(start - 10, start);
        assertThat(window.record(start + 1)).isEqualTo(2);
        assertThatWindow(window).holds(start, start + 1);
    }

    @FromAnyStart
    void record_oneNanosecondTooLate_isIgnored(long start) {
        EventWindow window = Windows.holding(10, start);
        String before = Structure.describe(window);

        assertThat(window.record(start - 11)).isEqualTo(1);
        assertThat(window.record(start - Long.MAX_VALUE)).isEqualTo(1);

        assertThatWindow(window).isStill(before);
    }

    @FromAnyStart
    void record_exactlyTwoToThe63Away_isTooLateForAnyInterval(long start) {
        EventWindow window = Windows.holding(Long.MAX_VALUE, start);

        assertThat(window.record(start + Long.MIN_VALUE)).isEqualTo(1);
        assertThatWindow(window).holds(start);

        assertThat(window.record(start - Long.MAX_VALUE)).isEqualTo(2);
        assertThatWindow(window).holds(start - Long.MAX_VALUE, start);
    }

    @FromAnyStart
    void record_lateInAnEmptyWindow_isKeptAsOfNow(long start) {
        EventWindow window = Windows.holding(10, start);
        window.trim(start + 20);

        assertThat(window.record(start + 9)).isZero();
        assertThat(window.record(start + 15)).isEqualTo(1);
        assertThat(window.record(start + 12)).isEqualTo(2);

        assertThatWindow(window).holds(start + 12, start + 15);
    }

    @ParameterizedTest(name = "{0} events")
    @MethodSource("io.github.hotpath.window.ChunkEdgesTest#sizes")
    void record_lateOnceAtAnyPlace_movesWhatIsLaterAcrossTheChunks(int n) {
        SplittableRandom random = Seed.random("late once " + n);
        long[] times = Windows.times(StartTimes.BEFORE_THE_WRAP, n);

        IntStream anywhere = random.ints(30, 0, n);
        for (int place : IntStream.concat(IntStream.of(0, n - 1), anywhere).toArray()) {
            EventWindow window = Windows.byRandomRoute(times, random);
            long late = times[place] - 1;

            assertThat(window.record(late)).as("at %s", place).isEqualTo(n + 1);

            long[] expected = Arrays.copyOf(times, n + 1);
            System.arraycopy(times, place, expected, place + 1, n - place);
            expected[place] = late;
            assertThatWindow(window).as("at %s", place).holds(expected);
        }
    }

    @ParameterizedTest(name = "{0} events")
    @MethodSource("io.github.hotpath.window.ChunkEdgesTest#sizes")
    void record_lateBetweenAllOthers_doublesTheWindow(int n) {
        SplittableRandom random = Seed.random("late between " + n);
        long start = StartTimes.BEFORE_THE_WRAP;
        EventWindow window = Windows.byRandomRoute(Windows.times(start, n), random);

        long[] places = random.ints(0, n).distinct().limit(n).mapToLong(i -> i).toArray();
        for (int i = 0; i < n; i++) {
            assertThat(window.record(start + 2 * places[i] - 1)).isEqualTo(n + 1 + i);
        }

        assertThatWindow(window)
                .holds(LongStream.range(-1, 2 * n - 1).map(i -> start + i).toArray());
    }
}
