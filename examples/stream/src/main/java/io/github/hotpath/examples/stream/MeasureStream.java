package io.github.hotpath.examples.stream;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Measures how many events Flink counts in a second, in this JVM, with {@link SlidingCounts} and with its own window,
 * by the size of the window, which slides by a second, and the number of keys. Writes the results in the form of JMH's
 * JSON: from there the charts and tables of the documents are made.
 *
 * <pre>mvn -q compile exec:java -pl examples/stream -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.stream.MeasureStream -Dexec.args=docs/performance/raw</pre>
 */
public final class MeasureStream {
    private static final Duration SLIDE = Duration.ofSeconds(1);
    private static final int[] SECONDS = {10, 60, 600};
    private static final int[] KEYS = {100, 1_000, 10_000};
    private static final int TIMES = 3;

    /** In event time, for both: a minute has 3,000 events of each of 100 keys. */
    private static final int PER_SECOND = 5_000;

    /** Two minutes of event time: windows of up to a minute are full in the second half. */
    private static final int EVENTS = 2 * 60 * PER_SECOND;

    /**
     * Flink adds each event to as many windows as the window has seconds. The streams of its longer windows have about
     * so many additions: full windows of ten minutes would take hours.
     */
    private static final int ADDITIONS = 12_000_000;

    private static final int SLOTS = 2;

    private final LocalCluster cluster;

    private MeasureStream(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** Measures, and writes the results into the directory that is given. */
    public static void main(String[] args) throws Exception {
        if (args.length != 1 || !Files.isDirectory(Path.of(args[0]))) {
            System.err.println("MeasureStream: " + String.join(" ", args) + ": not one directory");
            System.exit(2);
        }
        if (OwnJvm.isNeeded()) {
            System.exit(OwnJvm.run(MeasureStream.class, args));
        }
        Path dir = Files.createTempDirectory("hotpath-");
        LocalCluster cluster = new LocalCluster(dir, SLOTS, Duration.ofMinutes(10));
        try {
            write(
                    Path.of(args[0], "stream-jdk" + Runtime.version().feature() + ".json"),
                    new MeasureStream(cluster).all(System.out));
        } finally {
            cluster.close();
            TemporaryFiles.delete(dir);
        }
    }

    private List<Figure> all(PrintStream out) throws Exception {
        for (Way way : Way.values()) { // so that none is measured before its code is compiled
            measure(way, 60, 100);
        }
        List<Figure> figures = new ArrayList<>();
        for (int seconds : SECONDS) {
            for (int keys : KEYS) {
                for (Way way : Way.values()) {
                    Figure figure = new Figure(way, seconds, keys, new ArrayList<>());
                    for (int i = 0; i < TIMES; i++) {
                        figure.eventsPerSecond.add(measure(way, seconds, keys));
                    }
                    out.println(figure);
                    figures.add(figure);
                }
            }
        }
        return figures;
    }

    private static int eventsOfOwnWindow(int seconds) {
        return seconds <= 60 ? EVENTS : ADDITIONS / seconds;
    }

    /** Returns how many events were counted in a second, in the second half of the stream. */
    private double measure(Way way, int seconds, int keys) throws Exception {
        long number =
                way == Way.HOTPATH ? Math.max(2L * EVENTS, 2L * seconds * PER_SECOND) : eventsOfOwnWindow(seconds);
        GeneratedEvents events = new GeneratedEvents(number, keys, PER_SECOND, 1_000);
        GeneratedJob job = new GeneratedJob(events, Duration.ofSeconds(seconds), SLIDE, way, SLOTS);
        return cluster.eventsPerSecond(job);
    }

    private record Figure(Way way, int seconds, int keys, List<Double> eventsPerSecond) {
        private String json() {
            return String.format(
                    Locale.ROOT,
                    "  {\"benchmark\": \"MeasureStream.count\", \"mode\": \"thrpt\", \"threads\": %d,%n"
                            + "    \"params\": {\"way\": \"%s\", \"seconds\": \"%d\", \"keys\": \"%d\"},%n"
                            + "    \"primaryMetric\": {\"scoreUnit\": \"events/s\", \"rawData\": [%s]},%n"
                            + "    \"secondaryMetrics\": {}}",
                    SLOTS,
                    way,
                    seconds,
                    keys,
                    values(eventsPerSecond));
        }

        private static String values(List<Double> values) {
            return values.stream()
                    .map(value -> String.format(Locale.ROOT, "%.0f", value))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
    }

    private static void write(Path file, List<Figure> figures) throws IOException {
        Files.writeString(file, figures.stream().map(Figure::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }
}
