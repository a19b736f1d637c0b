package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Limits the clients of three members, each in a JVM of its own: those of one key, and those of a hundred. In the
 * middle the leader is killed, and started again. From the logs of all grants: was any window
 * over the limit, and is a grant lost?
 *
 * <pre>mvn -q compile exec:java -pl examples/fleet -am</pre>
 *
 * <p>The exit status is 0, or 1 if a limit was exceeded or a grant lost.
 */
public final class LimitFleet {
    private static final int CLIENTS = 8;
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    /** How often each permit of a limit is granted before and after the kill, about. */
    private static final double BEFORE = 1.5;

    private static final double AFTER = 1.5;

    private final PrintStream out;
    private final Fleet fleet;
    private final List<Row> rows = new ArrayList<>();

    private LimitFleet(PrintStream out, Fleet fleet) {
        this.out = out;
        this.fleet = fleet;
    }

    private record Row(String name, Rule rule, Report report, long fullest, long lost) {
        boolean isRight() {
            return fullest <= rule.permits() && lost == 0;
        }
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws Exception {
        int status = run(Path.of(System.getProperty("java.io.tmpdir")), System.out);
        if (status != 0) { // Maven's exec:java runs this in Maven's own JVM, which goes on after a success
            System.exit(status);
        }
    }

    /** Runs the program with its files in {@code base}, and returns the exit status. */
    static int run(Path base, PrintStream out) throws Exception {
        return inTemporary(base, dir -> {
            out.println("starting " + Fleet.DATA_MEMBERS + " members");
            try (Fleet fleet = Fleet.onLoopback(dir, Fleet.DATA_MEMBERS)) {
                return new LimitFleet(out, fleet).run();
            }
        });
    }

    /** What runs in a directory. */
    interface InDirectory {
        int run(Path dir) throws Exception;
    }

    /** Runs something in a new directory, and deletes it. */
    static int inTemporary(Path base, InDirectory action) throws Exception {
        Path dir = Files.createTempDirectory(base, "hotpath-");
        try {
            return action.run(dir);
        } finally {
            delete(dir);
        }
    }

    private static void delete(Path dir) throws IOException {
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            if (entry.attributes().isDirectory()) {
                delete(entry.path());
            } else {
                Files.delete(entry.path());
            }
        }
        Files.delete(dir);
    }

    private int run() throws Exception {
        limit("one key", 1, new Rule("one", 300, INTERVAL));
        limit("a hundred keys", 100, new Rule("hundred", 3, INTERVAL));
        table();
        return rows.stream().allMatch(Row::isRight) ? 0 : 1;
    }

    private void limit(String name, int keys, Rule rule) throws Exception {
        fleet.limit(rule);
        fleet.leader();
        say("%s: at most %,d in %d s", name, rule.permits(), INTERVAL.toSeconds());
        fleet.start(rule.name(), keys, CLIENTS);
        long permits = keys * rule.permits();
        awaitGranted(name, rule, (long) (BEFORE * permits));
        int leader = fleet.leader();
        fleet.kill(leader);
        say("%s: member %d, the leader, is killed", name, leader);
        awaitGranted(name, rule, granted(rule) + (long) (AFTER * permits));
        fleet.stop();
        Report report = fleet.report(rule.name());
        rows.add(new Row(
                name, rule, report, report.grants().fullestWindow(INTERVAL.toNanos()), fleet.lost(report, rule)));
        fleet.relaunch(leader);
        say("%s: member %d is back", name, leader);
    }

    private void awaitGranted(String name, Rule rule, long granted) throws Exception {
        long step = Math.max(1, granted / 4);
        long[] next = {granted(rule) + step};
        Fleet.await(
                () -> {
                    long now = granted(rule);
                    if (now >= next[0]) {
                        say("%s: %,d granted", name, now);
                        next[0] += step;
                    }
                    return now >= granted;
                },
                "grants");
    }

    private long granted(Rule rule) throws IOException {
        return fleet.granted(rule.name());
    }

    private void table() {
        out.printf(Locale.ROOT, "%n%-26s", "");
        rows.forEach(row -> out.printf(Locale.ROOT, "%18s", row.name));
        out.println();
        line("attempts", row -> row.report.attempts());
        line("granted", row -> row.report.granted());
        line("refused locally", row -> row.report.refusedLocally());
        line("outcome unknown", row -> row.report.unknown());
        line("longest call, ms", row -> row.report.longestNanos() / 1_000_000);
        line("fullest window of a key", Row::fullest);
        line("limit", row -> row.rule.permits());
        line("grants lost", Row::lost);
    }

    private interface Column {
        long of(Row row);
    }

    private void line(String name, Column column) {
        out.printf(Locale.ROOT, "%-26s", name);
        rows.forEach(row -> out.printf(Locale.ROOT, "%,18d", column.of(row)));
        out.println();
    }

    private void say(String form, Object... values) {
        out.println(String.format(Locale.ROOT, form, values));
    }
}
