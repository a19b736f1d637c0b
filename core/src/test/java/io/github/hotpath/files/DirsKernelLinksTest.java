package io.github.hotpath.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.Dirs.Entry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link Dirs} and the links under {@code /proc}, which the kernel follows to an open directory. Their text is the path
 * that the directory once had, or has in another mount namespace; here nothing may exist at that path, or another
 * directory.
 */
@Timeout(600)
class DirsKernelLinksTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

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
        try (DirectoryStream<Path> links = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path link : links) {
                if (leadsTo(dir, link)) {
                    return link;
                }
            }
        }
        throw new AssertionError("no descriptor of " + dir);
    }

    private static boolean leadsTo(Path target, Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link).equals(target);
        } catch (NoSuchFileException closed) {
            return false; // by another thread of this JVM
        }
    }

    @Test
    void any_descriptorOfDirectory_isTheDirectory() throws IOException {
        Files.createFile(dir.resolve("file"));

        try (DirectoryStream<Path> open = Files.newDirectoryStream(dir)) {
            assertThat(open).isNotNull();
            Path link = descriptor();

            assertThat(Dirs.ensure(link)).isSameAs(link);
            assertThat(Dirs.entries(link)).extracting(Entry::path).containsExactly(link.resolve("file"));
        }
    }

    /**
     * A stream of it lists nothing, too. The kernel adds " (deleted)" to the text of the link, which may be the name of
     * another directory.
     */
    @Test
    void any_descriptorOfDeletedDirectory_isAnEmptyDirectory() throws IOException {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(dir)) {
            assertThat(open).isNotNull();
            Path link = descriptor();
            Files.delete(dir);

            assertThat(Dirs.ensure(link)).isSameAs(link);
            assertThat(Dirs.entries(link)).isEmpty();
            Path namesake =
                    Files.createDirectory(Path.of(Files.readSymbolicLink(link).toString()));
            Files.createFile(namesake.resolve("wrong"));
            assertThat(Dirs.entries(link)).isEmpty();
        }
    }

    /** Of a process for which another file system is mounted at the directory. */
    @Test
    void entries_workingDirectoryInAnotherMountNamespace_thoseThatTheProcessSees() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "a system without unshare");
        Files.createFile(dir.resolve("seenHere"));
        Process process = new ProcessBuilder(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        "mount -t tmpfs none . && cd \"$PWD\" && touch seenThere && echo ready && exec cat")
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .start();
        CompletableFuture.delayedExecutor(5, MINUTES).execute(process::destroyForcibly); // or readLine may hang
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            String line = out.readLine();
            assumeTrue("ready".equals(line), "no right to make a mount namespace: " + line);
            Path link = Path.of("/proc/" + process.pid() + "/cwd");
            assertThat(Files.readSymbolicLink(link)).isEqualTo(dir);

            assertThat(Dirs.ensure(link)).isSameAs(link);
            assertThat(Dirs.entries(link)).extracting(Entry::path).containsExactly(link.resolve("seenThere"));
            assertThat(Dirs.entries(dir)).extracting(Entry::path).containsExactly(dir.resolve("seenHere"));
        } finally {
            process.destroyForcibly();
        }
    }
}
