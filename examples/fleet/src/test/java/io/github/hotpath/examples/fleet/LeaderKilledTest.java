package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members in processes of their own, of which one is killed. */
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
}
