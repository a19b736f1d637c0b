package io.github.hotpath.examples.stream;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Measures how many events Flink counts in a second, in this JVM, when one key has 90 % of them: with
 * {@link SlidingCounts}, with {@link SumOfParts} and with Flink's own window, in rounds, with one state backend.
 *
 * <pre>mvn -q test-compile exec:java -Pthorough -pl examples/stream -am -Dexec.classpathScope=test \
 *     -Dexec.mainClass=io.github.hotpath.examples.stream.MeasureHotKey -Dexec.args="rocksdb docs/performance/raw"</pre>
 */
public final class MeasureHotKey {
    private static final Duration SIZE = Duration.ofMinutes(1);
    private static final Duration SLIDE = Duration.ofSeconds(1);
    private static final int HOT_PERCENT = 90;
    private static final int KEYS = 100;
    private static final int PER_SECOND = 5_000;
    private static final int ROUNDS = 3;
    private static final int SLOTS = 2;

    /** A way, and how many events are counted, since it takes as long as another. */
    private enum Trial {
        PLAIN("EventWindow", Way.HOTPATH, Set.of(), 1_200_000, 600_000),
        PARTS("EventWindow in parts", Way.HOTPATH, Set.of(0L), 1_200_000, 600_000),
        FLINK("Flink's own window", Way.FLINK, Set.of(), 600_000, 20_000);

        private final String title;
        private final Way way;
        private final Set<Long> hotKeys;
        private final int events;
        private final int eventsOnDisk;

        Trial(String title, Way way, Set<Long> hotKeys, int events, int eventsOnDisk) {
            this.title = title;
            this.way = way;
            this.hotKeys = hotKeys;
            this.events = events;
            this.eventsOnDisk = eventsOnDisk;
        }
    }

    private final LocalCluster cluster;
    private final boolean onDisk;

    private MeasureHotKey(LocalCluster cluster, boolean onDisk) {
        this.cluster = cluster;
        this.onDisk = onDisk;
    }

    /** Measures with a backend, {@code hashmap} or {@code rocksdb}, and writes the results into a directory. */
    public static void main(String[] args) throws Exception {
        if (args.length != 2 || !args[0].matches("hashmap|rocksdb") || !Files.isDirectory(Path.of(args[1]))) {
            System.err.println(
                    "MeasureHotKey: " + String.join(" ", args) + ": not hashmap or rocksdb, and a directory");
            System.exit(2);
        }
        if (OwnJvm.isNeeded()) {
            System.exit(OwnJvm.run(MeasureHotKey.class, args));
        }
        Path dir = Files.createTempDirectory("hotpath-");
        LocalCluster cluster = new LocalCluster(dir, SLOTS, Duration.ofMinutes(10), args[0]);
        try {
            String name =
                    "stream-hot-key-" + args[0] + "-jdk" + Runtime.version().feature() + ".txt";
            Files.write(Path.of(args[1], name), new MeasureHotKey(cluster, args[0].equals("rocksdb")).all());
        } finally {
            cluster.close();
            TemporaryFiles.delete(dir);
        }
    }

    private List<String> all() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int round = 0; round <= ROUNDS; round++) { // in the first, code is compiled
            for (Trial trial : Trial.values()) {
                long perSecond = measure(trial);
                if (round > 0) {
                    lines.add(String.format(
                            Locale.ROOT, "round %d, %s: %d events a second", round, trial.title, perSecond));
                    System.out.println(lines.get(lines.size() - 1));
                }
            }
        }
        return lines;
    }

    /** Returns how many events were counted in a second, in the second half of the stream. */
    private long measure(Trial trial) throws Exception {
        int number = onDisk ? trial.eventsOnDisk : trial.events;
        GeneratedEvents events = new GeneratedEvents(number, KEYS, PER_SECOND, 1_000, HOT_PERCENT);
        return Math.round(
                cluster.eventsPerSecond(new GeneratedJob(events, SIZE, SLIDE, trial.way, trial.hotKeys, SLOTS)));
    }
}
