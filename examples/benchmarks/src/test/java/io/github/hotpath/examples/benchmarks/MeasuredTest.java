package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredTest {
    @TempDir
    Path dir;

    @Test
    void median_oddNumberOfForks_isTheMiddleOfTheirMedians() throws IOException {
        Measured measured = read("[[7, 8, 6], [3, 20, 4], [90, 91, 92]]");

        assertThat(measured.median()).isEqualTo(7);
        assertThat(measured.primary().least()).isEqualTo(3);
        assertThat(measured.primary().most()).isEqualTo(92);
    }

    @Test
    void median_evenNumberOfForks_isTheMeanOfTheMiddleTwo() throws IOException {
        Measured measured = read("[[7, 8, 6], [3, 20, 4], [90, 91, 92], [2, 2, 30]]");

        assertThat(measured.median()).isEqualTo(5.5);
        assertThat(measured.median("bytes")).isEqualTo(5.5);
    }

    /** Of the forks' medians: one iteration that was disturbed, 900, is not in it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[48.5], [78, 900, 7], [134], [202]] | 110 (49–200)",
                "[[40], [44.8], [50]] | 45",
                "[[4], [4.44], [5.04]] | 4.4 (4.0–5.0)"
            })
    void figure_rangeOnlyIfForksDifferByMoreThanAQuarter(String forks, String figure) throws IOException {
        assertThat(read(forks).primary().figure()).isEqualTo(figure);
    }

    @ParameterizedTest
    @CsvSource({"0.04, 0.0", "9.949, 9.9", "9.96, 10", "44.8, 45", "99.6, 100", "1749, '1,700'", "-2.35, -2.4"})
    void rounded_twoDigits(double value, String figure) {
        assertThat(MarkdownTable.rounded(value)).isEqualTo(figure);
    }

    private Measured read(String values) throws IOException {
        Path file = Files.writeString(dir.resolve("x-jdk17.json"), """
                [{"benchmark": "a.B.c", "threads": 1, "params": {}, "primaryMetric": {"rawData": %s},
                  "secondaryMetrics": {"bytes": {"rawData": %s}}}]
                """.formatted(values, values));
        return Measured.read(file).get(0);
    }
}
