package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.github.hotpath.examples.article.ListDirectory.Way;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class ListDirectoryTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @EnumSource(names = "NAMES", mode = Mode.EXCLUDE)
    void list_addsUpSizesOfAttributes(Way way) throws IOException {
        Files.write(dir.resolve("one"), new byte[20]);
        Files.write(dir.resolve("two"), new byte[300]);

        assertThat(way.list(dir)).isEqualTo(320);
    }

    @Test
    void run_realFileSystem_printsTableAndLeavesNothing() throws IOException {
        assertPrintsTableAndLeavesNothing(dir);
    }

    @Test
    void run_jimfs_printsTableAndLeavesNothing() throws IOException {
        try (FileSystem jimfs = Jimfs.newFileSystem(Configuration.windows())) {
            assertPrintsTableAndLeavesNothing(jimfs.getPath(""));
        }
    }

    private static void assertPrintsTableAndLeavesNothing(Path base) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        ListDirectory.run(base, 5, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8).replaceAll("\\R", "\n"))
                .matches("5 files +median\n"
                        + "names alone +\\d+\\.\\d ms\n"
                        + "names, then attributes one by one +\\d+\\.\\d ms\n"
                        + "tree walk of depth one +\\d+\\.\\d ms\n"
                        + "Dirs.entries +\\d+\\.\\d ms\n");
        assertThat(base).isEmptyDirectory();
    }
}
