package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TablesTest {
    private static final String MISSING = """
            [{"benchmark": "org.example.MissingDirsBenchmark.ensure", "threads": 1, "params": {"depth": "%s"},
              "primaryMetric": {"rawData": [[5.0, 3.0], [8.0]]}, "secondaryMetrics": {}}]
            """;

    @TempDir
    Path dir;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void makeDirectoryOfResults() throws IOException {
        Files.createDirectory(dir.resolve("page"));
    }

    @Test
    void run_fillsEachPlace_andLeavesTheRest() throws IOException {
        Files.writeString(dir.resolve("page/missing-jdk17.json"), String.format(MISSING, "1"));
        Files.writeString(dir.resolve("page/missing-jdk25.json"), String.format(MISSING, "2"));

        assertThat(run("before\n\n<!-- table missing -->\nold\n<!-- end -->\nafter\n"))
                .isZero();

        assertThat(page()).hasContent("""
                before

                <!-- table missing -->
                | JDK | way | depth 1, µs | depth 2, µs |
                | --- | --- | ---: | ---: |
                | 17 | ensure | 6.0 (4.0–8.0) | – |
                | 25 | ensure | – | 6.0 (4.0–8.0) |
                <!-- end -->
                after
                """);
    }

    /** Every result of the suite can be put into a table. */
    @ParameterizedTest
    @EnumSource
    void run_noResults_emptyTable(TableOf table) throws IOException {
        String name = table.name().toLowerCase(Locale.ROOT).replace('_', '-');

        assertThat(run("<!-- table " + name + " -->\n<!-- end -->\n")).isZero();

        assertThat(page()).content().contains("| JDK | ");
    }

    @Test
    void run_pageOfThisProject_isAsItWas() throws IOException {
        Path docs = Path.of(System.getProperty("basedir", "")).resolve("../../docs");
        FileUtils.copyDirectory(
                docs.resolve("performance").toFile(), dir.resolve("page").toFile());
        String text = Files.readString(docs.resolve("performance.md"));

        assertThat(run(text)).isZero();

        assertThat(text).contains("<!-- table ");
        assertThat(page()).hasContent(text);
    }

    @Test
    void run_noPage_oneLineAndStatus2() throws IOException {
        assertThat(Tables.run(new PrintStream(err, true, StandardCharsets.UTF_8), "missing.md"))
                .isEqualTo(2);
        assertThat(err).hasToString(String.format("Tables: missing.md: not one page; usage: Tables PAGE.md%n"));
    }

    private Path page() {
        return dir.resolve("page.md");
    }

    private int run(String text) throws IOException {
        Files.writeString(page(), text);
        return Tables.run(new PrintStream(err, true, StandardCharsets.UTF_8), page().toString());
    }
}
