package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.recipes.CallLog.Use;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallLogTest {
    private static final Duration MINUTE = Duration.ofNanos(100);

    @ParameterizedTest
    @ValueSource(longs = {0, -150, Long.MAX_VALUE - 150, Long.MIN_VALUE})
    void log_anyStart_countsByMinuteInAnyAndInAll(long start) {
        CallLog log = new CallLog(start);
        log.add(start + 250, 9, 8); // out of order
        log.add(start, 5, 1);
        log.add(start + 99, 5, 2);
        log.add(start + 199, 5, 4);

        assertThat(log.byMinute(MINUTE)).containsExactly(new Use(2, 10, 3), new Use(1, 5, 4), new Use(1, 9, 8));
        assertThat(log.mostInAny(MINUTE)).isEqualTo(new Use(2, 14, 12)); // [99, 199] and [150, 250]
        assertThat(log.mostInAny(Duration.ofNanos(99))).isEqualTo(new Use(2, 14, 12));
        assertThat(log.mostInAny(Duration.ofNanos(50))).isEqualTo(new Use(1, 9, 8));
        assertThat(log.total()).isEqualTo(new Use(4, 24, 15));
    }

    @Test
    void mostInAny_bothEndsIncluded() {
        CallLog log = new CallLog(0);
        log.add(1, 1, 1);
        log.add(101, 1, 1);

        assertThat(log.mostInAny(MINUTE).calls()).isEqualTo(2);
        assertThat(log.mostInAny(MINUTE.minusNanos(1)).calls()).isEqualTo(1);
    }

    @Test
    void log_noCalls_nothing() {
        CallLog log = new CallLog(0);

        assertThat(log.byMinute(MINUTE)).isEmpty();
        assertThat(log.mostInAny(MINUTE)).isEqualTo(new Use(0, 0, 0));
        assertThat(log.total()).isEqualTo(new Use(0, 0, 0));
    }
}
