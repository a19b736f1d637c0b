package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchmarksTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        return Benchmarks.run(stream, stream, args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--part none|--part none: expected one of [record, ",
                "--jdk /nowhere|--jdk /nowhere: no JDK: ",
                "--to|Missing required parameter for option '--to'",
                "RecordBenchmark|Unmatched argument at index 0: 'RecordBenchmark'"
            })
    void run_wrongArgument_oneLineAndStatus2(String args, String message) {
        int status = run(args.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("Benchmarks: " + message)
                .endsWith(String.format("; --help lists all arguments%n"))
                .hasLineCount(1);
    }

    @Test
    void run_pagesAlone_writesPagesAndPictures(@TempDir Path dir) throws IOException {
        Path pages = Files.createDirectories(dir.resolve("docs/performance"));
        Files.createDirectory(pages.resolve(Results.RAW));
        Files.writeString(pages.resolve("page.md"), "<!-- table record jdk25 -->\nold\n<!-- end -->\n");

        int status = run("--pages", "--to", pages.toString());

        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(pages.resolve("page.md")).content().doesNotContain("old");
        assertThat(pages.resolve("burst.svg")).isNotEmptyFile();
    }

    @Test
    void jdk_ofThisProgram_isRead() throws IOException {
        Jdk jdk = Jdk.of(Path.of(System.getProperty("java.home")));

        assertThat(jdk.feature()).isEqualTo(Runtime.version().feature());
        assertThat(jdk.java()).isExecutable();
        assertThat(jdk.file(Path.of("raw"), "record"))
                .isEqualTo(Path.of("raw", "record-jdk" + Runtime.version().feature() + ".json"));
    }
}
