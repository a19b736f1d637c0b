package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark once in this JVM, as small as may be: nothing is measured. */
class SmokeTest {
    @TempDir
    Path dir;

    @Test
    void everyBenchmark_runs_andItsResultsCanBeRead() throws RunnerException, IOException {
        Collection<RunResult> results = new Runner(smallest().build()).run();

        assertThat(names(results)).isNotEmpty().isEqualTo(everyBenchmark());
        Path file = dir.resolve("results.json");
        Results.write(file, results);
        assertThat(Measured.read(file)).hasSameSizeAs(results);
        assertThat(file).content().doesNotContain("\"jvm\"", "\"jvmArgs\"", System.getProperty("java.home"));
    }

    @Test
    void parts_haveEveryBenchmark() throws IOException {
        Parts parts = new Parts(false, Jdk.of(Path.of(System.getProperty("java.home"))));
        List<String> includes = Parts.names().stream()
                .flatMap(name -> parts.runs(name).stream())
                .flatMap(run -> run.getIncludes().stream())
                .toList();

        assertThat(everyBenchmark())
                .allMatch(name -> includes.stream().anyMatch(include -> name.matches(".*" + include + ".*")));
    }

    /** Of windows with 100 events and two billion, one cannot be with so many. */
    @Test
    void suite_oneFails_othersAreThere() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        List<RunResult> results = new ArrayList<>();
        ChainedOptionsBuilder options = smallest()
                .include("MemoryBenchmark.filled")
                .param("window", "EVENT_WINDOW")
                .param("events", "2000000000")
                .shouldFailOnError(false);

        assertThat(new Suite(true, out).run(options.build(), results)).isFalse();

        assertThat(results)
                .extracting(result -> result.getParams().getParam("events"))
                .containsExactly("100");
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("wants a heap of");
    }

    private static ChainedOptionsBuilder smallest() {
        return new OptionsBuilder()
                .forks(0)
                .mode(Mode.SingleShotTime)
                .warmupIterations(0)
                .measurementIterations(1)
                .param("events", "100")
                .param("windows", "10")
                .param("limiters", "10")
                .param("keys", "10")
                .param("files", "9")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private static Set<String> everyBenchmark() {
        return BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .collect(Collectors.toSet());
    }

    private static Set<String> names(Collection<RunResult> results) {
        return results.stream().map(result -> result.getParams().getBenchmark()).collect(Collectors.toSet());
    }
}
