package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeterTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeClock clock = new FakeClock();
    private final Meter meter = new Meter(MINUTE, clock);

    /** Divided by the whole minute, ten a second would be one in six seconds. */
    @Test
    void perSecond_sinceTheStartIsShorter_isOfThat() {
        record(100, SECOND.dividedBy(10));

        assertThat(meter.perSecond(MINUTE)).isEqualTo(10);
        assertThat(meter.perSecond()).isEqualTo(10);
    }

    @Test
    void perSecond_inTheFirstSecond_isOfASecond() {
        meter.record();
        clock.advance(Duration.ofNanos(1000));

        assertThat(meter.perSecond(MINUTE)).isEqualTo(1);
        assertThat(meter.perSecond()).isEqualTo(1);
    }

    @Test
    void perSecond_spans_eachItsOwn() {
        record(120, SECOND);
        record(100, SECOND.dividedBy(100));

        assertThat(meter.perSecond(SECOND)).isEqualTo(100);
        assertThat(meter.perSecond(MINUTE)).isEqualTo(159 / 60.0); // those of 59 seconds, and 100
        assertThat(meter.perSecond()).isEqualTo(220 / 121.0);
        assertThat(meter.count(SECOND.dividedBy(2))).isEqualTo(50);
    }

    @Test
    void busiestSecond_betweenFullSeconds_isFound() {
        clock.advance(Duration.ofMillis(700));
        record(6, Duration.ofMillis(100));
        clock.advance(MINUTE);
        record(5, Duration.ofMillis(100));

        assertThat(meter.busiestSecond()).isEqualTo(6);
    }

    /** In a window of a whole second it would be eleven: one at each end. */
    @Test
    void busiestSecond_steadyTraffic_itsRate() {
        record(100, Duration.ofMillis(100));

        assertThat(meter.busiestSecond()).isEqualTo(10);
    }

    /** By default a gauge references its object weakly, and is NaN after that has been collected. */
    @Test
    void bindTo_meterNotKept_gaugesStillTell() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Meter forgotten = new Meter(MINUTE, clock);
        forgotten.record();
        forgotten.bindTo(registry, "requests", List.of(SECOND, MINUTE));
        clock.advance(SECOND.multipliedBy(2));
        forgotten = null;

        System.gc();

        assertThat(registry.get("requests.rate").tag("span", "PT1S").gauge().value())
                .isZero();
        assertThat(registry.get("requests.rate").tag("span", "PT1M").gauge().value())
                .isEqualTo(0.5);
        assertThat(registry.get("requests.busiest").gauge().value()).isEqualTo(1);
        registry.close();
    }

    private void record(int events, Duration apart) {
        for (int i = 0; i < events; i++) {
            clock.advance(apart);
            meter.record();
        }
    }
}
