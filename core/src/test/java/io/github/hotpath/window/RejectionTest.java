package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link EventWindow} rejects: the exception names parameter, value and rule, and nothing has changed. */
class RejectionTest {

    @ParameterizedTest
    @MethodSource("noDurations")
    void of_negativeOrMoreThanALongHolds_isRejected(Duration interval) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventWindow.of(interval))
                .withMessage("interval: " + interval + " (expected: from zero to Long.MAX_VALUE nanoseconds)");
    }

    @Test
    void of_null_isRejected() {
        assertThatNullPointerException().isThrownBy(() -> EventWindow.of(null)).withMessage("interval");
    }

    @ParameterizedTest
    @MethodSource("noDurations")
    void count_spanNegativeOrMoreThanALongHolds_isRejected(Duration span) {
        assertRejected(
                window -> window.count(25, span),
                "span: " + span + " (expected: from zero to the interval, PT0.00000001S)");
    }

    @Test
    void count_spanLongerThanTheInterval_isRejected() {
        assertRejected(
                window -> window.count(25, Duration.ofNanos(11)),
                "span: PT0.000000011S (expected: from zero to the interval, PT0.00000001S)");
    }

    @Test
    void count_spanNull_isRejected() {
        for (EventWindow window : windows()) {
            String before = Structure.describe(window);

            assertThatNullPointerException()
                    .isThrownBy(() -> window.count(25, null))
                    .withMessage("span");

            assertThatWindow(window).isStill(before);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void tryRecord_limitLessThanOne_isRejected(int limit) {
        assertRejected(window -> window.tryRecord(25, limit), "limit: " + limit + " (expected: at least 1)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void nanosUntilBelow_limitLessThanOne_isRejected(int limit) {
        assertRejected(window -> window.nanosUntilBelow(25, limit), "limit: " + limit + " (expected: at least 1)");
    }

    static Stream<Duration> noDurations() {
        Duration nanosecond = Duration.ofNanos(1);
        return Stream.of(
                nanosecond.negated(),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos(Long.MAX_VALUE).plus(nanosecond),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    }

    /** Both a new window, which must not have begun, and one in use. */
    private static void assertRejected(Consumer<EventWindow> call, String message) {
        for (EventWindow window : windows()) {
            String before = Structure.describe(window);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> call.accept(window))
                    .withMessage(message);

            assertThatWindow(window).isStill(before);
        }
    }

    private static List<EventWindow> windows() {
        return List.of(Windows.ofNanos(10), Windows.holding(10, 1, 5, 12, 14, 20));
    }
}
