package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.support.ChildJvm;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
 * Measures what the pages about performance say, on one JDK or several, and writes the raw results, the tables and the
 * pictures.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am -Dexec.args='--jdk HOME --jdk HOME'</pre>
 *
 * <p>With {@code jmh} first, the other arguments are JMH's own, which {@code -h} prints.
 */
@Command(name = "Benchmarks", mixinStandardHelpOptions = true, sortOptions = false)
final class Benchmarks implements Callable<Integer> {
    @Option(names = "--jdk", paramLabel = "HOME", description = "a JDK to measure; default: that of this program")
    private List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));

    @Option(names = "--part", paramLabel = "NAME", description = "measure this part alone, named as its results are")
    private List<String> parts = new ArrayList<>(Part.ALL.keySet());

    @Option(names = "--pages", description = "measure nothing: write tables and pictures of the results that there are")
    private boolean isPagesAlone;

    @Option(names = "--root", paramLabel = "DIR", description = "the project's directory; default: the current one")
    private Path root = Path.of("");

    public static void main(String[] args) throws IOException {
        System.setProperty("java.class.path", ChildJvm.classPath()); // JMH's forks get it
        System.setProperty("java.awt.headless", "true");
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
        Path raw = Dirs.ensure(root.resolve(Path.of("docs", "performance", "raw")));
        Results results = new Results(raw);
        if (!isPagesAlone) {
            Path machine = raw.resolve("machine.txt");
            Files.write(machine, machine(machine));
            for (Path home : homes) {
                for (String part : parts) {
                    measure(part, home, results);
                }
            }
        }
        new Tables(results).write(root);
        Charts.write(results, raw.resolveSibling(""));
        Files.write(raw.resolve("targets.txt"), new Targets(results).lines());
        return 0;
    }

    private static void measure(String part, Path home, Results results) throws IOException, RunnerException {
        List<Path> files = new ArrayList<>();
        try {
            for (Part run : Part.ALL.get(part)) {
                files.add(Files.createTempFile(part, ".json"));
                ChainedOptionsBuilder options = new OptionsBuilder()
                        .include(run.benchmark().getName() + "[.]")
                        .threads(run.threads())
                        .jvm(home.resolve(Path.of("bin", "java")).toString())
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .resultFormat(ResultFormatType.JSON)
                        .result(files.get(files.size() - 1).toString());
                if (run.benchmark() == CrowdBenchmark.class && release(home).feature() < 21) {
                    options.param("threads", "20", "200"); // no virtual ones
                }
                run.parameters().forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
                new Runner(options.build()).run();
            }
            results.write(part, release(home).feature(), files);
        } finally {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Runtime.Version release(Path home) throws IOException {
        return Runtime.Version.parse(
                property(home.resolve("release"), "JAVA_VERSION=").replace("\"", ""));
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

    /** Returns what can be seen of the machine, and the JDKs that are measured now, or were before by these lines. */
    private List<String> machine(Path before) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "date: " + LocalDate.now(ZoneOffset.UTC),
                "system: " + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch"),
                "processors: " + Runtime.getRuntime().availableProcessors(),
                "temporary directory on: "
                        + Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir")))
                                .type()));
        if (Files.isReadable(Path.of("/proc/cpuinfo"))) {
            lines.add("processor: " + property(Path.of("/proc/cpuinfo"), "model name\t:"));
            lines.add("memory: " + property(Path.of("/proc/meminfo"), "MemTotal:"));
        }
        Set<String> jdks = new TreeSet<>();
        for (Path home : homes) {
            jdks.add("JDK: " + release(home) + ", " + property(home.resolve("release"), "IMPLEMENTOR="));
        }
        if (Files.exists(before)) {
            Files.readAllLines(before).stream()
                    .filter(line -> line.startsWith("JDK:"))
                    .forEach(jdks::add);
        }
        lines.addAll(jdks);
        return lines;
    }
}
