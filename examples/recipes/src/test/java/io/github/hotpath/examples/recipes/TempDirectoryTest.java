package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TempDirectoryTest {
    @TempDir
    private Path dir;

    @Test
    void close_filesAndDirectories_allAreDeletedAndLinksNotFollowed() throws IOException {
        Path precious =
                Files.createFile(Files.createDirectory(dir.resolve("elsewhere")).resolve("precious"));
        Path path;
        try (TempDirectory temp = new TempDirectory(dir.resolve("parent"), "job-")) {
            path = temp.path();
            assertThat(path.getParent()).isEqualTo(dir.resolve("parent"));
            Files.createFile(Files.createDirectories(path.resolve("a/b")).resolve("c"));
            Files.createSymbolicLink(path.resolve("link"), precious.getParent());
        }

        assertThat(path).doesNotExist();
        assertThat(precious).exists();
    }

    @Test
    void close_deletedAlready_noError() throws IOException {
        try (TempDirectory temp = new TempDirectory(dir, "job-")) {
            Files.delete(temp.path());
        }
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void close_otherFileSystem_deleted() throws IOException {
        try (FileSystem fileSystem = Jimfs.newFileSystem(Configuration.windows())) {
            Path parent = fileSystem.getPath("C:\\temp\\jobs");
            try (TempDirectory temp = new TempDirectory(parent, "job-")) {
                Files.createFile(temp.path().resolve("file"));
            }
            assertThat(parent).isEmptyDirectory();
        }
    }
}
