package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Draws charts of the results in {@link Results#RAW} in a directory, and writes them into this directory as SVG.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.benchmarks.Charts -Dexec.args=docs/performance</pre>
 */
final class Charts {
    private final Path results;
    private final Path pictures;
    private final int jdk;

    private Charts(Path results, Path pictures, int jdk) {
        this.results = results;
        this.pictures = pictures;
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
        if (args.length != 1 || !Files.isDirectory(Path.of(args[0], Results.RAW))) {
            err.println("Charts: " + String.join(" ", args) + ": not one directory with results in " + Results.RAW
                    + "; usage: Charts DIR");
            return 2;
        }
        draw(Path.of(args[0], Results.RAW), Path.of(args[0]));
        return 0;
    }

    /** Draws those of each JDK that there are results of, and a {@link Burst}, which it runs itself. */
    private static void draw(Path results, Path pictures) throws IOException {
        Path burst = results.resolve(Burst.FILE);
        Burst.run().write(burst);
        new BurstChart(Burst.read(burst)).write(pictures.resolve("burst.svg"));
        for (int jdk : Measured.jdks(results, "concurrent")) {
            new Charts(results, pictures, jdk).drawAll();
        }
        for (int jdk : Measured.jdks(results, "crowd")) {
            new CrowdCharts(results, pictures, jdk).drawAll();
        }
        for (int jdk : Measured.jdks(results, ApproximationCharts.RESULTS)) {
            new ApproximationCharts(results, pictures, jdk).drawAll();
        }
        for (int jdk : Measured.jdks(results, "stream")) {
            new Charts(results, pictures, jdk).stream();
        }
    }

    private void drawAll() throws IOException {
        counters("record", "A record in a counter that all threads share");
        counters("recordAndCount", "A record and a count in a counter that all threads share");
        limiters("refused", "A refused call of a limiter that all threads share");
        limiters("granted", "A granted call of a limiter that all threads share");
        curves("growth", "record", "growth-record", "A record in a steady window", 1);
        curves("growth", "count", "growth-count", "A count", 1);
        curves("growth-expiry", "record", "growth-expiry", "The record that expires all events", 1000);
        memory();
    }

    private List<Measured> read(String name) throws IOException {
        return Measured.read(results.resolve(name + "-jdk" + jdk + ".json"));
    }

    private Path svg(String name) {
        return pictures.resolve(name + "-jdk" + jdk + ".svg");
    }

    private void counters(String method, String title) throws IOException {
        BarChart chart = new BarChart(title + ", JDK " + jdk, "nanoseconds per call, on each thread; lower is better");
        read("concurrent").stream()
                .filter(measured -> measured.method().equals(method))
                .forEach(measured -> chart.add(measured.inThreads(), measured.counter(), measured.primary()));
        chart.write(svg("concurrent-" + method));
    }

    private void limiters(String outcome, String title) throws IOException {
        BarChart chart = new BarChart(title + ", JDK " + jdk, "nanoseconds per call, on each thread; lower is better");
        read("limiter").stream()
                .filter(measured -> measured.refusedOrGranted().equals(outcome))
                .forEach(measured -> chart.add(measured.inThreads(), measured.limiter(), measured.primary()));
        chart.write(svg("limiter-" + outcome));
    }

    private void memory() throws IOException {
        BarChart chart = new BarChart("Memory of an exact window, JDK " + jdk, "bytes per event; lower is better");
        read("memory").stream()
                .filter(measured -> measured.method().equals("filled"))
                .forEach(measured -> chart.add(
                        "in a window of " + measured.numberOf("events") + " events",
                        ExactWindow.valueOf(measured.param("window")).toString(),
                        measured.bytes() / measured.number("events")));
        chart.write(svg("memory"));
    }

    private void stream() throws IOException {
        BarChart chart = new BarChart("A stream counted on Flink, JDK " + jdk, "events per second; higher is better");
        read("stream")
                .forEach(measured -> chart.add(
                        measured.param("way"),
                        measured.param("seconds") + " s, " + measured.numberOf("keys") + " keys",
                        measured.median()));
        chart.write(svg("stream"));
    }

    /** Draws the curves of one benchmark; {@code factor} turns its unit into nanoseconds. */
    private void curves(String file, String method, String picture, String title, double factor) throws IOException {
        CurveChart chart =
                new CurveChart(title + ", JDK " + jdk, "events in the window", "nanoseconds; lower is better");
        for (Measured point : read(file)) {
            ExactWindow window = ExactWindow.valueOf(point.param("window"));
            if (point.method().equals(method) && window != ExactWindow.SWEPT_DEQUE) { // it would flatten all others
                chart.add(window.toString(), point.number("events"), factor * point.median());
            }
        }
        chart.write(svg(picture));
    }
}
