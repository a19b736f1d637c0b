package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.common.testing.EqualsTester;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void of_permitsOrCalls_isALimitOfThem() {
        Limit limit = Limit.of(60, MINUTE);

        assertThat(limit.max()).isEqualTo(60);
        assertThat(limit.interval()).isEqualTo(MINUTE);
        assertThat(limit.isPerCall()).isFalse();
        assertThat(limit).hasToString("Limit[max=60, interval=PT1M, perCall=false]");
        assertThat(Limit.ofCalls(60, MINUTE)).hasToString("Limit[max=60, interval=PT1M, perCall=true]");
    }

    @Test
    void equals_sameMaximumIntervalAndKind_areEqual() {
        new EqualsTester()
                .addEqualityGroup(Limit.of(60, MINUTE), Limit.of(60, Duration.ofSeconds(60)))
                .addEqualityGroup(Limit.ofCalls(60, MINUTE), Limit.ofCalls(60, MINUTE))
                .addEqualityGroup(Limit.of(61, MINUTE))
                .addEqualityGroup(Limit.of(60, Duration.ofSeconds(61)))
                .testEquals();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1L << 61})
    void of_endsOfTheRanges_areAccepted(long nanos) {
        Duration interval = Duration.ofNanos(nanos);

        assertThat(Limit.of(1L << 62, interval).interval()).isEqualTo(interval);
        assertThat(Limit.ofCalls(1L << 62, interval).max()).isEqualTo(1L << 62);
        assertThat(Limit.of(0, interval).max()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, (1L << 62) + 1, Long.MAX_VALUE})
    void of_maximumOutOfRange_isRejected(long max) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(max, MINUTE))
                .withMessage("permits: " + max + " (expected: from 0 to 2^62)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.ofCalls(max, MINUTE))
                .withMessage("calls: " + max + " (expected: from 0 to 2^62)");
    }

    @ParameterizedTest
    @MethodSource("noIntervals")
    void of_intervalOutOfRange_isRejected(Duration interval) {
        String message = "interval: " + interval + " (expected: from zero to 2^61 nanoseconds)";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(1, interval))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.ofCalls(1, interval))
                .withMessage(message);
    }

    static Stream<Duration> noIntervals() {
        return Stream.of(
                Duration.ofNanos(-1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos((1L << 61) + 1),
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
