package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.window.AnyWindow.Kind;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What all windows reject: the exception names parameter, value and rule, and nothing has changed. */
@ParameterizedClass
@EnumSource(Kind.class)
class RejectionTest {
    @Parameter
    Kind kind;

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
                .isThrownBy(() -> kind.of(interval))
                .withMessage("interval: " + interval + " (expected: from zero to Long.MAX_VALUE nanoseconds)");
    }

    @Test
    void of_null_isRejected() {
        assertThatNullPointerException().isThrownBy(() -> kind.of(null)).withMessage("interval");
    }

    static Stream<Duration> noSpans() {
        return Stream.concat(noDurations(), Stream.of(Duration.ofNanos(11), null));
    }

    /** Of a new window, which must not have begun, and of one in use, which must not have changed. */
    @ParameterizedTest
    @MethodSource("noSpans")
    void count_noSpan_isRejected(@Nullable Duration span) {
        AnyWindow used = kind.ofNanos(10);
        for (long time : new long[] {1, 5, 12, 14, 20}) {
            used.record().accept(time);
        }
        for (AnyWindow window : List.of(kind.ofNanos(10), used)) {
            String before = Insides.state(window.window());

            if (span == null) {
                assertThatNullPointerException()
                        .isThrownBy(() -> window.countSpan().at(25, span))
                        .withMessage("span");
            } else {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> window.countSpan().at(25, span))
                        .withMessage("span: " + span + " (expected: from zero to the interval, PT0.00000001S)");
            }

            assertThat(Insides.state(window.window())).isEqualTo(before);
        }
    }
}
