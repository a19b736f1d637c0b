package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TablesTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "")).resolve("../..");
    private static final String JMH = """
            [{"benchmark": "org.example.DirsBenchmark.dirsEnsure", "jvm": "/a/jdk", "threads": 1, "params": {"depth": "1000"},
              "primaryMetric": {"scoreUnit": "us/op", "rawData": [[5.0, 3.0], [8.0]], "scorePercentiles": {}},
              "secondaryMetrics": {"gc.alloc.rate.norm": {"scoreUnit": "B/op", "rawData": [[88.0], [88.0]]}}}]
            """;

    @TempDir
    Path dir;

    @Test
    void table_ofJmhsResults_hasMedianAndRange() throws IOException {
        assertThat(new Tables(results()).in("""
                before
                <!-- table dirs jdk17: method; depth; time, allocated; threads=1 -->
                old
                <!-- end -->
                after
                """)).isEqualTo("""
                before
                <!-- table dirs jdk17: method; depth; time, allocated; threads=1 -->
                | call | 1,000, µs | 1,000, bytes allocated |
                | --- | ---: | ---: |
                | Dirs.ensure | 6.0 (4.0–8.0) | 88 |
                <!-- end -->
                after
                """);
    }

    @Test
    void rows_ofSelections_haveOursAndOthers() throws IOException {
        assertThat(new Tables(results()).in("""
                <!-- rows jdk17: call | here | others
                a call | dirs/depth=1000 | again, and/or=not: dirs/method=dirsEnsure
                -->
                <!-- end -->
                """))
                .contains("| a call | 6.0 (4.0–8.0) | again, and/or=not 6.0 (4.0–8.0) |\n<!-- end -->");
    }

    @Test
    void results_haveNoPlaceOfTheMachine() throws IOException {
        results();

        assertThat(dir.resolve("dirs-jdk17.json")).content().doesNotContain("/a/jdk", "scorePercentiles");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dirs/depth=2", "dirs/method=dirs"})
    void selection_ofNothing_isRejected(String selection) throws IOException {
        Results results = results();

        assertThatThrownBy(() -> results.only(selection, 17)).hasMessage(selection + ", JDK 17: 0 results");
    }

    @Test
    void pagesAndPictures_areWhatTheRawResultsGive() throws IOException {
        Path docs = Path.of("docs", "performance");
        FileUtils.copyDirectory(
                ROOT.resolve(docs).toFile(),
                Files.createDirectories(dir.resolve(docs)).toFile());
        Results results = new Results(dir.resolve(docs).resolve("raw"));
        Tables tables = new Tables(results);
        for (Path page : Tables.pages(ROOT)) {
            assertThat(page).hasContent(tables.in(Files.readString(page)));
        }

        Charts.write(results, dir.resolve(docs));

        for (String file : List.of("burst.svg", "limiter.svg", "shared-counter.svg", "raw/burst.txt")) {
            assertThat(dir.resolve(docs).resolve(file))
                    .hasSameTextualContentAs(ROOT.resolve(docs).resolve(file));
        }
        assertThat(ROOT.resolve(docs).resolve("raw/targets.txt"))
                .hasContent(String.join("\n", new Targets(results).lines()));
    }

    private Results results() throws IOException {
        Path jmh = Files.writeString(dir.resolve("jmh.json"), JMH);
        Results results = new Results(dir);
        results.write("dirs", 17, List.of(jmh));
        return results;
    }
}
