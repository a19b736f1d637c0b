package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.VerboseMode;

/** All benchmarks in one run, with their results in a directory. */
final class Suite {
    private final boolean brief;
    private final boolean adds;
    private final PrintStream out;
    private final String jdk = "-jdk" + Runtime.version().feature();
    private final long start = System.nanoTime();

    /** A brief run measures less. One that adds, adds its forks to those of the results in the directory. */
    Suite(boolean brief, boolean adds, PrintStream out) {
        this.brief = brief;
        this.adds = adds;
        this.out = out;
    }

    /** Runs every part, and writes what the machine is and what windows keep in memory beside the results. */
    boolean run(Path dir) throws IOException {
        Dirs.ensure(dir);
        try (PrintStream file = file(dir.resolve("machine" + jdk + ".txt"))) {
            describeMachine(file);
        }
        boolean succeeded = run(dir, new Parts(brief, out).list());
        try (PrintStream file = file(dir.resolve("footprint" + jdk + ".txt"))) {
            Footprint.print(file, 10_000_000);
        }
        return succeeded;
    }

    /** Runs some parts, writes the results of each into {@code dir} at once, and returns whether none failed. */
    boolean run(Path dir, List<Part> parts) throws IOException {
        Dirs.ensure(dir);
        boolean succeeded = true;
        for (Part part : parts) {
            int number = parts.indexOf(part) + 1;
            out.printf("%n== %s, part %d of %d, after %s%n", part.name(), number, parts.size(), elapsed());
            List<RunResult> results = new ArrayList<>();
            for (Options options : part.runs()) {
                succeeded &= run(options, results);
            }
            Path file = dir.resolve(part.name() + jdk + ".json");
            if (adds && Files.exists(file)) {
                Results.add(file, results);
            } else {
                Results.write(file, results);
            }
        }
        out.printf("%n== done after %s, %s%n", elapsed(), succeeded ? "nothing failed" : "with failures, see above");
        return succeeded;
    }

    /** Adds the results of all benchmarks that do not fail, and says whether none did. */
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

    private static PrintStream file(Path path) throws IOException {
        return new PrintStream(path.toFile(), StandardCharsets.UTF_8);
    }

    private void describeMachine(PrintStream file) {
        Runtime runtime = Runtime.getRuntime();
        file.println("run:        " + (brief ? "short" : "full"));
        file.println("date:       " + LocalDate.now(ZoneOffset.UTC));
        file.println("JDK:        " + System.getProperty("java.vm.version") + ", " + System.getProperty("java.vendor"));
        file.println("system:     " + System.getProperty("os.name") + ", " + System.getProperty("os.arch"));
        file.println("processors: " + runtime.availableProcessors());
        file.println("heap:       " + (runtime.maxMemory() >> 20) + " MiB at most");
    }

    private String elapsed() {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        return elapsed.toMinutes() + " min " + elapsed.toSecondsPart() + " s";
    }
}
