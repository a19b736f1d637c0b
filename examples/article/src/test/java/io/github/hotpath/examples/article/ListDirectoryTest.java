package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ListDirectoryTest {
    @TempDir
    Path base;

    @ParameterizedTest
    @EnumSource
    void count_findsEveryFile(Listing listing) throws IOException {
        for (int i = 0; i < 3; i++) {
            Files.createFile(base.resolve("file" + i));
        }

        assertThat(listing.count(base)).isEqualTo(3);
    }

    @Test
    void run_printsRoundsAndTable_andLeavesNothing() throws InterruptedException {
        Run run = list("--files", "5");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("making 5 files", "warming up", "round 1", "round 21")
                .anyMatch(line -> line.startsWith("names alone"))
                .anyMatch(line -> line.startsWith("Dirs.entries"))
                .endsWith(ListDirectory.whatCanBeGained(System.getProperty("os.name")));
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void run_withDir_worksThereAndLeavesItEmpty() throws InterruptedException {
        Path dir = base.resolve("named");

        Run run = list("--files", "1", "--dir", dir.toString());

        assertThat(run.status()).isZero();
        assertThat(dir).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {"--files 0 | --files 0: not a whole number from 1 to 1000000", "names | 'names': no such option"})
    void run_wrongArgument_isOneLineAndStatus2(String arguments, String reason) throws InterruptedException {
        Run run = list(arguments.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .containsExactly("ListDirectory: " + reason + "; usage: ListDirectory [--files N] [--dir DIR]");
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void table_showsMediansBesideTheMail() {
        Map<Listing, List<Long>> nanos = new EnumMap<>(Listing.class);
        nanos.put(Listing.ONE_BY_ONE, List.of(9_000_000L, 1_000_000L, 2_500_000L));
        nanos.put(Listing.ENTRIES, List.of(2_000_000L));

        assertThat(ListDirectory.table(nanos).lines().stream()
                        .map(line -> line.replaceAll(" {2,}", "|"))
                        .toList())
                .containsExactly(
                        "way|median|mail: a user's Windows|mail: Solaris|mail: NTFS",
                        "names, then attributes one by one|2.5 ms|9000 ms|88 ms|237 ms",
                        "Dirs.entries|2.0 ms|-|-|-");
    }

    @Test
    void whatCanBeGained_dependsOnTheSystem() {
        assertThat(ListDirectory.whatCanBeGained("Windows 11")).contains("need not read them again");
        assertThat(ListDirectory.whatCanBeGained("Linux")).startsWith("Linux").contains("none can gain much");
    }

    private Run list(String... args) throws InterruptedException {
        return Run.of(ListDirectory::run, base, args);
    }
}
