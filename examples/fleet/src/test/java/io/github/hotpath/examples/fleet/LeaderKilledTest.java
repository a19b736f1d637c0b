package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members in processes of their own, of which one is killed. */
@Tag("fleet")
@Timeout(60)
class LeaderKilledTest {
    private static final int KEYS = 100;
    private static final Rule RULE = new Rule("killed", 4, Duration.ofSeconds(2));

    @TempDir
    private Path dir;

    /** Many keys, so that at any moment some are full and some are granted. */
    @Test
    void tryAcquire_leaderKilledAndStarted_neverExceedsAndForgetsNothing() throws Exception {
        try (Fleet fleet = Fleet.onLoopback(dir, Fleet.DATA_MEMBERS, "-XX:TieredStopAtLevel=1")) {
            fleet.limit(RULE);
            fleet.start("run", KEYS, 4);
            fleet.awaitGranted("run", 500);

            int leader = fleet.leader();
            fleet.kill(leader);
            fleet.awaitMore("run", 500);
            fleet.relaunch(leader, "-XX:TieredStopAtLevel=1");
            fleet.awaitMore("run", 500);
            fleet.stop();

            Report report = fleet.report("run");
            assertThat(report.grants().fullestWindow(RULE.interval().toNanos())).isEqualTo(RULE.permits());
            assertThat(fleet.lost(report, RULE)).isZero();
            assertThat(report.refusedLocally()).isPositive();
            fleet.awaitSameState(List.of(0, 1, 2));
        }
    }

    /** When a leader is killed, some attempts are in the log, but not answered. They are sent to its successor. */
    @Test
    void tryAcquire_leadersKilledOneAfterTheOther_countsEachAttemptOnce() throws Exception {
        String option = "-XX:TieredStopAtLevel=1";
        Rule rule = new Rule("once", 1_000_000, Duration.ofHours(1));
        try (Fleet fleet = Fleet.onLoopback(dir, Fleet.DATA_MEMBERS, option)) {
            int client = Fleet.DATA_MEMBERS;
            fleet.launch(client, new MemberProcess.Start(List.of(), List.of(option), MemberProgram.NO_DATA, 0));
            fleet.member(client).answer();
            fleet.limit(rule);
            fleet.start(client, "run", 1, 12); // of the killed ones, nobody would know what they were granted
            for (int round = 0; round < 4; round++) {
                fleet.awaitMore("run", 300);
                int leader = fleet.leader(List.of(0, 1, 2));
                fleet.kill(leader);
                fleet.awaitMore("run", 300);
                fleet.relaunch(leader, option);
                fleet.limit(leader, rule);
            }
            fleet.stop();

            Report report = fleet.report("run");
            long counted = rule.permits() - fleet.available().get(Clients.name(0));
            assertThat(counted).isBetween(report.granted(), report.granted() + report.unknown());
            assertThat(report.unknown()).as("unknown of %d", report.attempts()).isLessThan(100);
        }
    }
}
