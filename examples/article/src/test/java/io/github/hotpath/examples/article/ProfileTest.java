package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileTest {
    @TempDir
    private Path dir;

    /** Replaces the system's directory for temporary files. */
    private Path base;

    @BeforeEach
    void makeBase() throws IOException {
        base = Files.createDirectory(dir.resolve("base"));
    }

    @Test
    @Tag("slow")
    void run_seconds_progressTableAndPageThatOpensAll() throws IOException, InterruptedException {
        Path folder = dir.resolve("x/profile");

        Run run = Run.of(Profile::run, base, "--seconds", "1", "--out", folder.toString());

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().get(0)).matches("original: sampling under .* for 1 s");
        assertThat(run.out())
                .anyMatch(line -> line.matches("original +\\d+ +\\d+\\.\\d %.* about as much as removeIf"))
                .anyMatch(line -> line.matches("trimmed .* 96\\.49 %, most of it mkdir0"))
                .anyMatch(line -> line.matches("checked +\\d+ +0\\.0 % +0\\.0 % +0\\.0 % .* gone"))
                .anyMatch(line -> line.matches("hotpath +\\d+ +0\\.0 % +0\\.0 % +0\\.0 % .* -"))
                .endsWith("Open " + folder.resolve("index.html").toUri());
        if (FlightRecorder.isAvailable()) {
            assertThat(run.out())
                    .anyMatch(line -> line.matches("trimmed .* 2\\.00 .*"))
                    .anyMatch(line -> line.matches("hotpath .* 0\\.00 .*"));
        }
        assertThat(ProfileFolderTest.links(folder.resolve("index.html")))
                .isNotEmpty()
                .allSatisfy(link -> assertThat(folder.resolve(link)).isNotEmptyFile());
        assertThat(base).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            hotpath        | 'hotpath': no such option
            --fast         | '--fast': no such option
            --jfr --jfr    | --jfr: given twice
            --jfr x        | 'x': no such option
            --seconds      | --seconds: no value
            --seconds 0    | --seconds 0: not a whole number from 1 to 3600
            --seconds 3601 | --seconds 3601: not a whole number from 1 to 3600
            --out          | --out: no value
            """)
    void run_wrongArgument_oneLineWithUsage(String args, String reason) throws InterruptedException {
        Run run = Run.of(Profile::run, base, args.split(" "));

        assertThat(run)
                .isEqualTo(new Run(
                        2, List.of(), List.of("Profile: " + reason + "; usage: Profile " + ProfileArguments.USAGE)));
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void run_outIsFile_oneLineWithUsage() throws IOException, InterruptedException {
        Path file = Files.createFile(dir.resolve("file"));

        Run run = Run.of(Profile::run, base, "--out", file.toString());

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("Profile: --out " + file + ": no directory can be made there");
    }

    @Test
    void parse_nothing_fiveSecondsBelowTarget() {
        assertThat(ProfileArguments.parse()).isEqualTo(new ProfileArguments(5, false, Path.of("target", "profile")));
    }
}
