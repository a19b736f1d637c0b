package io.github.hotpath.examples.fleet;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import io.github.hotpath.examples.fleet.Fleet.Start;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower whose disk is slow: snapshots of the leader come while entries wait to be written. */
@Tag("fleet")
@Timeout(600)
class CatchUpTest {
    private static final String RUN = "run";

    /** Delays each forcing of the disk by 150 ms. */
    private static final List<String> SLOW_DISK = List.of(
            "/usr/bin/strace",
            "--follow-forks",
            "--seccomp-bpf",
            "--quiet=all",
            "--output=/dev/null",
            "--trace=fsync,fdatasync",
            "--inject=fsync,fdatasync:delay_enter=150000");

    @TempDir
    private Path dir;

    @Test
    void tryAcquire_diskOfAFollowerIsSlow_catchesUpWhenTheLoadEnds() throws Exception {
        assumeTrue(Files.isExecutable(Path.of(SLOW_DISK.get(0))), "strace is not installed");
        List<String> options =
                List.of("-XX:TieredStopAtLevel=1", "-Dhotpath.fleet.snapshot=200", "-Dhotpath.fleet.segment=8");
        try (Fleet fleet = Fleet.onLoopback(dir, 3, options.toArray(String[]::new))) {
            fleet.limit(new Rule("load", 1_000_000, Duration.ofSeconds(1)));
            fleet.start(RUN, 100, 4);
            fleet.awaitMore(RUN, 200);
            int follower = (fleet.leader() + 1) % 3;
            fleet.kill(follower);
            fleet.launch(follower, new Start("join", SLOW_DISK, options));
            fleet.answer(follower);
            fleet.awaitMore(RUN, 20_000);
            fleet.stop();
            fleet.awaitUpToDate(follower);
        }
    }
}
