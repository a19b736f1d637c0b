package io.github.hotpath.examples.benchmarks;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Many threads on few processors. Not by JMH: each call has its time, and long calls run beside short ones. Each case
 * has JVMs of its own, which are killed when they take too long.
 */
final class CrowdSuite {
    private static final int FORKS = 3;
    private static final double MOST_OTHER_PROCESSORS = 0.2;
    private static final List<TableOf> TABLES =
            List.of(TableOf.CROWD, TableOf.CROWD_RATIOS, TableOf.LATE_SOURCES, TableOf.THREAD_IDS);

    private final PrintStream out;
    private final boolean brief;
    private int failed;
    private int disturbed;

    CrowdSuite(boolean brief, PrintStream out) {
        this.brief = brief;
        this.out = out;
    }

    /** Measures some cases, writes their results into {@code dir} and prints them, and returns whether none failed. */
    boolean run(Path dir, List<CrowdCase> cases) throws IOException, InterruptedException {
        Dirs.ensure(dir);
        CrowdResults results = new CrowdResults(brief);
        for (List<CrowdCase> compared : byComparison(cases)) {
            for (int fork = 0; fork < (brief ? 1 : FORKS); fork++) {
                for (CrowdCase one : compared) {
                    results.add(one, measure(one));
                }
            }
        }
        results.write(file(dir), CrowdCase.all(Threads.hasVirtual()));
        print(results, cases);
        return failed == 0;
    }

    private Map<String, Double> measure(CrowdCase one) throws IOException, InterruptedException {
        Map<String, Double> figures = fork(one);
        out.println(one + ": " + (figures.isEmpty() ? "failed" : figures));
        failed += figures.isEmpty() ? 1 : 0;
        disturbed += figures.getOrDefault("otherProcessors", 0.0) > MOST_OTHER_PROCESSORS ? 1 : 0;
        return figures;
    }

    /** Prints these results alone, whatever else is in their directory. */
    private void print(CrowdResults results, List<CrowdCase> cases) throws IOException {
        Path alone = Files.createTempDirectory("crowd");
        Path file = file(alone);
        try {
            results.write(file, cases);
            for (TableOf table : TABLES) {
                out.printf("%n%s", table.read(alone));
            }
            out.printf("%ntargets missed:%n");
            CrowdRatios.missed(Measured.read(file)).forEach(out::println);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(alone);
        }
        out.printf("%n%d ran while other processes kept more than a fifth of a processor busy%n", disturbed);
        out.println(failed == 0 ? "nothing failed" : failed + " failed, see above");
    }

    private static Path file(Path dir) {
        return dir.resolve("crowd-jdk" + Runtime.version().feature() + ".json");
    }

    /** Forks of cases that are compared take turns, lest the machine is faster for one of them. */
    private static List<List<CrowdCase>> byComparison(List<CrowdCase> cases) {
        int[] starts = IntStream.range(0, cases.size())
                .filter(i -> i == 0 || !cases.get(i).isBeside(cases.get(i - 1)))
                .toArray();
        return IntStream.range(0, starts.length)
                .mapToObj(i -> cases.subList(starts[i], i + 1 < starts.length ? starts[i + 1] : cases.size()))
                .toList();
    }

    /** Returns the figures of one fork, none if it failed or took too long. */
    private Map<String, Double> fork(CrowdCase one) throws IOException, InterruptedException {
        Path printed = Files.createTempFile("crowd", ".json");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms1g",
                        "-Xmx1g",
                        "-XX:+AlwaysPreTouch",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrowdFork.class.getName(),
                        one.toString(),
                        String.valueOf(brief))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(printed.toFile())
                .start();
        try {
            boolean ended = process.waitFor(CrowdFork.LIMIT.toSeconds() + 5, TimeUnit.SECONDS);
            if (ended && process.exitValue() == 0) {
                return new Gson().fromJson(Files.readString(printed), new TypeToken<>() {});
            }
            return Map.of();
        } finally {
            process.destroyForcibly().waitFor();
            Files.delete(printed);
        }
    }
}
