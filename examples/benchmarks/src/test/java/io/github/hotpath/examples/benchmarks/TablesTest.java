package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.examples.benchmarks.Results.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TablesTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "")).resolve("../..");
    private static final String JMH = """
            [{"benchmark": "org.example.DirsBenchmark.dirsEnsure", "jvm": "/a/jdk", "threads": 1, "params": {"depth": "1000"},
              "primaryMetric": {"scoreUnit": "us/op", "rawData": [[FIGURES]], "scorePercentiles": {}},
              "secondaryMetrics": {"gc.alloc.rate.norm": {"scoreUnit": "B/op", "rawData": [[88.0]]}}}]
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
    void table_ofTwoJdks_hasBothInACellAndTheUnitInFront() throws IOException {
        results("4.0");
        Files.writeString(
                dir.resolve("dirs-jdk25.json"),
                Files.readString(dir.resolve("dirs-jdk17.json")).replace("1000", "7"));

        assertThat(new Tables(new Results(dir)).in("""
                <!-- table dirs jdk25 jdk17: method; depth; time -->
                <!-- end -->
                """)).contains("""
                        | call, µs | 7 | 1,000 |
                        | --- | ---: | ---: |
                        | Dirs.ensure | 4.0 / – | – / 4.0 |
                        """);
    }

    @ParameterizedTest
    @CsvSource({"depth=1000, true", "not depth=1000, false", "depth=1, false", "not depth=1, true"})
    void table_hasWhatMeetsAllConditions(String condition, boolean isThere) throws IOException {
        String table = new Tables(results())
                .in("<!-- table dirs jdk17: method; depth; time; threads=1; " + condition + " -->\n<!-- end -->\n");

        assertThat(table.contains("| Dirs.ensure |")).isEqualTo(isThere);
    }

    @Test
    void value_isNamedAsThoseOfItsKey() throws IOException {
        results("4.0");
        Path file = dir.resolve("dirs-jdk17.json");
        Files.writeString(file, Files.readString(file).replace("\"depth\":\"1000\"", "\"counter\":\"Jetty\""));

        assertThat(new Tables(new Results(dir)).in("<!-- table dirs jdk17: counter; ; time -->\n<!-- end -->\n"))
                .contains("| Jetty, and count | 4.0 |");
    }

    @ParameterizedTest
    @CsvSource({
        "9.5, 10.0, 10.5, 10",
        "9.4, 10.0, 10.5, 10 (9.4–11)",
        "9.5, 10.0, 10.6, 10 (9.5–11)",
        "0.10, 0.11, 0.14, 0.1"
    })
    void range_isShownIfAFigureIsATwentiethOffTheMedian(String least, String median, String most, String shown)
            throws IOException {
        results(most, least, median);

        assertThat(new Tables(new Results(dir)).in("<!-- table dirs jdk17: method; ; time -->\n<!-- end -->\n"))
                .contains("| Dirs.ensure | " + shown + " |");
    }

    @Test
    void rows_ofSelections_haveOursAndOthers() throws IOException {
        assertThat(new Tables(results()).in("""
                <!-- rows jdk17: call | here | others
                a call | dirs/depth=1000 | again, and/or=not: dirs/method=dirsEnsure
                one more | dirs/depth=1000 | : dirs/method=dirsEnsure
                -->
                <!-- end -->
                """)).contains("""
                        | a call | 6.0 (4.0–8.0) | again, and/or=not 6.0 (4.0–8.0) |
                        | one more | 6.0 (4.0–8.0) | 6.0 (4.0–8.0) |
                        """);
    }

    @Test
    void results_haveNoPlaceOfTheMachine() throws IOException {
        results();

        assertThat(dir.resolve("dirs-jdk17.json")).content().doesNotContain("/a/jdk", "scorePercentiles");
    }

    @Test
    void targets_thatAreMissed_areMarked() throws IOException {
        assertThat(new Tables(results()).in("""
                <!-- targets jdk17: target
                less | 5.5 | dirs/depth=1000
                bytes | 88 | dirs/depth=1000#allocated
                itself | 1 | dirs/depth=1000 / dirs/depth=1000
                -->
                <!-- end -->
                """)).contains("""
                        | less | 5.5 | **missed:** 6.00 |
                        | bytes | 88 | 88 |
                        | itself | 1 | 1.00 |
                        """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            3.9; true
            4.0; false
            """)
    void ahead_isWhoseSlowestJvmIsFasterThanOurFastest(double slowest, boolean isAhead) throws IOException {
        Results results = results("6.0", "4.0");
        Map<Map<String, String>, Row> rows = new LinkedHashMap<>();
        Results.add(rows, json("6.0").replace("dirsEnsure", "ours"), "a", "b", "c");
        Results.add(rows, json("4.0").replace("dirsEnsure", "ours"), "a", "b", "c");
        Results.add(rows, json("1.0"), "a", "b", "c");
        Results.add(rows, json(Double.toString(slowest)), "a", "b", "c");
        results.write("dirs", 17, rows.values());

        String table = new Tables(results).in("""
                <!-- ahead jdk17:
                a call; dirs; method; ours
                -->
                <!-- end -->
                """);

        assertThat(table.contains("| a call, 1,000, µs | 5.0 (4.0–6.0) | Dirs.ensure "))
                .isEqualTo(isAhead);
    }

    @ParameterizedTest
    @CsvSource({"1000, true", "1, false"})
    void ahead_isWhatAllJdksHave(String depth, boolean isThere) throws IOException {
        Results results = new Results(dir);
        Map<Map<String, String>, Row> rows = new LinkedHashMap<>();
        Results.add(rows, json("6.0").replace("dirsEnsure", "ours"), "a", "b", "c");
        Results.add(rows, json("4.0"), "a", "b", "c");
        results.write("dirs", 25, rows.values());
        Path file = dir.resolve("dirs-jdk25.json");
        Files.writeString(dir.resolve("dirs-jdk17.json"), Files.readString(file).replace("1000", depth));

        String table = new Tables(results).in("<!-- ahead jdk25 jdk17: a call; dirs; method; ours -->\n<!-- end -->\n");

        assertThat(table.contains("| a call, 1,000, µs | 6.0 / 6.0 | Dirs.ensure 4.0 / 4.0 |"))
                .isEqualTo(isThere);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            8.1, 9.1; true
            8.0, 9.0; false
            3.8, 1.0; true
            5.0, 9.0; false
            """)
    void changes_areOfRowsWhoseRoundsAreAllOnOneSide(String figures, boolean isChanged) throws IOException {
        Results results = results("4.0", "8.0");
        results.retire("dirs", 17);
        results(figures.split(", "));

        String table = new Tables(results).in("<!-- changes jdk17: -->\n<!-- end -->\n");

        assertThat(table.contains(", µs | 6.0 (4.0–8.0) |")).isEqualTo(isChanged);
    }

    @Test
    void settings_nameTheCommit_andHowManyRoundsThereWere() throws IOException {
        assertThat(new Tables(results()).in("<!-- measured jdk17: -->\n<!-- end -->\n"))
                .contains("| abcdef12 | 2026-11-28 | not noted | 0 of null | 0 of null | 2 | 17 | dirs |");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dirs/depth=2", "dirs/method=dirs"})
    void selection_ofNothing_isRejected(String selection) throws IOException {
        Results results = results();

        assertThatThrownBy(() -> results.only(selection, 17)).hasMessage(selection + ", JDK 17: 0 results");
    }

    @Test
    void pages_areWhatTheRawResultsGive() throws IOException {
        Path docs = Path.of("docs", "performance");
        FileUtils.copyDirectory(
                ROOT.resolve(docs).toFile(),
                Files.createDirectories(dir.resolve(docs)).toFile());
        Results results = new Results(dir.resolve(docs).resolve("raw"));
        Tables tables = new Tables(results);
        for (Path page : Tables.pages(ROOT)) {
            assertThat(page).hasContent(tables.in(Files.readString(page)));
        }
    }

    /** Writes the results of two JVMs, or of these. */
    private Results results(String... figures) throws IOException {
        Results results = new Results(dir);
        Map<Map<String, String>, Row> rows = new LinkedHashMap<>();
        for (String jvm : figures.length == 0 ? new String[] {"5.0, 3.0", "8.0"} : figures) {
            Results.add(rows, json(jvm), "abcdef12", "2026-11-28", "here");
        }
        results.write("dirs", 17, rows.values());
        return results;
    }

    private static String json(String figures) {
        return JMH.replace("FIGURES", figures);
    }
}
