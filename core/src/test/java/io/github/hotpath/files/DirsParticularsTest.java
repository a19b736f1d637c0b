package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import io.github.hotpath.files.WatchedFileSystem.Call;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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

    @Test
    void withParent_closedFileSystem_throwsWithTheFirstSuppressed() throws IOException {
        Place place = Provider.JIMFS_UNIX.open(temp);
        place.close();
        NoSuchFileException first = new NoSuchFileException("first");

        Throwable thrown = catchThrowable(() -> Dirs.withParent(place.path("file"), file -> {
            throw first;
        }));

        assertThat(thrown).isInstanceOf(ClosedFileSystemException.class);
        assertThat(thrown.getSuppressed()).contains(first);
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

    /** A known limit: zipfs makes a directory below a file without complaint. The file is not harmed. */
    @Test
    void ensure_belowFileInZip_succeedsAsZipfsDoes() throws IOException {
        try (Place place = Provider.ZIP.open(temp)) {
            Path file = place.file("file");

            Dirs.ensure(file.resolve("x"));

            assertThat(Files.isDirectory(file.resolve("x"))).isTrue();
            assertThat(Files.readString(file)).isEqualTo("content");
        }
    }

    /** Two levels below a file zipfs does complain, and then the file is named as everywhere. */
    @Test
    void ensure_farBelowFileInZip_blamesTheFile() throws IOException {
        try (Place place = Provider.ZIP.open(temp)) {
            Path file = place.file("file");

            assertThrown(NotDirectoryException.class, file, () -> Dirs.ensure(place.path("file/x/y")));

            assertThat(place.tree()).containsExactly("file: content");
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

    /** Returns one with the directory /place/a, for any user and JDK: its file is marked as read-only. */
    private FileSystem readOnlyZip() throws IOException {
        try (Place place = Provider.ZIP.open(temp)) {
            place.directory("a");
        }
        Path file = WatchedFileSystem.watch(temp.resolve("place.zip"));
        WatchedFileSystem.of(file).setForeigner((call, path) -> {
            if (call == Call.WRITE_ACCESS) {
                throw new AccessDeniedException(path.toString());
            }
        });
        return FileSystems.newFileSystem(file, Map.of());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void ensure_nameTooLong_passesTheFailureAndKeepsWhatWasMade() throws IOException {
        Place place = Provider.REAL.open(temp);
        Path dir = place.path("a/b").resolve("x".repeat(256));

        assertThrown(FileSystemException.class, dir, () -> Dirs.ensure(dir));

        assertThat(place.tree()).containsExactly("a/", "a/b/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0123456789/"})
    @EnabledOnOs(OS.LINUX)
    void ensure_tooLong_isRefusedAfterAHandfulOfCalls(String part) throws IOException {
        Place place = Provider.REAL.open(temp);
        Path dir = WatchedFileSystem.watch(place.path(part.repeat(400)));

        FileSystemException thrown = assertThrown(FileSystemException.class, dir, () -> Dirs.ensure(dir));

        WatchedFileSystem fileSystem = WatchedFileSystem.of(dir);
        assertThat(fileSystem.failures(Call.CREATE_DIRECTORY))
                .hasSizeLessThanOrEqualTo(2)
                .last()
                .isSameAs(thrown);
        assertThat(fileSystem.counts().values().stream()
                        .mapToInt(count -> count)
                        .sum())
                .isLessThanOrEqualTo(place.root().getNameCount() + 12);
        assertThat(place.tree()).isEmpty();
    }

    /** A tree walk lists directories on Windows alone; elsewhere it gives the same entries. */
    @Test
    void walk_directory_isListedAsByAStream() throws IOException {
        Place place = Provider.REAL.open(temp);
        place.directory("a/sub/deeper");
        Path file = place.file("a/file");
        Path vanishing = place.file("a/vanishing");
        Path dir = WatchedFileSystem.watch(place.path("a"));
        WatchedFileSystem.atEach(Call.CHECK_LINK, dir.resolve("vanishing"), Files::delete);
        List<String> names = new ArrayList<>();

        DirectoryListing.walk(
                dir, entry -> names.add(entry.path() + " " + entry.attributes().isDirectory()));

        assertThat(names).containsExactlyInAnyOrder(place.path("a/sub") + " true", file + " false");
        assertThat(vanishing).doesNotExist();
    }

    @Test
    void walk_noLongerADirectory_throws() throws IOException {
        Place place = Provider.REAL.open(temp);
        Path file = place.file("file");
        Path missing = place.path("missing");

        assertThrown(NotDirectoryException.class, file, () -> DirectoryListing.walk(file, entry -> fail("an entry")));
        assertThrown(
                NoSuchFileException.class, missing, () -> DirectoryListing.walk(missing, entry -> fail("an entry")));
    }

    @Test
    void walk_consumerFails_throwsTheSameInstance() throws IOException {
        Place place = Provider.REAL.open(temp);
        place.file("file");
        NoSuchFileException failure = new NoSuchFileException("the consumer's");

        Throwable thrown = catchThrowable(() -> DirectoryListing.walk(place.root(), entry -> {
            throw failure;
        }));

        assertThat(thrown).isSameAs(failure);
    }

    /**
     * Each tells of a missing parent in its own way (xtclang/xvm#368, dianping/cat#1072). Kafka and Bazel wrote this
     * repair by hand (KAFKA-5998, bazelbuild/bazel#19381).
     */
    @Test
    void withParent_operationsOfTheJdk_repaired() throws IOException {
        Place place = Provider.REAL.open(temp);

        Dirs.withParent(place.path("a/file"), f -> f.toFile().createNewFile());
        Dirs.withParent(
                place.path("b/file"),
                f -> File.createTempFile("temporary", "", f.getParent().toFile())
                        .renameTo(f.toFile()));
        Dirs.withParent(place.path("c/file"), f -> {
            try {
                return Files.createFile(f);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Dirs.withParent(place.path("d/file"), f -> new FileOutputStream(f.toFile()))
                .close();

        assertThat(place.tree())
                .containsExactly("a/", "a/file: ", "b/", "b/file: ", "c/", "c/file: ", "d/", "d/file: ");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void withParent_socketOfUnixDomain_repaired() throws IOException {
        Path file = Provider.REAL.open(temp).path("a/socket");
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Dirs.withParent(file, f -> channel.bind(UnixDomainSocketAddress.of(f)));

            assertThat(Files.exists(file)).isTrue();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void withParent_outputOfProcess_repaired() throws IOException, InterruptedException {
        Place place = Provider.REAL.open(temp);
        Path file = place.path("a/file");

        Process process = Dirs.withParent(
                file,
                f -> new ProcessBuilder("echo", "content")
                        .redirectOutput(f.toFile())
                        .start());

        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(file).hasContent("content");
    }

    /** {@code FileOutputStream} throws FileNotFoundException for every failure, here "Is a directory". */
    @Test
    void withParent_fileOutputStreamOfDirectory_passes() throws IOException {
        Place place = Provider.REAL.open(temp);
        Path dir = place.directory("a");

        assertThatThrownBy(() -> Dirs.withParent(dir, f -> new FileOutputStream(f.toFile())))
                .isInstanceOf(FileNotFoundException.class);

        assertThat(place.tree()).containsExactly("a/");
    }
}
