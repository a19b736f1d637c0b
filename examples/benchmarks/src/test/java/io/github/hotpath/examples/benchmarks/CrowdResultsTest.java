package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrowdResultsTest {
    private static final CrowdCase TWO = CrowdCase.of("toArray", 2, "window", "REENTRANT_LOCK");
    private static final CrowdCase MANY = CrowdCase.of("toArray", 200, "window", "REENTRANT_LOCK");
    private static final CrowdCase LATE = CrowdCase.of("lateSources", 1, "window", "EVENT_WINDOW", "sources", "8");

    @TempDir
    Path dir;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = dir.resolve("crowd-jdk17.json");
        CrowdResults results = new CrowdResults(true);
        results.add(LATE, Map.of("perEvent", 8.0));
        results.add(MANY, Map.of("p50", 5.0));
        results.add(MANY, Map.of());
        results.add(MANY, Map.of("p50", 1.0));
        results.write(file, List.of(TWO, MANY, LATE));
    }

    @Test
    void write_canBeRead_inTheOrderOfCases() throws IOException {
        List<Measured> read = Measured.read(file);

        assertThat(read).extracting(Measured::method).containsExactly("toArray", "lateSources");
        assertThat(read.get(0).threads()).isEqualTo(200);
        assertThat(read.get(0).primary().iterations()).containsExactly(1.0, 5.0);
        assertThat(read.get(0).median("p50")).isEqualTo(3);
        assertThat(read.get(1).number("sources")).isEqualTo(8);
        assertThat(read.get(1).median()).isEqualTo(8);
    }

    @Test
    void write_again_keepsWhatWasNotMeasured() throws IOException {
        CrowdResults results = new CrowdResults(false);
        results.add(TWO, Map.of("p50", 2.0));
        results.add(LATE, Map.of("perEvent", 9.0));

        results.write(file, List.of(TWO, MANY, LATE));

        assertThat(Measured.read(file)).extracting(Measured::median).containsExactly(2.0, 3.0, 9.0);
    }

    /** An earlier figure in its place would be taken for today's. */
    @Test
    void write_failed_noResult() throws IOException {
        CrowdResults results = new CrowdResults(false);
        results.add(MANY, Map.of());

        results.write(file, List.of(TWO, MANY, LATE));

        assertThat(Measured.read(file)).extracting(Measured::method).containsExactly("lateSources");
    }
}
