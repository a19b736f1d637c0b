package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.files.WatchedFileSystem.Call;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of {@link Dirs} that concern only some providers. */
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
    @EnumSource(
            value = Provider.class,
            names = {"JIMFS_OSX", "JIMFS_WINDOWS"})
    void ensure_otherCase_isTheSameDirectory(Provider provider) throws IOException {
        try (Place place = provider.open(temp)) {
            place.directory("Directory");

            Dirs.ensure(place.path("dIRECTORY/sub"));

            assertThat(place.tree()).containsExactly("Directory/", "Directory/sub/");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Z:\\", "Z:\\a", "Z:\\a\\b"})
    void ensure_missingRoot_throwsWhatTheProviderThrows(String dir) throws IOException {
        try (Place place = Provider.JIMFS_WINDOWS.open(temp)) {
            Path missing = WatchedFileSystem.watch(place.root().getFileSystem().getPath(dir));

            assertThrown(NoSuchFileException.class, missing.getRoot(), () -> Dirs.ensure(missing));
        }
    }

    /** A known limit: zipfs makes directories below a file without complaint. The file is not harmed. */
    @Test
    void ensure_belowFileInZip_succeedsAsZipfsDoes() throws IOException {
        try (Place place = Provider.ZIP.open(temp)) {
            Path file = place.file("file");

            for (Path dir : List.of(file.resolve("x"), file.resolve("y").resolve("z"))) {
                assertThat(Files.isDirectory(Dirs.ensure(dir))).isTrue();
            }

            assertThat(Files.readString(file)).isEqualTo("content");
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

    @ParameterizedTest
    @ValueSource(strings = {"x", "0123456789/"})
    @EnabledOnOs(OS.LINUX)
    void ensure_nameOrPathTooLong_isRefusedAfterAHandfulOfCalls(String part) throws IOException {
        Place place = Provider.REAL.open(temp);
        Path dir = WatchedFileSystem.watch(place.path(part.repeat(400)));

        FileSystemException thrown = assertThrown(FileSystemException.class, dir, () -> Dirs.ensure(dir));

        WatchedFileSystem fileSystem = WatchedFileSystem.of(dir);
        assertThat(fileSystem.failures()).hasSizeLessThanOrEqualTo(2).last().isSameAs(thrown);
        assertThat(fileSystem.count(Call.CHECK))
                .isLessThanOrEqualTo(place.root().getNameCount() + 16);
        assertThat(place.tree()).isEmpty();
    }
}
