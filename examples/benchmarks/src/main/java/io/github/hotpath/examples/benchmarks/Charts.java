package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Draws charts of the results in a directory, and writes them there as SVG.
 *
 * <pre>mvn -q compile exec:java -pl examples/benchmarks -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.benchmarks.Charts -Dexec.args=docs/performance</pre>
 */
final class Charts {
    private final Path dir;
    private final String jdk;

    private Charts(Path dir, String jdk) {
        this.dir = dir;
        this.jdk = jdk;
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("java.awt.headless", "true");
        int status = run(System.err, args);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Does what {@code args} say and returns the exit status. */
    static int run(PrintStream err, String... args) throws IOException {
        if (args.length != 1 || !Files.isDirectory(Path.of(args[0]))) {
            err.println("Charts: " + String.join(" ", args) + ": not one directory; usage: Charts DIR");
            return 2;
        }
        draw(Path.of(args[0]));
        return 0;
    }

    /** Draws those of each JDK that there are results of. */
    private static void draw(Path dir) throws IOException {
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            String name = entry.path().getFileName().toString();
            if (name.matches("concurrent-jdk\\d+[.]json")) {
                new Charts(dir, name.replaceAll("\\D", "")).drawAll();
            }
        }
    }

    private void drawAll() throws IOException {
        counters("record", "A record in a counter that all threads share");
        counters("recordAndCount", "A record and a count in a counter that all threads share");
        curves("growth", "record", "A record in a steady window", "nanoseconds", 1);
        curves("growth", "count", "A count", "nanoseconds", 1);
        curves("expiry-growth", "record", "The record that lets go of all events", "nanoseconds", 1000);
        memory();
    }

    private List<Measured> read(String name) throws IOException {
        return Measured.read(dir.resolve(name + "-jdk" + jdk + ".json"));
    }

    private Path svg(String name) {
        return dir.resolve(name + "-jdk" + jdk + ".svg");
    }

    private void counters(String method, String title) throws IOException {
        BarChart chart = new BarChart(title + ", JDK " + jdk, "nanoseconds per call");
        read("concurrent").stream()
                .filter(measured -> measured.method().equals(method))
                .forEach(measured -> chart.add(
                        measured.threads() == 1 ? "one thread" : "two threads",
                        Counter.valueOf(measured.param("counter")).toString(),
                        measured.median()));
        chart.write(svg("concurrent-" + method));
    }

    private void memory() throws IOException {
        BarChart chart = new BarChart("What an exact window keeps in memory, JDK " + jdk, "bytes per event");
        read("memory").stream()
                .filter(measured -> measured.method().equals("filled"))
                .forEach(measured -> chart.add(
                        "in a window of " + String.format(Locale.ROOT, "%,d", events(measured)) + " events",
                        ExactWindow.valueOf(measured.param("window")).toString(),
                        measured.secondary().get("bytes").median() / events(measured)));
        chart.write(svg("memory"));
    }

    /** Draws the curves of one benchmark, whose unit is so many of the chart's. */
    private void curves(String file, String method, String title, String unit, double factor) throws IOException {
        CurveChart chart = new CurveChart(title + ", JDK " + jdk, "events in the window", unit);
        read(file).stream()
                .filter(point -> point.method().equals(method))
                .forEach(point ->
                        chart.add(ExactWindow.valueOf(point.param("window")), events(point), factor * point.median()));
        chart.write(svg(file + "-" + method));
    }

    private static long events(Measured measured) {
        return Long.parseLong(measured.param("events"));
    }
}
