package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void of_permits_isALimitOfPermits() {
        assertThat(Limit.of(60, MINUTE)).isEqualTo(new Limit(60, MINUTE, false));
    }

    @Test
    void ofCalls_calls_isALimitPerCall() {
        assertThat(Limit.ofCalls(60, MINUTE)).isEqualTo(new Limit(60, MINUTE, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000000001S", "PT2562047H47M16.854775807S"})
    void of_anyLength_isTheOneGiven(Duration interval) {
        assertThat(Limit.of(Long.MAX_VALUE, interval).interval()).isEqualTo(interval);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void of_lessThanOne_isRejected(long permits) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(permits, MINUTE))
                .withMessage("permits: " + permits + " (expected: at least 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limit(permits, MINUTE, true))
                .withMessage("permits: " + permits + " (expected: at least 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.ofCalls(permits, MINUTE))
                .withMessage("calls: " + permits + " (expected: at least 1)");
    }

    @ParameterizedTest
    @MethodSource("noIntervals")
    void of_intervalNegativeOrMoreThanALongHolds_isRejected(Duration interval) {
        String message = "interval: " + interval + " (expected: from zero to Long.MAX_VALUE nanoseconds)";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(1, interval))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.ofCalls(1, interval))
                .withMessage(message);
    }

    static Stream<Duration> noIntervals() {
        Duration nanosecond = Duration.ofNanos(1);
        return Stream.of(
                nanosecond.negated(),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos(Long.MAX_VALUE).plus(nanosecond),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    }

    @Test
    void of_null_isRejected() {
        assertThatNullPointerException().isThrownBy(() -> Limit.of(1, null)).withMessage("interval");
        assertThatNullPointerException()
                .isThrownBy(() -> Limit.ofCalls(1, null))
                .withMessage("interval");
    }
}
