package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.FromAnyStart;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link BoundedEventWindow} has beside the rules of time in {@link EventWindowTest}. Windows are of 10 ns, and
 * exact for the few events that they hold, where nothing else is said.
 */
class BoundedEventWindowTest {
    private static final double ERROR = 0.01;
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest
    @ValueSource(doubles = {Double.MIN_VALUE, 0.001, 0.5, 1})
    void maxRelativeError_ofAnySize_isTheOneGiven(double error) {
        assertThat(BoundedEventWindow.of(Duration.ZERO, error).maxRelativeError())
                .isEqualTo(error);
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

    @FromAnyStart
    void counts_anyWindow_changeNothing(long start) {
        BoundedEventWindow window = Windows.boundedOfNanos(1_000, 0.5);
        for (long time = start; time != start + 3_000; time++) {
            window.record(time);
        }
        String before = Insides.state(window);

        for (long at = start - 5; at != start + 4_005; at += 5) {
            window.countAtLeast(at);
            window.countAtMost(at, Duration.ofNanos(3));
        }

        assertThat(window.toString()).isNotEmpty();
        assertThat(Insides.state(window)).isEqualTo(before);
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

    /**
     * Two counters, one of this second and one of the last, whose events are assumed to be evenly spread (Cloudflare,
     * Kong, upstash, limits): with a thousand events at the end of the last second and a thousand half-way through this
     * one, half of the first are assumed to have expired, and none have. So a limiter admits twice its limit.
     */
    @Test
    void counts_muchAtTheEndsOfSeconds_areBetweenBounds() {
        BoundedEventWindow window = BoundedEventWindow.of(Duration.ofSeconds(1), 0.01);
        window.record(SECOND - 1, 1_000);
        window.record(3 * SECOND / 2, 1_000);

        assertThat(window.countAtLeast(3 * SECOND / 2)).isEqualTo(2_000);
        assertThat(window.countAtMost(3 * SECOND / 2)).isEqualTo(2_000);
    }

    /** Counters by buckets (Hystrix, Sentinel, Resilience4j) miss, or count too much, what one bucket has. */
    @Test
    void counts_evenTraffic_areBetweenBounds() {
        BoundedEventWindow window = BoundedEventWindow.of(Duration.ofSeconds(1), 0.01);
        for (long nanos = 0; nanos <= SECOND; nanos += SECOND / 100_000) {
            window.record(nanos);
        }

        long at = SECOND + SECOND / 20; // in the middle of a bucket of a tenth
        assertThat(window.countAtLeast(at)).isBetween(94_000L, 95_001L);
        assertThat(window.countAtMost(at)).isBetween(95_001L, 96_000L);
    }

    private static BoundedEventWindow holding(long... times) {
        BoundedEventWindow window = Windows.boundedOfNanos(10, ERROR);
        for (long time : times) {
            window.record(time);
        }
        return window;
    }

    private static void assertCount(BoundedEventWindow window, long at, long count) {
        Insides.check(window, 0);
        assertThat(window.countAtLeast(at)).isEqualTo(count);
        assertThat(window.countAtMost(at)).isEqualTo(count);
    }

    private static void assertCount(BoundedEventWindow window, long at, long span, long count) {
        assertThat(window.countAtLeast(at, Duration.ofNanos(span))).isEqualTo(count);
        assertThat(window.countAtMost(at, Duration.ofNanos(span))).isEqualTo(count);
    }
}
