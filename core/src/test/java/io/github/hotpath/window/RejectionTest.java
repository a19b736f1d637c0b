package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the exact windows reject: the exception names parameter, value and rule, and nothing has changed. */
@ParameterizedClass(name = "concurrent {0}")
@ValueSource(booleans = {false, true})
class RejectionTest {
    @Parameter
    boolean concurrent;

    static Stream<Duration> noDurations() {
        Duration nanosecond = Duration.ofNanos(1);
        return Stream.of(
                nanosecond.negated(),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos(Long.MAX_VALUE).plus(nanosecond),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    }

    @ParameterizedTest
    @MethodSource("noDurations")
    void of_negativeOrMoreThanALongHolds_isRejected(Duration interval) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AnyWindow.of(concurrent, interval))
                .withMessage("interval: " + interval + " (expected: from zero to Long.MAX_VALUE nanoseconds)");
    }

    @Test
    void of_null_isRejected() {
        assertThatNullPointerException()
                .isThrownBy(() -> AnyWindow.of(concurrent, (Duration) null))
                .withMessage("interval");
    }

    @ParameterizedTest
    @MethodSource("noDurations")
    void count_spanNegativeOrMoreThanALongHolds_isRejected(Duration span) {
        assertSpanRejected(span);
    }

    @Test
    void count_spanLongerThanTheInterval_isRejected() {
        assertSpanRejected(Duration.ofNanos(11));
    }

    @Test
    void count_spanNull_isRejected() {
        assertSpanRejected(null);
    }

    /** Of a new window, which must not have begun, and of one in use, which must not have changed. */
    private void assertSpanRejected(@Nullable Duration span) {
        AnyWindow used = AnyWindow.of(concurrent, 10);
        for (long time : new long[] {1, 5, 12, 14, 20}) {
            used.record().accept(time);
        }
        for (AnyWindow window : List.of(AnyWindow.of(concurrent, 10), used)) {
            String before = Structure.describe(window.window());

            if (span == null) {
                assertThatNullPointerException()
                        .isThrownBy(() -> window.countSpan().at(25, span))
                        .withMessage("span");
            } else {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> window.countSpan().at(25, span))
                        .withMessage("span: " + span + " (expected: from zero to the interval, PT0.00000001S)");
            }

            assertThat(Structure.describe(window.window())).isEqualTo(before);
        }
    }
}
