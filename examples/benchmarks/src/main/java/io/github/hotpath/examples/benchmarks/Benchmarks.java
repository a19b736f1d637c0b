package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.Results.Row;
import io.github.hotpath.examples.support.ChildJvm;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what the pages about performance say, on one JDK or several, and writes the raw results and the tables.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am -Dexec.args='--jdk HOME --jdk HOME'</pre>
 *
 * <p>With {@code jmh} first, the other arguments are JMH's own, which {@code -h} prints.
 */
@Command(name = "Benchmarks", mixinStandardHelpOptions = true, sortOptions = false)
final class Benchmarks implements Callable<Integer> {
    @Option(names = "--jdk", paramLabel = "HOME", description = "a JDK to measure; default: that of this program")
    private List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));

    @Option(
            names = "--part",
            paramLabel = "NAME",
            description = "measure this part alone, named as its results are, or all; default: those of the summary")
    private List<String> parts = new ArrayList<>(Part.MAIN);

    @Option(names = "--rounds", paramLabel = "N", description = "the most JVMs that measure a row, one in a round")
    private int rounds = Integer.MAX_VALUE;

    @Option(names = "--pages", description = "measure nothing: write the tables of the results that there are")
    private boolean isPagesAlone;

    public static void main(String[] args) throws IOException {
        System.setProperty("java.class.path", ChildJvm.classPath()); // JMH's forks get it
        if (args.length > 0 && args[0].equals("jmh")) {
            org.openjdk.jmh.Main.main(List.of(args).subList(1, args.length).toArray(String[]::new));
            return;
        }
        int status = new CommandLine(new Benchmarks()).execute(args);
        if (status != 0) { // Maven's exec:java runs this in Maven's own JVM, which continues after a success
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws IOException, RunnerException {
        Results results = new Results(Dirs.ensure(Path.of("docs", "performance", "raw")));
        if (!isPagesAlone) {
            for (Path home : homes) {
                measure(parts.equals(List.of("all")) ? Part.ALL.keySet() : parts, home, results);
            }
        }
        new Tables(results).write(Path.of(""));
        return 0;
    }

    /** Measures all parts in one JVM for each row, and then again: so a range shows how the machine changes meanwhile. */
    private void measure(Collection<String> names, Path home, Results results) throws IOException, RunnerException {
        int jdk = feature(home);
        String commit = commit();
        Map<String, Map<Map<String, String>, Row>> rows = new LinkedHashMap<>();
        int most = 0;
        for (int round = 1; round <= Math.min(rounds, Math.max(1, most)); round++) {
            for (String name : names) {
                Map<Map<String, String>, Row> ofPart = rows.computeIfAbsent(name, any -> new LinkedHashMap<>());
                for (Part part : Part.ALL.get(name)) {
                    most = Math.max(most, part.rounds());
                    if (round <= part.rounds()) {
                        Results.add(
                                ofPart,
                                run(part, home, jdk),
                                commit,
                                LocalDate.now(ZoneOffset.UTC).toString(),
                                machine());
                    }
                }
                if (round == 1) {
                    results.retire(name, jdk);
                }
                results.write(name, jdk, ofPart.values());
            }
        }
    }

    private static String run(Part part, Path home, int jdk) throws IOException, RunnerException {
        Path file = Files.createTempFile("benchmark", ".json");
        try {
            ChainedOptionsBuilder options = new OptionsBuilder()
                    .include(part.include())
                    .threads(part.threads())
                    .forks(1)
                    .jvm(home.resolve(Path.of("bin", "java")).toString())
                    .addProfiler(GCProfiler.class)
                    .shouldFailOnError(true)
                    .resultFormat(ResultFormatType.JSON)
                    .result(file.toString());
            if (part.benchmark() == CrowdBenchmark.class && jdk < 21) {
                options.param("threads", "20", "200"); // no virtual ones
            }
            part.parameters().forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
            new Runner(options.build()).run();
            return Files.readString(file);
        } finally {
            Files.delete(file);
        }
    }

    /** Returns the commit that is measured, and whether what is measured has changed since. */
    private static String commit() throws IOException {
        String commit = git("rev-parse", "--short=8", "HEAD");
        return git("status", "--porcelain", "core/src/main", "examples/benchmarks")
                        .isEmpty()
                ? commit
                : commit + ", changed";
    }

    private static String git(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static int feature(Path home) throws IOException {
        String version = property(home.resolve("release"), "JAVA_VERSION=");
        return Runtime.Version.parse(version.replace("\"", "")).feature();
    }

    private static String machine() throws IOException {
        Path processor = Path.of("/proc/cpuinfo");
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch") + ", processors: "
                + Runtime.getRuntime().availableProcessors() + ", "
                + (Files.isReadable(processor) ? property(processor, "model name\t:") : "unknown");
    }

    /** Returns what a line of a file says that begins with this. */
    private static String property(Path file, String beginning) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(beginning))
                    .map(line -> line.substring(beginning.length()).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
