package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A state of {@link SlidingCounts} that was written once, with Flink 2.3.0: jobs have states like this one. */
class StoredStateTest {
    private static final String FILE = "sliding-counts-v1.bin";
    private static final int PARALLELISM = 2;

    private final Subtasks subtasks = new Subtasks(Duration.ofMinutes(1), Duration.ofSeconds(1));

    @AfterEach
    void close() throws Exception {
        subtasks.close();
    }

    @Test
    void restart_storedState_countsOn() throws Exception {
        Path file = Path.of(getClass().getResource(FILE).toURI());

        subtasks.restart(
                new Subtasks.Checkpoint(OperatorSnapshotUtil.readStateHandle(file.toString()), PARALLELISM), 3);
        subtasks.process(7, 100_500); // is late, for the watermark is at 100.999 s
        subtasks.watermark(102_999);

        assertThat(subtasks.results()).containsExactlyInAnyOrderElementsOf(expected());
    }

    private static List<Count<Long>> expected() {
        return List.of(
                new Count<>(7L, 102_000, 2),
                new Count<>(7L, 103_000, 3),
                new Count<>(8L, 102_000, 1),
                new Count<>(8L, 103_000, 1));
    }

    /** Writes the state to a file. */
    public static void main(String[] args) throws Exception {
        Subtasks subtasks = new Subtasks(Duration.ofMinutes(1), Duration.ofSeconds(1));
        subtasks.start(PARALLELISM);
        subtasks.process(7, 99_000);
        subtasks.process(8, 60_000);
        subtasks.process(7, 102_500);
        subtasks.watermark(100_999);
        OperatorSnapshotUtil.writeStateHandle(subtasks.checkpoint().state(), args[0]);
        subtasks.close();
    }
}
