package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        Files.createDirectories(dir.resolve("page/raw"));
    }

    @Test
    void run_fillsEachPlace_andLeavesTheRest() throws IOException {
        Files.writeString(dir.resolve("page/raw/missing-jdk17.json"), String.format(MISSING, "1"));
        Files.writeString(dir.resolve("page/raw/missing-jdk25.json"), String.format(MISSING, "2"));

        assertThat(run("before\n\n<!-- table missing -->\nold\n<!-- end -->\nafter\n"))
                .isZero();

        assertThat(page()).hasContent("""
                before

                <!-- table missing -->
                | JDK | way | depth 1, µs | depth 2, µs |
                | --- | --- | ---: | ---: |
                | 17 | Dirs.ensure | 6.0 (4.0–8.0) | – |
                | 25 | Dirs.ensure | – | 6.0 (4.0–8.0) |
                <!-- end -->
                after
                """);
    }

    /** Every result of the suite can be put into a table. */
    @ParameterizedTest
    @EnumSource
    void run_noResults_emptyTable(TableOf table) throws IOException {
        assertThat(run("<!-- table " + name(table) + " -->\n<!-- end -->\n")).isZero();

        assertThat(page()).content().contains("| JDK | ");
    }

    @Test
    void run_pageInTheDirectory_oneJdk_isFilledToo() throws IOException {
        Files.writeString(dir.resolve("page/raw/missing-jdk17.json"), String.format(MISSING, "1"));
        Files.writeString(dir.resolve("page/part.md"), "<!-- table missing jdk17 -->\n<!-- end -->\n");

        assertThat(run("no table\n")).isZero();

        assertThat(page()).hasContent("no table\n");
        assertThat(dir.resolve("page/part.md"))
                .content()
                .contains("| way | depth 1, µs |", "| Dirs.ensure | 6.0 (4.0–8.0) |");
    }

    @Test
    void run_pagesOfThisProject_areAsTheyWere() throws IOException {
        Path docs = Path.of(System.getProperty("basedir", "")).resolve("../../docs");
        FileUtils.copyDirectory(
                docs.resolve("performance").toFile(), dir.resolve("page").toFile());
        Files.copy(docs.resolve("performance.md"), page());

        assertThat(Tables.run(System.err, dir.resolve("page").toString())).isZero();

        List<Path> before = Tables.pages(docs.resolve("performance"));
        List<Path> after = Tables.pages(dir.resolve("page"));
        assertThat(after).hasSameSizeAs(before);
        for (int i = 0; i < before.size(); i++) {
            assertThat(after.get(i)).hasSameTextualContentAs(before.get(i));
        }
    }

    /**
     * Every table stands in a page for each JDK, and is checked there, but that of all crowds, which is printed after a
     * run, and those that repeat figures of another table.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"CROWD", ".*_IN_SHORT"})
    void pagesOfThisProject_haveEachTable(TableOf table) throws IOException {
        Path docs = Path.of(System.getProperty("basedir", "")).resolve("../../docs");
        StringBuilder texts = new StringBuilder();
        for (Path page : Tables.pages(docs.resolve("performance"))) {
            texts.append(Files.readString(page));
        }

        for (int jdk : table.jdks(docs.resolve("performance").resolve(Results.RAW))) {
            assertThat(texts)
                    .containsAnyOf(
                            "<!-- table " + name(table) + " -->\n| JDK | ",
                            "<!-- table " + name(table) + " jdk" + jdk + " -->\n| ");
        }
    }

    @Test
    void run_noDirectory_oneLineAndStatus2() throws IOException {
        assertThat(Tables.run(new PrintStream(err, true, StandardCharsets.UTF_8), "missing"))
                .isEqualTo(2);
        assertThat(err)
                .hasToString(
                        String.format("Tables: missing: not one directory with results in raw; usage: Tables DIR%n"));
    }

    private static String name(TableOf table) {
        return table.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Path page() {
        return dir.resolve("page.md");
    }

    private int run(String text) throws IOException {
        Files.writeString(page(), text);
        return Tables.run(
                new PrintStream(err, true, StandardCharsets.UTF_8),
                dir.resolve("page").toString());
    }
}
