package io.github.hotpath.examples.article.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.article.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepeatedStageTest {
    @TempDir
    private Path dir;

    /** A run reads the clock at each of its 100,000 turns and at its start and end, and it is read between runs. */
    @ParameterizedTest
    @CsvSource({"0, 1", "100003, 1", "100004, 2", "200006, 2", "200007, 3"})
    void run_nanos_wholeRunsUntilTheyAreOver(long nanos, int runs) throws IOException {
        int ran = RepeatedStage.run(
                Stage.HOTPATH, dir, nanos, LongStream.iterate(-1, n -> n + 1).iterator()::nextLong);

        assertThat(ran).isEqualTo(runs);
        assertThat(dir.resolve("a/b")).isEmptyDirectory();
    }
}
