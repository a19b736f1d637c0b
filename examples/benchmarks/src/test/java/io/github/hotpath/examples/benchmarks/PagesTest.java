package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

class PagesTest {
    private static final Path DOCS = Path.of(System.getProperty("basedir", "")).resolve("../../docs");
    private static final String MISSING = """
            [{"benchmark": "org.example.MissingDirsBenchmark.ensure", "threads": 1, "params": {"depth": "1"},
              "primaryMetric": {"rawData": [[5.0, 3.0], [8.0]]}, "secondaryMetrics": {}}]
            """;

    @TempDir
    Path dir;

    @BeforeEach
    void makeDirectoryOfResults() throws IOException {
        Files.createDirectories(dir.resolve("docs/page/raw"));
    }

    @Test
    void write_fillsEachPlace_andLeavesTheRest() throws IOException {
        Files.writeString(dir.resolve("docs/page/raw/missing-jdk17.json"), MISSING);
        String text = "before\n\n<!-- table missing jdk17 -->\nold\n<!-- end -->\nafter\n";
        for (String page : List.of("docs/page.md", "docs/page/part.md", "README.md")) {
            Files.writeString(dir.resolve(page), text);
        }

        Pages.write(dir.resolve("docs/page"));

        for (String page : List.of("docs/page.md", "docs/page/part.md", "README.md")) {
            assertThat(dir.resolve(page)).hasContent("""
                    before

                    <!-- table missing jdk17 -->
                    | call | depth 1, µs |
                    | --- | ---: |
                    | Dirs.ensure | 6.0 (4.0–8.0) |
                    <!-- end -->
                    after
                    """);
        }
    }

    @Test
    void write_pagesOfThisProject_areAsTheyWere() throws IOException {
        FileUtils.copyDirectory(
                DOCS.resolve("performance").toFile(),
                dir.resolve("docs/performance").toFile());
        Files.copy(DOCS.resolve("performance.md"), dir.resolve("docs/performance.md"));
        Files.copy(DOCS.resolve("../README.md"), dir.resolve("README.md"));

        Pages.write(dir.resolve("docs/performance"));

        List<Path> before = Pages.pages(DOCS.resolve("performance"));
        List<Path> after = Pages.pages(dir.resolve("docs/performance"));
        assertThat(after).hasSameSizeAs(before);
        for (int i = 0; i < before.size(); i++) {
            assertThat(after.get(i)).hasSameTextualContentAs(before.get(i));
        }
        for (String picture : List.of("shared-counter", "limiter", "crowd", "burst")) {
            assertThat(dir.resolve("docs/performance/" + picture + ".svg"))
                    .hasSameTextualContentAs(DOCS.resolve("performance/" + picture + ".svg"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void pagesOfThisProject_haveEachTable(TableOf table) throws IOException {
        StringBuilder texts = new StringBuilder();
        for (Path page : Pages.pages(DOCS.resolve("performance"))) {
            texts.append(Files.readString(page));
        }

        assertThat(texts)
                .contains("<!-- table " + table.name().toLowerCase(Locale.ROOT).replace('_', '-') + " jdk25 -->\n| ");
    }
}
