package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.Dirs.Entry;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of {@link Dirs} that concern only some providers or systems. */
class DirsParticularsTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @EnumSource(
            value = Provider.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REAL", "SFTP"})
    void any_closedFileSystem_throws(Provider provider) throws IOException {
        Place place = provider.open(temp);
        Path there = place.directory("a");
        Path missing = place.path("b");
        place.close();

        assertThatThrownBy(() -> Dirs.ensure(there)).isInstanceOf(ClosedFileSystemException.class);
        assertThatThrownBy(() -> Dirs.ensure(missing)).isInstanceOf(ClosedFileSystemException.class);
        assertThatThrownBy(() -> Dirs.entries(there)).isInstanceOf(ClosedFileSystemException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Z:\\", "Z:\\a", "Z:\\a\\b"})
    void ensure_missingRoot_throwsWhatTheProviderThrows(String dir) throws IOException {
        try (Place place = Provider.JIMFS_WINDOWS.open(temp)) {
            Path missing = WatchedFileSystem.watch(place.root().getFileSystem().getPath(dir));

            assertThrown(NoSuchFileException.class, missing.getRoot(), () -> Dirs.ensure(missing));
        }
    }

    /**
     * A zip file system is read-only if its file is; the JDK's createDirectories fails there on an existing directory
     * (makamys/Mixingasm#1).
     */
    @Test
    void ensure_readOnlyZip_returnsWhatIsThereAndMakesNothing() throws IOException {
        try (FileSystem zip = readOnlyZip()) {
            Path there = zip.getPath("/place/a");
            Path missing = zip.getPath("/place/b/c");

            assertThat(zip.isReadOnly()).isTrue();
            assertThat(Dirs.ensure(there)).isSameAs(there);
            Dirs.ensureParent(zip.getPath("/place/a/file"));
            assertThatThrownBy(() -> Dirs.ensure(missing)).isExactlyInstanceOf(ReadOnlyFileSystemException.class);
            assertThat(Files.exists(missing.getParent())).isFalse();
            assertThat(Dirs.entries(zip.getPath("/place"))).hasSize(1);
        }
    }

    /** Returns one with the directory /place/a, which is read-only because it has a version for each release. */
    private FileSystem readOnlyZip() throws IOException {
        try (Place place = Provider.ZIP.open(temp)) {
            place.directory("a");
            Path manifest = place.root().resolveSibling("META-INF/MANIFEST.MF");
            Files.writeString(Dirs.ensureParent(manifest), "Manifest-Version: 1.0\nMulti-Release: true\n");
        }
        return FileSystems.newFileSystem(temp.resolve("place.zip"), Map.of("releaseVersion", "runtime"));
    }

    /**
     * The kernel follows the links under {@code /proc} to an open directory. Their text is the path that it once had;
     * to that of a deleted one it adds " (deleted)", which may be the name of another directory.
     */
    @Test
    void any_linkOfTheKernelToAnOpenDirectory_isTheDirectoryAlsoIfDeleted() throws IOException {
        // Wine has the files
        assumeTrue(Files.isSymbolicLink(Path.of("/proc/self")), "a system without the links of /proc");
        Place place = Provider.REAL.open(temp);
        Path file = place.file("dir/file");
        Path dir = file.getParent();
        try (DirectoryStream<Path> open = Files.newDirectoryStream(dir)) {
            assertThat(open).isNotNull();
            Path link = linkTo(dir);

            assertThat(Dirs.ensure(link)).isSameAs(link);
            assertThat(Dirs.entries(link)).extracting(Entry::path).containsExactly(link.resolve("file"));

            Files.delete(file);
            Files.delete(dir);
            assertThat(Dirs.ensure(link)).isSameAs(link);
            assertThat(Files.readSymbolicLink(link)).isEqualTo(place.path("dir (deleted)"));
            place.file("dir (deleted)/wrong");
            assertThat(Dirs.entries(link)).isEmpty();
        }
    }

    /** Returns the link of this process to a directory that it has opened. */
    private static Path linkTo(Path dir) throws IOException {
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
}
