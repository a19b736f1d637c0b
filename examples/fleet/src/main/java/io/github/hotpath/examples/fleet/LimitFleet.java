package io.github.hotpath.examples.fleet;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.examples.fleet.Fleet.Rule;
import io.github.hotpath.examples.support.Grants;
import io.github.hotpath.examples.support.Table;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * Limits the clients of three members, each in a JVM of its own: those of one key, and those of a hundred. In the
 * middle the leader is killed, and started again. From the logs of all grants: was any window over the limit, and is a
 * grant lost?
 *
 * <pre>mvn -q compile exec:java -pl examples/fleet -am</pre>
 *
 * <p>The exit status is 0, or 1 if a limit was exceeded or a grant lost.
 */
public final class LimitFleet {
    private static final int CLIENTS = 8;
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final PrintStream out;
    private final Fleet fleet;
    private final Table table = new Table(
            1,
            "limit of",
            "permits",
            "most in 2 s",
            "lost",
            "granted",
            "refused locally",
            "unknown",
            "longest call, ms");
    private boolean isRight = true;

    private LimitFleet(PrintStream out, Fleet fleet) {
        this.out = out;
        this.fleet = fleet;
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws Exception {
        int status = inTemporary(dir -> run(dir, System.out));
        if (status != 0) { // Maven's exec:java runs this in Maven's own JVM, which goes on after a success
            System.exit(status);
        }
    }

    private static int run(Path dir, PrintStream out) throws Exception {
        out.println("starting " + Fleet.DATA_MEMBERS + " members");
        try (Fleet fleet = Fleet.onLoopback(dir, Fleet.DATA_MEMBERS)) {
            LimitFleet program = new LimitFleet(out, fleet);
            program.limit("one key", 1, new Rule("one", 300, INTERVAL));
            program.limit("each of 100 keys", 100, new Rule("hundred", 3, INTERVAL));
            out.print("\n" + program.table);
            return program.isRight ? 0 : 1;
        }
    }

    /** What runs in a directory. */
    interface InDirectory {
        int run(Path dir) throws Exception;
    }

    /** Runs something in a new directory, and deletes it. */
    static int inTemporary(InDirectory action) throws Exception {
        Path dir = Files.createTempDirectory("hotpath-");
        try {
            return action.run(dir);
        } finally {
            MoreFiles.deleteRecursively(dir, RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }

    private void limit(String name, int keys, Rule rule) throws Exception {
        fleet.limit(rule);
        fleet.leader();
        say("%s: at most %d in %d s", name, rule.permits(), INTERVAL.toSeconds());
        fleet.start(rule.name(), keys, CLIENTS);
        long some = keys * rule.permits() * 3 / 2;
        fleet.awaitMore(rule.name(), some);
        int leader = fleet.leader();
        fleet.kill(leader);
        say("%s: %,d granted; member %d, the leader, is killed", name, fleet.granted(rule.name()), leader);
        fleet.awaitMore(rule.name(), some);
        fleet.stop();
        say("%s: %,d granted", name, fleet.granted(rule.name()));
        GrantLog.Report report = fleet.report(rule.name());
        Grants grants = report.grants();
        long most = grants.most(INTERVAL.toNanos());
        long lost = fleet.lost(grants, rule);
        isRight &= most <= rule.permits() && lost == 0;
        table.add(
                name,
                text(rule.permits()),
                text(most),
                text(lost),
                text(report.granted()),
                text(report.refusedLocally()),
                text(report.unknown()),
                text(report.longestNanos() / 1_000_000));
        fleet.relaunch(leader, "join");
        fleet.awaitUpToDate(leader);
        say("%s: member %d is back", name, leader);
    }

    private static String text(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void say(String form, Object... values) {
        out.println(String.format(Locale.ROOT, form, values));
    }
}
