package io.github.hotpath.examples.benchmarks;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import io.github.hotpath.examples.support.ChildJvm;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.VerboseMode;

/** All that is measured in one run, with its results in a directory. */
final class Suite {
    private static final int FORKS = 3;

    private final boolean brief;
    private final PrintStream out;
    private final long start = System.nanoTime();

    /** A brief run measures less. */
    Suite(boolean brief, PrintStream out) {
        this.brief = brief;
        this.out = out;
    }

    /** Returns the names of all parts. */
    List<String> names() {
        return Stream.concat(Parts.names().stream(), ForkedCase.all(true).keySet().stream())
                .toList();
    }

    /** Runs the parts of these names, all if there are none, on each JDK, and returns whether none failed. */
    boolean run(Path dir, List<Jdk> jdks, Set<String> names) throws IOException, InterruptedException {
        Dirs.ensure(dir);
        boolean succeeded = true;
        for (Jdk jdk : jdks) {
            Parts parts = new Parts(brief, jdk);
            Map<String, List<ForkedCase>> forked = ForkedCase.all(jdk.hasVirtualThreads());
            for (String name : names.isEmpty() ? names() : names) {
                out.printf("%n== %s on JDK %s, after %s%n", name, jdk.name(), elapsed());
                succeeded &= forked.containsKey(name)
                        ? runForked(jdk.file(dir, name), jdk, forked.get(name))
                        : run(jdk.file(dir, name), parts.runs(name));
            }
        }
        if (names.isEmpty()) {
            Files.write(dir.resolve("machine.txt"), machine(jdks));
        }
        out.printf("%n== done after %s, %s%n", elapsed(), succeeded ? "nothing failed" : "with failures, see above");
        return succeeded;
    }

    private boolean run(Path file, List<Options> runs) throws IOException {
        List<RunResult> results = new ArrayList<>();
        boolean succeeded = true;
        for (Options options : runs) {
            succeeded &= run(options, results);
        }
        Results.write(file, results);
        return succeeded;
    }

    /** Adds the results of all benchmarks that do not fail, and returns whether none did. */
    boolean run(Options options, Collection<RunResult> results) {
        AtomicInteger unfinished = new AtomicInteger();
        try {
            results.addAll(new Runner(options, counting(unfinished)).run());
        } catch (RunnerException e) {
            out.println("failed: " + e);
            return false;
        }
        return unfinished.get() == 0;
    }

    /** Returns JMH's usual output, which counts: of a benchmark that failed, nothing but its missing end tells. */
    private OutputFormat counting(AtomicInteger unfinished) {
        OutputFormat usual = OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL);
        return (OutputFormat) Proxy.newProxyInstance(
                Suite.class.getClassLoader(), new Class<?>[] {OutputFormat.class}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "startBenchmark" -> unfinished.incrementAndGet();
                        case "endBenchmark" -> unfinished.decrementAndGet();
                        default -> {}
                    }
                    return method.invoke(usual, args);
                });
    }

    /** Cases that are compared follow one another, lest the machine is faster for one of them. */
    private boolean runForked(Path file, Jdk jdk, List<ForkedCase> cases) throws IOException, InterruptedException {
        Map<ForkedCase, List<Map<String, Double>>> results = new LinkedHashMap<>();
        boolean succeeded = true;
        for (int fork = 0; fork < (brief ? 1 : FORKS); fork++) {
            for (ForkedCase one : cases) {
                try {
                    Map<String, Double> figures = fork(jdk, one);
                    out.println(one + ": " + figures);
                    results.computeIfAbsent(one, key -> new ArrayList<>()).add(figures);
                } catch (IOException e) {
                    out.println(one + ": failed: " + e.getMessage());
                    succeeded = false;
                }
            }
        }
        Results.write(file, results, jdk);
        return succeeded;
    }

    private Map<String, Double> fork(Jdk jdk, ForkedCase one) throws IOException, InterruptedException {
        List<String> command =
                ChildJvm.command(List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"), ForkedCase.class, one, brief);
        command.set(0, jdk.java().toString());
        return new Gson().fromJson(ChildJvm.run(command, line -> {}), new TypeToken<>() {});
    }

    private List<String> machine(List<Jdk> jdks) {
        Runtime runtime = Runtime.getRuntime();
        List<String> lines = new ArrayList<>(List.of(
                "run:        " + (brief ? "short" : "full"),
                "date:       " + LocalDate.now(ZoneOffset.UTC),
                "system:     " + System.getProperty("os.name") + ", " + System.getProperty("os.arch"),
                "processors: " + runtime.availableProcessors(),
                "heap:       " + (runtime.maxMemory() >> 20) + " MiB at most"));
        jdks.forEach(jdk -> lines.add("JDK:        " + jdk.name()));
        return lines;
    }

    private String elapsed() {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        return elapsed.toMinutes() + " min " + elapsed.toSecondsPart() + " s";
    }
}
