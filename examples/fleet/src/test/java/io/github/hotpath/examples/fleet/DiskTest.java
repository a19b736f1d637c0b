package io.github.hotpath.examples.fleet;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import io.github.hotpath.examples.fleet.Fleet.Start;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are slow, or hang. */
@Tag("fleet")
@Timeout(1_200)
class DiskTest {
    private static final String RUN = "run";
    private static final Rule RULE = new Rule("load", 1_000_000, Duration.ofSeconds(1));

    @TempDir
    private Path dir;

    /** The command that delays each forcing of the disk, of the process that the last argument names. */
    private static List<String> delayed(Duration delay, String process) {
        String strace = "/usr/bin/strace";
        assumeTrue(Files.isExecutable(Path.of(strace)), "strace is not installed");
        return List.of(
                strace,
                "--follow-forks",
                "--quiet=all",
                "--output=/dev/null",
                "--trace=fsync,fdatasync",
                "--inject=fsync,fdatasync:delay_enter=" + TimeUnit.NANOSECONDS.toMicros(delay.toNanos()),
                process);
    }

    /** Snapshots of the leader come while entries wait to be written. */
    @Test
    void tryAcquire_diskOfAFollowerIsSlow_catchesUpWhenTheLoadEnds() throws Exception {
        List<String> slow = delayed(Duration.ofMillis(150), "--seccomp-bpf");
        List<String> options =
                List.of("-XX:TieredStopAtLevel=1", "-Dhotpath.fleet.snapshot=200", "-Dhotpath.fleet.segment=8");
        try (Fleet fleet = Fleet.onLoopback(dir, 3, options.toArray(String[]::new))) {
            fleet.limit(RULE);
            fleet.start(RUN, 100, 4);
            fleet.awaitMore(RUN, 200);
            int follower = (fleet.leader() + 1) % 3;
            fleet.kill(follower);
            fleet.launch(follower, new Start("join", slow, options));
            fleet.answer(follower);
            fleet.awaitMore(RUN, 10_000);
            fleet.stop();
            fleet.awaitUpToDate(follower);
        }
    }

    /** Ratis commits no further than its leader has written, and the leader's heartbeats go on. */
    @Test
    void tryAcquire_diskOfTheLeaderHangs_othersServe() throws Exception {
        try (Fleet fleet = Fleet.onLoopback(dir, 3, "-XX:TieredStopAtLevel=1")) {
            fleet.limit(RULE);
            fleet.start(RUN, 100, 2);
            fleet.awaitMore(RUN, 20);
            int leader = fleet.leader();
            List<Integer> others = new ArrayList<>(fleet.numbers());
            others.remove((Integer) leader);
            long pid = fleet.member(leader).process().pid();
            Process strace = new ProcessBuilder(delayed(Duration.ofMinutes(5), "--attach=" + pid)).start();
            try {
                fleet.leader(others);
                for (int other : others) {
                    fleet.awaitServed(RUN, other);
                }
                Fleet.await(() -> fleet.ask(leader, "problem").equals(DataMember.HUNG), "the end of the leader");
            } finally {
                strace.destroy();
                strace.waitFor();
            }
        }
    }
}
