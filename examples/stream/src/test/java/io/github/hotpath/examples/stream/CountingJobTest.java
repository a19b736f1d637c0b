package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole jobs in a cluster in this JVM: killed and restored, and stopped and started with more subtasks. */
@Timeout(60)
class CountingJobTest {
    private static final Duration SIZE = Duration.ofSeconds(20);
    private static final Duration SLIDE = Duration.ofSeconds(1);
    private static final int KEYS = 20;
    private static final int PER_SECOND = 500;
    private static final long NEVER = -1;

    @TempDir
    private static Path dir;

    private static LocalCluster cluster;

    private final Queue<Count<Long>> results = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() throws Exception {
        cluster = new LocalCluster(dir, 3, Duration.ofMillis(100));
    }

    @AfterAll
    static void close() throws Exception {
        cluster.close();
    }

    private static GeneratedEvents events(long latenessMillis) {
        return new GeneratedEvents(60_000, KEYS, PER_SECOND, latenessMillis);
    }

    private static GeneratedJob job(GeneratedEvents events, int parallelism) {
        return new GeneratedJob(events, SIZE, SLIDE, Way.HOTPATH, parallelism);
    }

    @ParameterizedTest(name = "{0} ms late")
    @ValueSource(longs = {0, 1_000})
    void job_killedAndRestored_eachResultIsExact(long latenessMillis) throws Exception {
        GeneratedEvents events = events(latenessMillis);
        killAndCompare(events, job(events, 2));
    }

    private void killAndCompare(GeneratedEvents events, GeneratedJob counted) throws Exception {
        ExpectedCounts expected = new ExpectedCounts(events, SIZE, SLIDE);
        try (Control control = new Control(31_777, results::add, 30_000)) {
            JobID job = cluster.submit(counted, control, SavepointRestoreSettings.none());
            CompletableFuture<Void> end = cluster.end(job);
            CompletableFuture.anyOf(control.gates.get(0).reached(), end).join();
            cluster.checkpoint(job);
            control.gates.get(0).open();

            end.join();

            assertThat(control.resumedNanos).as("a task was killed").isNotZero();
            assertThat(expected.compare(results)).isEqualTo(expected.all());
        }
    }

    /** One key has 90 % of the events, and is counted in parts. */
    @Test
    void job_hotKeyKilledAndRestored_eachResultIsExact() throws Exception {
        GeneratedEvents events = new GeneratedEvents(60_000, KEYS, PER_SECOND, 1_000, 90);
        killAndCompare(events, new GeneratedJob(events, SIZE, SLIDE, Way.HOTPATH, Set.of(0L), 2));
    }

    @Test
    void job_stoppedAndStartedWithMoreSubtasks_eachResultIsExact(@TempDir Path savepoints) throws Exception {
        GeneratedEvents events = events(1_000);
        stopAndContinue(events, job(events, 2), job(events, 3), savepoints);
    }

    @Test
    void job_stoppedAndStartedWithAnotherHotKey_eachResultIsExact(@TempDir Path savepoints) throws Exception {
        GeneratedEvents events = events(1_000);
        stopAndContinue(
                events,
                new GeneratedJob(events, SIZE, SLIDE, Way.HOTPATH, Set.of(0L, 1L), 2),
                new GeneratedJob(events, SIZE, SLIDE, Way.HOTPATH, Set.of(1L, 2L), 2),
                savepoints);
    }

    private void stopAndContinue(GeneratedEvents events, GeneratedJob first, GeneratedJob second, Path savepoints)
            throws Exception {
        ExpectedCounts expected = new ExpectedCounts(events, SIZE, SLIDE);
        SavepointRestoreSettings savepoint;
        try (Control control = new Control(NEVER, results::add, 30_000)) {
            JobID job = cluster.submit(first, control, SavepointRestoreSettings.none());
            CompletableFuture.anyOf(control.gates.get(0).reached(), cluster.end(job))
                    .join();
            savepoint = cluster.stopWithSavepoint(job, savepoints);
        }
        int before = results.size();

        try (Control control = new Control(NEVER, results::add)) {
            JobID job = cluster.submit(second, control, savepoint);
            cluster.end(job).join();
        }

        assertThat(before).isPositive();
        assertThat(results).doesNotHaveDuplicates();
        assertThat(expected.compare(results)).isEqualTo(expected.all());
    }
}
