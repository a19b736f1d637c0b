package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark of short calls in this JVM with its parameters: nothing is measured. */
class SmokeTest {
    @Test
    void everyCallBenchmark_runs() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(
                                "(Limiter|Key|Web|SharedCounter|Reservation|CompactForm|Dirs|MissingDirs|Sources)Benchmark")
                        .param("permits", "100")
                        .param("keys", KeyBenchmark.HOT)
                        .param("events", "two sources", "by chance")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(1))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results).hasSizeGreaterThan(80);
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
        assertThat(Part.ALL.keySet()).allMatch(name -> name.matches("[a-z-]+"));
        assertThat(Map.copyOf(Part.ALL)).hasSameSizeAs(Part.ALL.keySet());
    }
}
