package io.github.hotpath.examples.stream;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;

/**
 * Counts a stream on Flink, in this JVM: for each key the events of the last minute, every second. In the middle a task
 * is killed, and the job restored from a checkpoint. Each result is compared with a naive count, and all of it is done
 * with {@link SlidingCounts} and with Flink's own sliding window, on the same events.
 *
 * <pre>mvn -q compile exec:java -pl examples/stream -am [-Dexec.args=EVENTS]</pre>
 *
 * <p>The exit status is 0, 1 if a result of {@link SlidingCounts} is wrong or missing, or 2 if the argument was wrong.
 */
public final class CountStream {
    private static final Duration SIZE = Duration.ofMinutes(1);
    private static final Duration SLIDE = Duration.ofSeconds(1);
    private static final int EVENTS = 600_000;
    private static final int LEAST_EVENTS = 10_000;
    private static final int KEYS = 100;
    private static final int PER_SECOND = 5_000;
    private static final long LATENESS_MILLIS = 30_000;
    private static final int SLOTS = 2;
    private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(500);

    private final PrintStream out;
    private final GeneratedEvents events;
    private final ExpectedCounts expected;

    private CountStream(PrintStream out, long number) {
        this.out = out;
        events = new GeneratedEvents(number, KEYS, PER_SECOND, LATENESS_MILLIS);
        expected = new ExpectedCounts(events, SIZE, SLIDE);
        say(
                "%,d events of %d keys, one in a hundred late; %,d windows to count",
                number, KEYS, expected.all().exact());
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws Exception {
        int status = OwnJvm.isNeeded()
                ? OwnJvm.run(CountStream.class, args)
                : run(Path.of(System.getProperty("java.io.tmpdir")), System.out, System.err, args);
        if (status != 0) { // Maven's exec:java runs this in Maven's own JVM, which goes on after a success
            System.exit(status);
        }
    }

    /** Does what {@code args} say, with its files in {@code base}, and returns the exit status. */
    static int run(Path base, PrintStream out, PrintStream err, String... args) throws Exception {
        if (args.length > 1 || args.length == 1 && !args[0].matches("[1-9]\\d{4,8}")) {
            err.println("CountStream: " + String.join(" ", args) + ": not one number of events from " + LEAST_EVENTS
                    + " on; usage: CountStream [EVENTS]");
            return 2;
        }
        return new CountStream(out, args.length == 1 ? Long.parseLong(args[0]) : EVENTS).run(base);
    }

    private int run(Path base) throws Exception {
        List<Row> rows = new ArrayList<>();
        Path dir = Files.createTempDirectory(base, "hotpath-");
        try {
            LocalCluster cluster = new LocalCluster(dir, SLOTS, CHECKPOINT_INTERVAL);
            try {
                for (Way way : Way.values()) {
                    rows.add(count(cluster, way));
                }
            } finally {
                cluster.close();
            }
        } finally {
            TemporaryFiles.delete(dir);
        }
        out.printf("%n%-20s %10s %10s %12s %26s%n", "", "exact", "wrong", "events a s", "checkpoint, bytes an event");
        rows.forEach(row -> out.printf(
                Locale.ROOT,
                "%-20s %,10d %,10d %,12d %26.1f%n",
                row.way,
                row.result.exact(),
                row.result.wrong(),
                row.perSecond,
                row.bytesPerEvent));
        return rows.get(Way.HOTPATH.ordinal()).result.wrong() == 0 ? 0 : 1;
    }

    private Row count(LocalCluster cluster, Way way) throws Exception {
        long half = events.events() / 2;
        Queue<Count<Long>> results = new ConcurrentLinkedQueue<>();
        try (Control control = new Control(half + events.events() / 50, results::add, half)) {
            JobID job = cluster.submit(
                    new GeneratedJob(events, SIZE, SLIDE, way, SLOTS), control, SavepointRestoreSettings.none());
            CompletableFuture<Void> end = cluster.end(job);
            watch(CompletableFuture.anyOf(control.gates.get(0).reached(), end), way, control);
            long bytes = cluster.checkpoint(job);
            say("%s: a checkpoint of %,d bytes; then a task is killed, and restored from it", way, bytes);
            control.gates.get(0).open();
            watch(end, way, control);
            double seconds = (System.nanoTime() - control.resumedNanos) / 1e9;
            if (control.resumedNanos == 0) {
                throw new IllegalStateException("no task was killed");
            }
            return new Row(
                    way,
                    expected.compare(results),
                    (long) ((events.events() - control.kill) / seconds),
                    (double) bytes / inWindows(half));
        }
    }

    private void watch(CompletableFuture<?> end, Way way, Control control) throws Exception {
        while (true) {
            try {
                end.get(500, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                say("%s: %d %%", way, 100 * (control.position.get() + 1) / events.events());
            }
        }
    }

    /** Returns how many events before that of {@code number} are in windows that are still to be counted. */
    private long inWindows(long number) {
        long oldest = events.watermark(number) - SIZE.toMillis();
        return events.numbers()
                .limit(number)
                .filter(i -> events.event(i).time() >= oldest)
                .count();
    }

    private void say(String form, Object... values) {
        out.println(String.format(Locale.ROOT, form, values));
    }

    private record Row(Way way, ExpectedCounts.Comparison result, long perSecond, double bytesPerEvent) {}
}
