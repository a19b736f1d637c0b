package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredTest {
    @TempDir
    Path dir;

    /** Another program has disturbed one fork, and one iteration of the other. */
    @Test
    void median_ofTimePerCall_isThatOfTheFastestFork() throws IOException {
        Measured measured = read("avgt", "[[7, 8, 6], [3, 20, 4]]");

        assertThat(measured.median()).isEqualTo(4);
        assertThat(measured.primary().least()).isEqualTo(3);
        assertThat(measured.primary().most()).isEqualTo(20);
        assertThat(measured.median("bytes")).isEqualTo(6.5);
    }

    /** There, the JVMs differ because the calls do. */
    @Test
    void median_ofOtherFigure_isThatOfAllForks() throws IOException {
        assertThat(read("full", "[[7, 8, 6], [3, 20, 4]]").median()).isEqualTo(6.5);
    }

    private Measured read(String mode, String values) throws IOException {
        Path file = Files.writeString(dir.resolve("x-jdk17.json"), """
                [{"benchmark": "a.B.c", "mode": "%s", "threads": 1, "params": {}, "primaryMetric": {"rawData": %s},
                  "secondaryMetrics": {"bytes": {"rawData": %s}}}]
                """.formatted(mode, values, values));
        return Measured.read(file).get(0);
    }
}
