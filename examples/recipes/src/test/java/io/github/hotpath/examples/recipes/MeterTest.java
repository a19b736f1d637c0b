package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeterTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeClock clock = new FakeClock();
    private final Meter meter = Meter.exact(MINUTE, clock);

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
        Meter forgotten = Meter.exact(MINUTE, clock);
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

    /** Such a gauge would be NaN, and nobody would know why. */
    @Test
    void bindTo_spanAboveTheLongest_rejectedAndNothingIsBound() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> meter.bindTo(registry, "requests", List.of(SECOND, MINUTE.plusNanos(1))))
                .withMessage("span: PT1M0.000000001S (expected: over 0, up to PT1M)");

        assertThat(registry.getMeters()).isEmpty();
        registry.close();
    }

    /** Micrometer would ignore it, and the gauges of the first meter would be taken for those of the second. */
    @Test
    void bindTo_nameThatIsTaken_rejected() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        meter.bindTo(registry, "requests", List.of(SECOND));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Meter.exact(MINUTE, clock).bindTo(registry, "requests", List.of(MINUTE)))
                .withMessage("name: requests (expected: one that the registry does not have)");

        Meter.exact(MINUTE, clock).bindTo(registry, "answers", List.of(MINUTE));
        assertThat(registry.getMeters()).hasSize(4);
        registry.close();
    }

    @Test
    void count_spanOutsideOfWhatIsKept_rejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> meter.count(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> meter.perSecond(MINUTE.plusNanos(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Meter.exact(SECOND.minusNanos(1), clock))
                .withMessage("longestSpan: PT0.999999999S (expected: a second or more)");
    }

    /** A million events in the minute, which an exact meter would retain. */
    @Test
    void bounded_manyEvents_ratesWithinHalfOfTheError() {
        Meter bounded = Meter.bounded(MINUTE, 0.01, clock);
        for (int i = 0; i < 1_200_000; i++) {
            clock.advance(Duration.ofNanos(100_000));
            bounded.record();
        }

        assertThat(bounded.perSecond(MINUTE)).isCloseTo(10_000, withinPercentage(0.5));
        assertThat(bounded.perSecond(SECOND)).isCloseTo(10_000, withinPercentage(0.51)); // rounded to an event
        assertThat(bounded.busiestSecond()).isCloseTo(10_000, withinPercentage(0.51));
        assertThat(bounded.perSecond()).isEqualTo(10_000);
    }

    /** So few are counted exactly. */
    @Test
    void bounded_fewEvents_exact() {
        Meter bounded = Meter.bounded(MINUTE, 0.01, clock);
        for (int i = 0; i < 30; i++) {
            clock.advance(SECOND);
            bounded.record();
        }

        assertThat(bounded.count(Duration.ofSeconds(10))).isEqualTo(10);
        assertThat(bounded.busiestSecond()).isEqualTo(1);
    }

    private void record(int events, Duration apart) {
        for (int i = 0; i < events; i++) {
            clock.advance(apart);
            meter.record();
        }
    }
}
