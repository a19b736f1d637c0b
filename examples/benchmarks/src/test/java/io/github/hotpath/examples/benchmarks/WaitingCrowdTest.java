package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lets a small crowd wait for every limiter: nothing is measured. */
class WaitingCrowdTest {
    @ParameterizedTest
    @EnumSource
    void measure_hasFigures(Waiting waiting) throws InterruptedException {
        Map<String, Double> figures = WaitingCrowd.IN_TURN.measure(waiting, 20);

        assertThat(figures)
                .containsOnlyKeys("waitingProcessors", "servingProcessorMillis", "lateP50Millis", "lateP99.9Millis");
        assertThat(figures).allSatisfy((name, value) -> assertThat(value).isFinite());
    }

    @Test
    void dueNanos_isWhenTheLimitAllows() {
        Duration interval = Duration.ofNanos(100);

        assertThat(Waiting.HOTPATH.dueNanos(9, 10, interval)).isEqualTo(100);
        assertThat(Waiting.HOTPATH.dueNanos(10, 10, interval)).isEqualTo(200);
        assertThat(Waiting.GUAVA.dueNanos(0, 10, interval)).isEqualTo(100);
        assertThat(Waiting.GUAVA.dueNanos(10, 10, interval)).isEqualTo(200);
    }
}
