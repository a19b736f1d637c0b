package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        Map<String, Double> figures = crowd.measure(window, 3, new Crowd.Size(1000, 1, 20));

        assertThat(figures)
                .containsKeys("p50", "p99", "p99.9", "worst", "perSecond", "processors", "processorNanosPerCall");
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
                .isThrownBy(() -> Caller.callAll(List.of(ending, hanging), Duration.ZERO, Duration.ofMillis(20)))
                .withMessageContaining("1 of 2 threads hang");
        never.countDown();
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT_WINDOW", "CONCURRENT_EVENT_WINDOW"})
    void lateSources_areAllRecorded(ExactWindow window) {
        Map<String, Double> figures = LateSources.measure(window, 3, 1000, Duration.ofSeconds(30));

        assertThat(figures).containsOnlyKeys("perEvent", "source1", "source2", "source3", "recorded");
        assertThat(figures.get("recorded")).isEqualTo(1);
    }

    @Test
    void lateSources_timeIsOver_someAreRecorded() {
        Map<String, Double> figures = LateSources.measure(ExactWindow.EVENT_WINDOW, 3, 1024, Duration.ZERO);

        assertThat(figures).containsOnlyKeys("perEvent", "source1", "recorded");
        assertThat(figures.get("recorded")).isEqualTo(256 / 3072.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63})
    void apart_idsDifferBySoMuchModulo64(int apart) {
        Thread one = Threads.create(false, () -> {});
        Thread other = Threads.apart(one, apart, () -> {});

        assertThat(Math.floorMod(Threads.id(other) - Threads.id(one), 64)).isEqualTo(apart);
        assertThat(Threads.id(other)).isNotEqualTo(Threads.id(one));
    }

    @Test
    void threadIds_hasFigures() throws InterruptedException {
        assertThat(ThreadIds.measure(0, Duration.ofMillis(1))).containsOnlyKeys("perRecord", "least", "most");
    }

    @Test
    void cases_differ_andCanBeParsed() {
        List<CrowdCase> cases = CrowdCase.all(true);

        assertThat(cases)
                .doesNotHaveDuplicates()
                .allMatch(one -> CrowdCase.parse(one.toString()).equals(one));
        assertThat(CrowdCase.all(false)).isNotEmpty().noneMatch(CrowdCase::isVirtual);
        assertThat(cases).anyMatch(CrowdCase::isVirtual).containsAll(CrowdCase.all(false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "crowd --to",
                "crowd --short --window",
                "crowd short",
                "crowd --window none",
                "crowd --traffic toArray --threads 3"
            })
    void command_wrongArgument_oneLineAndStatus2(String args) throws IOException {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int status = Benchmarks.run(System.out, new PrintStream(err, true, StandardCharsets.UTF_8), args.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("Benchmarks: " + args + ": not understood; usage: Benchmarks crowd [--short]")
                .hasLineCount(1);
    }

    /** In JVMs of their own, which get their class path from this one. */
    @Test
    void command_someCases_areMeasuredAndWritten(@TempDir Path dir) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

        int status = Benchmarks.run(
                out,
                out,
                "crowd",
                "--short",
                "--to",
                dir.toString(),
                "--traffic",
                "toArray,threadIds",
                "--threads",
                "2",
                "--window",
                "concurrent");

        String printed = bytes.toString(StandardCharsets.UTF_8);
        assertThat(status).as(printed).isZero();
        assertThat(printed)
                .contains(
                        "| copies every 10 ms | 2 | ConcurrentEventWindow |", "| equal modulo 64 |", "nothing failed");
        Path file = dir.resolve("crowd-jdk" + Runtime.version().feature() + ".json");
        assertThat(Measured.read(file))
                .extracting(Measured::method)
                .containsExactly("toArray", "threadIds", "threadIds");
    }
}
