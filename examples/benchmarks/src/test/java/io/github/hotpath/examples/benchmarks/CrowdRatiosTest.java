package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.benchmarks.Measured.Values;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CrowdRatiosTest {
    private static final Map<String, Values> LOCK = figures(10e6, 20e6, 4);

    @Test
    void of_pair_ratioOfMediansAndOfTheWorstOfAll() {
        Map<String, Values> ours =
                Map.of("p50", new Values(List.of(2.0, 3.0, 9.0)), "worst", new Values(List.of(1.0, 8.0)));
        Map<String, Values> lock =
                Map.of("p50", new Values(List.of(1.0, 2.0, 3.0)), "worst", new Values(List.of(2.0, 4.0)));

        assertThat(CrowdRatios.of(List.of(concurrent(20, ours), locked(200, lock), locked(20, lock))))
                .singleElement()
                .satisfies(ratio -> {
                    assertThat(ratio.threads()).isEqualTo(20);
                    assertThat(ratio.median()).isEqualTo(1.5);
                    assertThat(ratio.median("worst")).isEqualTo(2);
                });
    }

    /** What the lock has not, or has none of, has no ratio. */
    @Test
    void of_nothingToDivideBy_leftOut() {
        Values one = new Values(List.of(1.0));
        Measured ours = concurrent(2, Map.of("p50", one, "collectionMillis", one, "long.p50", one));
        Measured lock = locked(2, Map.of("p50", one, "collectionMillis", new Values(List.of(0.0))));

        assertThat(CrowdRatios.of(List.of(ours, lock)))
                .singleElement()
                .satisfies(ratio -> assertThat(ratio.secondary()).containsOnlyKeys("p50"));
    }

    @Test
    void missed_atTheLimit_none() {
        assertThat(CrowdRatios.missed(List.of(concurrent(2, figures(55e6, 85e6, 10)), locked(2, LOCK))))
                .isEmpty();
    }

    @Test
    void missed_above_oneLineEach() {
        assertThat(CrowdRatios.missed(List.of(concurrent(2, figures(56e6, 86e6, 11)), locked(2, LOCK))))
                .containsExactly(
                        "toArray, 2 threads: p99.9, ms: 56.0 (allowed: 55.0)",
                        "toArray, 2 threads: worst, ms: 86.0 (allowed: 85.0)",
                        "toArray, 2 threads: processorNanosPerCall: 11.0 (allowed: 10.0)");
    }

    private static Map<String, Values> figures(double percentile, double worst, double processorNanos) {
        return Map.of(
                "p99.9", new Values(List.of(percentile)),
                "worst", new Values(List.of(worst)),
                "processorNanosPerCall", new Values(List.of(processorNanos)),
                "perSecond", new Values(List.of(1e7)));
    }

    private static Measured concurrent(int threads, Map<String, Values> figures) {
        return result("CONCURRENT_EVENT_WINDOW", threads, figures);
    }

    private static Measured locked(int threads, Map<String, Values> figures) {
        return result("REENTRANT_LOCK", threads, figures);
    }

    private static Measured result(String window, int threads, Map<String, Values> figures) {
        return new Measured("toArray", threads, Map.of("window", window), new Values(List.of(0.0)), figures);
    }
}
