package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.github.hotpath.examples.WrongArgumentException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {
    @TempDir
    private Path base;

    @Test
    void open_notNamed_newInBase() throws IOException {
        try (WorkDirectory first = WorkDirectory.open(Optional.empty(), base);
                WorkDirectory second = WorkDirectory.open(Optional.empty(), base)) {
            assertThat(first.path()).isEmptyDirectory().hasParent(base);
            assertThat(second.path()).isEmptyDirectory().hasParent(base).isNotEqualTo(first.path());
        }
    }

    @Test
    void open_baseMissing_failsAndMakesNothing() {
        Path missing = base.resolve("missing");

        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> WorkDirectory.open(Optional.empty(), missing));

        assertThat(missing).doesNotExist();
    }

    @Test
    void open_namedMissing_madeWithAncestors() throws IOException {
        Path named = base.resolve("x/y");

        try (WorkDirectory work = WorkDirectory.open(Optional.of(named), base)) {
            assertThat(work.path()).isEqualTo(named).isEmptyDirectory();
        }
    }

    @Test
    void open_namedFile_rejectedByName() throws IOException {
        Path file = Files.createFile(base.resolve("file"));

        assertThatExceptionOfType(WrongArgumentException.class)
                .isThrownBy(() -> WorkDirectory.open(Optional.of(file), base))
                .withMessageStartingWith("--dir " + file + ": ");
    }

    @Test
    void close_ownWithContent_removed() throws IOException {
        try (WorkDirectory work = WorkDirectory.open(Optional.empty(), base)) {
            Files.createFile(Files.createDirectories(work.path().resolve("a/b")).resolve("file"));
        }

        assertThat(base).isEmptyDirectory();
    }

    @Test
    void close_ownWithLink_targetKept() throws IOException {
        try (FileSystem fileSystem = Jimfs.newFileSystem(Configuration.unix())) { // where links need no rights
            Path target = Files.createDirectory(fileSystem.getPath("target"));
            Path file = Files.createFile(target.resolve("file"));

            try (WorkDirectory work = WorkDirectory.open(Optional.empty(), fileSystem.getPath(""))) {
                Files.createSymbolicLink(work.path().resolve("link"), target.toAbsolutePath());
            }

            assertThat(file).exists();
        }
    }

    @Test
    void close_named_keptWithContent() throws IOException {
        try (WorkDirectory work = WorkDirectory.open(Optional.of(base), base)) {
            Files.createFile(work.path().resolve("file"));
        }

        assertThat(base.resolve("file")).exists();
    }
}
