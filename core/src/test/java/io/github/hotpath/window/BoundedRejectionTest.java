package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.testing.FromAnyStart;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link BoundedEventWindow} rejects: it names the parameter, its value and the rule, and nothing has changed. */
class BoundedRejectionTest {

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
        assertRejected(window -> window.record(25, events), "events: " + events + " (expected: at least 1)");
        assertRejected(window -> window.record(-500, events), "events: " + events + " (expected: at least 1)");
    }

    /** {@link RejectionTest} has the same for the other bound. */
    @Test
    void countAtMost_noSpan_isRejected() {
        assertRejected(
                window -> window.countAtMost(25, Duration.ofNanos(11)),
                "span: PT0.000000011S (expected: from zero to the interval, PT0.00000001S)");
    }

    // A record that would raise countAtMost over Long.MAX_VALUE

    @FromAnyStart
    void record_asManyAsALongHolds_areCounted(long start) {
        BoundedEventWindow window = nearlyFull(start, 3);

        window.record(start, 2);
        window.record(start + 5);

        assertCount(window, start, Long.MAX_VALUE);
    }

    @FromAnyStart
    void record_oneMoreThanALongHolds_isRejectedAndNothingChanged(long start) {
        String message = "events: %d (expected: at most %d, for the count to fit a long)";
        for (long nanos : new long[] {start, start + 1, start + 10, start - 1, start - 10}) {
            assertRejected(nearlyFull(start, 0), window -> window.record(nanos), message.formatted(1, 0));
            assertRejected(nearlyFull(start, 3), window -> window.record(nanos, 4), message.formatted(4, 3));
            assertRejected(
                    nearlyFull(start, 3),
                    window -> window.record(nanos, Integer.MAX_VALUE),
                    message.formatted(Integer.MAX_VALUE, 3));
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

    private static void assertCount(BoundedEventWindow window, long nanos, long count) {
        assertThat(window.countAtLeast(nanos)).isEqualTo(count);
        assertThat(window.countAtMost(nanos)).isEqualTo(count);
    }

    /** Returns a window in which there could be {@code left} more; to record the others would take hours. */
    private static BoundedEventWindow nearlyFull(long start, long left) {
        BoundedEventWindow window = Windows.boundedOfNanos(10, 0.5);
        window.record(start);
        window.histogram.total = Long.MAX_VALUE - left;
        Insides.check(window, 0);
        return window;
    }

    /** Both a new window and one in use. */
    private static void assertRejected(Consumer<BoundedEventWindow> call, String message) {
        BoundedEventWindow used = Windows.boundedOfNanos(10, 0.5);
        for (long time = 0; time < 20; time++) {
            used.record(time, 3);
        }
        for (BoundedEventWindow window : List.of(Windows.boundedOfNanos(10, 0.5), used)) {
            assertRejected(window, call, message);
        }
    }

    private static void assertRejected(BoundedEventWindow window, Consumer<BoundedEventWindow> call, String message) {
        String before = Insides.state(window);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> call.accept(window))
                .withMessage(message);

        assertThat(Insides.state(window)).isEqualTo(before);
    }
}
