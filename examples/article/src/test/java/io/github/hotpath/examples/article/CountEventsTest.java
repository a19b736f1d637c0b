package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountEventsTest {
    @TempDir
    private Path dir;

    /** Replaces the system's directory for temporary files. */
    private Path base;

    @BeforeEach
    void makeBase() throws IOException {
        base = Files.createDirectory(dir.resolve("base"));
    }

    @ParameterizedTest
    @EnumSource
    void run_stage_printsTwoLinesAndLeavesNothing(Stage stage) throws InterruptedException {
        Run run = Run.of(base, stage.toString(), "--turns", "9");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .satisfiesExactly(
                        line -> assertThat(line).matches("Average count: \\d+ op"),
                        line -> assertThat(line).matches("Spent time: \\d+ ms"));
        assertThat(run.err()).isEmpty();
        assertThat(base).isEmptyDirectory();
        assertThat(Path.of("a")).doesNotExist();
    }

    @Test
    void run_dir_worksThereAndLeavesIt() throws InterruptedException {
        Path work = dir.resolve("x/work");

        Run run = Run.of(base, "--turns", "9", "--dir", work.toString(), "hotpath");

        assertThat(run.status()).isZero();
        assertThat(work.resolve("a/b")).isEmptyDirectory();
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void run_noStage_everyStageInOrderAndTable() throws InterruptedException {
        Run run = Run.of(base, "--turns", "9");

        assertThat(run.status()).isZero();
        assertThat(run.out()).hasSize(4 * 3 + 1 + 5);
        assertThat(run.out()).elements(0, 3, 6, 9).containsExactly("original:", "trimmed:", "checked:", "hotpath:");
        assertThat(run.out()).elements(1, 4, 7, 10).allMatch(line -> line.matches("Average count: \\d+ op"));
        assertThat(run.out()).elements(2, 5, 8, 11).allMatch(line -> line.matches("Spent time: \\d+ ms"));
        assertThat(run.out().get(12)).isEmpty();
        assertThat(run.out().subList(13, 18))
                .satisfiesExactly(
                        line -> assertThat(line).matches("stage +average count +time .*article.*"),
                        line -> assertThat(line).matches("original +\\d+ op +\\d+ ms .* 6623 op +1462 ms +1.0"),
                        line -> assertThat(line).matches("trimmed +\\d+ op +\\d+ ms .* 14788 op +639 ms +2.3"),
                        line -> assertThat(line).matches("checked +\\d+ op +\\d+ ms .* 50000 op +87 ms +16.8"),
                        line -> assertThat(line).matches("hotpath +\\d+ op +\\d+ ms .* - +- +-"));
        assertThat(base).isEmptyDirectory();
        assertThat(Path.of("a")).doesNotExist();
    }

    @Test
    void run_stageFails_oneLineNamesTheFile() throws IOException, InterruptedException {
        Path file = Files.createFile(Files.createDirectory(dir.resolve("a")).resolve("b"));

        Run run = Run.of(base, "hotpath", "--dir", dir.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).containsExactly("CountEvents: java.nio.file.FileAlreadyExistsException: " + file);
    }

    @Test
    void run_noStageAndFirstFails_itsErrorAndOneLine() throws IOException, InterruptedException {
        Path file = Files.createFile(Files.createDirectory(dir.resolve("a")).resolve("b"));

        Run run = Run.of(base, "--dir", dir.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).containsExactly("original:");
        assertThat(run.err())
                .endsWith(
                        "CountEvents: java.nio.file.FileAlreadyExistsException: " + file,
                        "CountEvents: stage original failed with exit status 1");
    }

    @Test
    void run_baseMissing_oneLineNamesIt() throws InterruptedException {
        Path missing = base.resolve("missing");

        Run run = Run.of(missing);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).singleElement().asString().contains("NoSuchFileException", missing.toString());
        assertThat(missing).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            fast                | 'fast': no such stage or option
            HOTPATH             | 'HOTPATH': no such stage or option
            --fast              | '--fast': no such stage or option
            hotpath --fast      | '--fast': no such stage or option
            hotpath checked     | 'checked': a second stage
            hotpath hotpath     | 'hotpath': a second stage
            --dir               | --dir: no value
            --dir --turns 5     | --dir: no value
            --dir x --dir y     | --dir: given twice
            --turns             | --turns: no value
            --turns 1 --turns 1 | --turns: given twice
            --turns 0           | --turns 0: not a whole number from 1 to 10000000
            --turns -1          | --turns -1: not a whole number from 1 to 10000000
            --turns 10000001    | --turns 10000001: not a whole number from 1 to 10000000
            --turns 99999999999 | --turns 99999999999: not a whole number from 1 to 10000000
            --dir x --turns ten | --turns ten: not a whole number from 1 to 10000000
            """)
    void run_wrongArgument_oneLineWithUsage(String args, String reason) throws InterruptedException {
        assertThat(Run.of(base, args.split(" "))).isEqualTo(wrong(reason));
        assertThat(base).isEmptyDirectory();
        assertThat(Path.of("x")).doesNotExist();
    }

    @Test
    void run_emptyArgument_oneLineWithUsage() throws InterruptedException {
        assertThat(Run.of(base, "")).isEqualTo(wrong("'': no such stage or option"));
        assertThat(Run.of(base, "--dir", "")).isEqualTo(wrong("--dir: no value"));
    }

    @Test
    void run_argumentWithLineBreak_oneLineStill() throws InterruptedException {
        assertThat(Run.of(base, "hot\npath")).isEqualTo(wrong("'hot?path': no such stage or option"));
    }

    @Test
    void run_dirNoPath_oneLineWithUsage() throws InterruptedException {
        Run run = Run.of(base, "--dir", "x\0y");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).singleElement().asString().startsWith("CountEvents: --dir x?y: no path: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "file/x"})
    void run_dirCannotBe_oneLineWithUsage(String name) throws IOException, InterruptedException {
        Files.createFile(dir.resolve("file"));

        Run run = Run.of(base, "--dir", dir.resolve(name).toString());

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("CountEvents: --dir " + dir.resolve(name) + ": no directory can be made there")
                .endsWith("; usage: CountEvents " + CountEventsArguments.USAGE);
        assertThat(dir)
                .isDirectoryNotContaining(path ->
                        !List.of("base", "file").contains(path.getFileName().toString()));
    }

    private static Run wrong(String reason) {
        return new Run(
                2, List.of(), List.of("CountEvents: " + reason + "; usage: CountEvents " + CountEventsArguments.USAGE));
    }
}
