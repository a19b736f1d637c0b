package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.hotpath.examples.support.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every traffic with every window, as small as may be: nothing is measured. */
class CrowdTest {
    static Stream<Arguments> traffics() {
        return Stream.of(Crowd.values())
                .flatMap(crowd -> Stream.of(SharedWindow.values())
                        .filter(crowd::isPossibleWith)
                        .map(window -> Arguments.of(crowd, window)));
    }

    @ParameterizedTest
    @MethodSource("traffics")
    void measure_hasFigures(Crowd crowd, SharedWindow window) throws InterruptedException {
        Map<String, Double> figures = crowd.measure(window, 3, false, new Crowd.Size(1000, 1, 20));

        assertThat(figures).containsKeys("p50", "p99.9", "worst", "perSecond", "processors");
        assertThat(figures.get("perSecond")).isPositive();
        assertThat(figures.get("p50")).isPositive().isLessThanOrEqualTo(figures.get("worst"));
        assertThat(figures.containsKey("long.p50")).isEqualTo(crowd.toString().startsWith("toArray"));
        assertThat(figures).allSatisfy((name, value) -> assertThat(value).isFinite());
    }

    @Test
    void callAll_hangs_throwsWhereItHangs() {
        CountDownLatch never = new CountDownLatch(1);
        Caller hanging = new Caller(
                () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return 0;
                },
                Duration.ZERO,
                false);
        Caller ending = new Caller(() -> 0, Duration.ofNanos(1), false);

        assertThatIllegalStateException()
                .isThrownBy(() -> Caller.callAll(List.of(ending, hanging), Duration.ZERO, Duration.ofSeconds(5)))
                .withMessageContaining("of 2 threads hang"); // the other one may not have run yet
        never.countDown();
    }

    @Test
    void cases_differ_andCanBeParsed() {
        List<ForkedCase> cases = ForkedCase.all(true).get("crowd");

        assertThat(cases)
                .doesNotHaveDuplicates()
                .allMatch(one -> ForkedCase.parse(one.toString()).equals(one))
                .anyMatch(one -> one.params().containsKey("virtual"))
                .containsAll(ForkedCase.all(false).get("crowd"));
        assertThat(ForkedCase.all(false).get("crowd"))
                .noneMatch(one -> one.params().containsKey("virtual"));
        assertThat(ForkedCase.all(false).get("waiting"))
                .hasSize(WaitingCrowd.values().length * Waiting.values().length);
    }

    /** In a JVM of its own, which gets its class path from this one. */
    @Test
    void case_inAJvmOfItsOwn_printsFigures() throws IOException, InterruptedException {
        ForkedCase one = new ForkedCase("refused", 20, Map.of("window", "SLIDING_WINDOW_LIMITER"));

        String printed = ChildJvm.run(ChildJvm.command(List.of("-Xmx256m"), ForkedCase.class, one, true), line -> {});

        assertThat(printed).startsWith("{\"p50\":").contains("\"perSecond\":");
    }
}
