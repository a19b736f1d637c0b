package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WindowGaugesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void value_ofEachSpan_itsCount() {
        WindowGauges gauges = register();
        gauges.record();
        clock.add(MINUTE.minus(SECOND));
        gauges.record();
        gauges.record();
        clock.add(SECOND);

        assertThat(gauge(SECOND).value()).isEqualTo(2);
        assertThat(gauge(TEN_SECONDS).value()).isEqualTo(2);
        assertThat(gauge(MINUTE).value()).isEqualTo(3);
        clock.add(Duration.ofNanos(1));
        assertThat(gauge(SECOND).value()).isZero();
        assertThat(gauge(MINUTE).value()).isEqualTo(2);
    }

    @Test
    void value_nothingRecordedForLong_zero() {
        register().record();

        clock.add(MINUTE.multipliedBy(2));

        assertThat(gauge(MINUTE).value()).isZero();
    }

    /** By default a gauge references its object weakly, and is NaN after that has been collected. */
    @Test
    void value_gaugesNotKept_stillCounts() {
        register().record();

        System.gc();

        assertThat(gauge(MINUTE).value()).isEqualTo(1);
    }

    private WindowGauges register() {
        return new WindowGauges("requests", List.of(SECOND, MINUTE, TEN_SECONDS), registry);
    }

    private Gauge gauge(Duration span) {
        return registry.get("requests").tag("span", span.toString()).gauge();
    }
}
