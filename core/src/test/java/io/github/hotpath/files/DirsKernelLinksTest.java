package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.Dirs.Entry;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link Dirs} and the links under {@code /proc}, which the kernel follows to an open directory. Their text is the path
 * that the directory once had; now nothing may exist at that path, or another directory.
 */
class DirsKernelLinksTest {
    @TempDir
    Path temp;

    private Path dir;

    @BeforeEach
    void makeDirectory() throws IOException {
        assumeTrue(
                Files.isSymbolicLink(Path.of("/proc/self")),
                "a system without the links of /proc"); // Wine has the files
        dir = Files.createDirectory(temp.toRealPath().resolve("dir"));
    }

    /** Returns the link of this process to {@link #dir}, which it has opened. */
    private Path descriptor() throws IOException {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path link : links) {
                try {
                    if (Files.readSymbolicLink(link).equals(dir)) {
                        return link;
                    }
                } catch (NoSuchFileException closed) {
                    // by another thread of this JVM
                }
            }
        }
        throw new AssertionError("no descriptor of " + dir);
    }

    /** The kernel adds " (deleted)" to the text of the link, which may be the name of another directory. */
    @Test
    void any_descriptorOfDirectory_isTheDirectoryAlsoIfDeleted() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        try (DirectoryStream<Path> open = Files.newDirectoryStream(dir)) {
            assertThat(open).isNotNull();
            Path link = descriptor();

            assertThat(Dirs.ensure(link)).isSameAs(link);
            assertThat(Dirs.entries(link)).extracting(Entry::path).containsExactly(link.resolve("file"));

            Files.delete(file);
            Files.delete(dir);
            assertThat(Dirs.ensure(link)).isSameAs(link);
            assertThat(Dirs.entries(link)).isEmpty();
            Path namesake =
                    Files.createDirectory(Path.of(Files.readSymbolicLink(link).toString()));
            Files.createFile(namesake.resolve("wrong"));
            assertThat(Dirs.entries(link)).isEmpty();
        }
    }
}
