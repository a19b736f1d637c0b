package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members in processes of their own, of which one is killed. */
@Timeout(60)
class OwnerKilledTest {
    private static final int KEYS = 300;
    private static final Rule RULE = new Rule("killed", 4, Duration.ofSeconds(2), Duration.ofMillis(100));

    @TempDir
    private Path dir;

    /** Many keys, so that at any moment some are full, some are granted, and some have just moved. */
    @Test
    void tryAcquire_ownerKilledAndReplaced_neverExceedsAndForgetsNothing() throws Exception {
        try (Fleet fleet = new Fleet(dir, FleetMembers.DATA_MEMBERS, "-XX:TieredStopAtLevel=1")) {
            fleet.join(RULE);
            fleet.awaitAll();
            fleet.start("run", KEYS, 2);
            fleet.awaitGranted("run", 1_300);

            int port = fleet.kill(fleet.owner());
            fleet.awaitGranted("run", 2_400);
            fleet.join(fleet.launch(port, true), RULE);
            fleet.awaitGranted("run", 3_600);
            fleet.stop();

            Report report = fleet.report("run");
            assertThat(report.grants().fullestWindow(RULE.interval().toNanos())).isEqualTo(RULE.permits());
            assertThat(fleet.lost(report, KEYS, RULE)).isZero();
            assertThat(report.refusedLocally()).isPositive();
        }
    }
}
