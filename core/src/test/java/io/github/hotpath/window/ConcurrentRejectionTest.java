package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link ConcurrentEventWindow} does not take: the same as {@link EventWindow}, in the same words. */
class ConcurrentRejectionTest {

    @ParameterizedTest
    @MethodSource("io.github.hotpath.window.RejectionTest#noDurations")
    void of_negativeOrMoreThanALongHolds_isRejected(Duration interval) {
        assertAlike(() -> ConcurrentEventWindow.of(interval), () -> EventWindow.of(interval));
    }

    @Test
    void of_null_isRejected() {
        assertAlike(() -> ConcurrentEventWindow.of(null), () -> EventWindow.of(null));
    }

    @ParameterizedTest
    @MethodSource("io.github.hotpath.window.RejectionTest#noDurations")
    void count_spanNegativeOrMoreThanALongHolds_isRejected(Duration span) {
        assertRejected(window -> window.count(25, span), window -> window.count(25, span));
    }

    @Test
    void count_spanLongerThanTheInterval_isRejected() {
        Duration span = Duration.ofNanos(11);
        assertRejected(window -> window.count(25, span), window -> window.count(25, span));
    }

    @Test
    void count_spanNull_isRejected() {
        assertRejected(window -> window.count(25, null), window -> window.count(25, null));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void tryRecord_limitLessThanOne_isRejected(int limit) {
        assertRejected(window -> window.tryRecord(25, limit), window -> window.tryRecord(25, limit));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void nanosUntilBelow_limitLessThanOne_isRejected(int limit) {
        assertRejected(window -> window.nanosUntilBelow(25, limit), window -> window.nanosUntilBelow(25, limit));
    }

    /** A new window must not have begun, and one in use, of one stripe or more, not have changed. */
    private static void assertRejected(Consumer<ConcurrentEventWindow> call, Consumer<EventWindow> same) {
        for (ConcurrentEventWindow window : windows()) {
            String before = Structure.describe(window);

            assertAlike(() -> call.accept(window), () -> same.accept(Windows.ofNanos(10)));

            assertThat(Structure.describe(window)).isEqualTo(before);
        }
    }

    private static void assertAlike(ThrowingCallable call, ThrowingCallable same) {
        Throwable expected = catchThrowable(same);

        assertThat(expected).isNotNull();
        assertThatThrownBy(call).isExactlyInstanceOf(expected.getClass()).hasMessage(expected.getMessage());
    }

    private static List<ConcurrentEventWindow> windows() {
        ConcurrentEventWindow used = Windows.concurrentOfNanos(10);
        ConcurrentEventWindow spread = Windows.concurrentOfNanos(10);
        spread.separate(spread.stripe());
        for (long time : new long[] {1, 5, 12, 14, 20}) {
            used.record(time);
            spread.record(time);
        }
        return List.of(Windows.concurrentOfNanos(10), used, spread);
    }
}
