package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark of short calls in this JVM with the parameters with which it is measured: nothing is measured. */
class SmokeTest {
    static List<Part> parts() {
        return Part.ALL.values().stream()
                .flatMap(List::stream)
                .filter(part -> CallBenchmark.class.isAssignableFrom(part.benchmark()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("parts")
    void part_runs(Part part) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(part.include())
                .threads(part.threads())
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(2))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        Map<String, List<String>> parameters = new HashMap<>(part.parameters());
        parameters.computeIfPresent("events", (name, values) -> List.of("100"));
        parameters.forEach((name, values) -> options.param(name, values.toArray(String[]::new)));

        Collection<RunResult> results = new Runner(options.build()).run();

        assertThat(results).isNotEmpty();
    }

    @Test
    void parts_haveEveryBenchmark() {
        Set<String> benchmarks = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .map(BenchmarkListEntry::getUserClassQName)
                .collect(Collectors.toSet());

        assertThat(Part.ALL.values().stream()
                        .flatMap(List::stream)
                        .map(part -> part.benchmark().getName()))
                .containsAll(benchmarks);
        assertThat(Part.ALL.keySet()).containsAll(Part.MAIN).allMatch(name -> name.matches("[a-z-]+"));
    }
}
