package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures crowds of 1,000 requests that wait for permits, with each library in three JVMs of its own, in turn with the
 * others, and prints the figures.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am -Dexec.args=waiting</pre>
 *
 * <p>This takes two minutes. The exit status is 0, or 1 if a JVM failed or took too long.
 */
final class WaitingCommand {
    static final String NAME = "waiting";

    private static final int REQUESTS = 1_000;
    private static final int FORKS = 3;
    private static final int LIMIT_SECONDS = 30;

    private WaitingCommand() {}

    /** Measures all, and returns the exit status. */
    static int run(PrintStream out) throws IOException {
        int failed = 0;
        try {
            for (WaitingCrowd crowd : WaitingCrowd.values()) {
                for (int fork = 0; fork < FORKS; fork++) {
                    for (Waiting waiting : Waiting.values()) {
                        failed += fork(crowd, waiting) ? 0 : 1;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
        out.println(failed == 0 ? "nothing failed" : failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    private static boolean fork(WaitingCrowd crowd, Waiting waiting) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WaitingCommand.class.getName(),
                        crowd.name(),
                        waiting.name())
                .inheritIO()
                .start();
        try {
            return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Measures one crowd with one library, prints the figures and ends, whatever its threads do. */
    public static void main(String[] args) {
        int status = 0;
        try {
            WaitingCrowd crowd = WaitingCrowd.valueOf(args[0]);
            Waiting waiting = Waiting.valueOf(args[1]);
            System.out.println(line(crowd, waiting, crowd.measure(waiting, REQUESTS)));
        } catch (Exception | Error e) {
            e.printStackTrace();
            status = 1;
        }
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    private static String line(WaitingCrowd crowd, Waiting waiting, Map<String, Double> figures) {
        List<String> words = new ArrayList<>();
        figures.forEach((name, value) -> words.add(String.format("%s=%.2f", name, value)));
        return String.format("%-8s %-29s %s", crowd, waiting, String.join(" ", words));
    }
}
