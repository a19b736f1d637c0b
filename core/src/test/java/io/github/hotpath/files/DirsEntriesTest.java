package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.Dirs.Entry;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Dirs#entries} and {@link Dirs#forEachEntry}: the rules that hold on every provider. */
@ParameterizedClass
@EnumSource(Provider.class)
class DirsEntriesTest extends ProviderTest {
    @Test
    void entries_filesAndDirectories_withTheirAttributes() throws IOException {
        place.file("a/sub/inner");
        Path file = place.file("a/file");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));

        List<Entry> entries = Dirs.entries(place.path("a"));

        assertThatThrownBy(() -> entries.remove(0)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(entries)
                .extracting(Entry::path, entry -> entry.attributes().isDirectory())
                .containsExactlyInAnyOrder(tuple(place.path("a/sub"), true), tuple(file, false));
        assertThat(entries)
                .filteredOn(entry -> entry.attributes().isRegularFile())
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.attributes().size()).isEqualTo("content".length());
                    assertThat(entry.attributes().lastModifiedTime())
                            .isEqualTo(FileTime.fromMillis(1_000_000_000_000L));
                });
    }

    /** As by a deployment, which moves the next version to the place of the last one. */
    @Test
    void forEachEntry_directoryIsReplaced_entriesOfTheOneThatWasOpened() throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(place.root())) {
            assumeTrue(stream instanceof SecureDirectoryStream, "entries are read by the name of the directory");
        }
        Path dir = place.path("dir");
        for (int i = 0; i < 20; i++) {
            place.file("dir/" + i);
            place.directory("next/" + i);
        }

        List<Entry> entries = new ArrayList<>();
        Dirs.forEachEntry(dir, entry -> {
            if (entries.isEmpty()) {
                Files.move(dir, place.path("last"));
                Files.move(place.path("next"), dir);
            }
            entries.add(entry);
        });

        assertThat(entries).hasSize(20).allMatch(entry -> entry.attributes().isRegularFile());
    }

    @Test
    void forEachEntry_othersAreDeletedMeanwhile_areOmitted() throws IOException {
        assumeFalse(place.isWindows(), "attributes come with the names");
        List<Path> left = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            left.add(place.file("dir/" + i));
        }

        List<Path> seen = new ArrayList<>();
        Dirs.forEachEntry(place.path("dir"), entry -> {
            seen.add(entry.path());
            left.remove(entry.path());
            for (Path other : left) {
                Files.deleteIfExists(other);
            }
        });

        assertThat(seen).hasSize(1);
    }

    @Test
    void entries_noneOrMany_eachOnce() throws IOException {
        assertThat(Dirs.entries(place.root())).isEmpty();

        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            files.add(Files.createFile(place.path("file" + i)));
        }

        assertThat(Dirs.entries(place.root())).extracting(Entry::path).containsExactlyInAnyOrderElementsOf(files);
    }

    @Test
    void entries_anyPathOfADirectory_namedUnderIt() throws IOException {
        place.directory("a/sub");
        Path root = place.root().getRoot();
        for (Path dir : List.of(place.relative("a"), place.relative("a/."), place.relative("./a"))) {
            assertThat(Dirs.entries(dir)).extracting(Entry::path).containsExactly(dir.resolve("sub"));
        }

        assumeFalse(place.isWindows(), "an SFTP server whose root does not list the drives");
        assertThat(Dirs.entries(root))
                .extracting(Entry::path)
                .contains(root.resolve(place.root().getName(0)));
    }

    @Test
    void entries_emptyPath_namesAlone() throws IOException {
        assumeTrue(provider != Provider.SFTP, "it has no entries for an empty path");

        assertThat(Dirs.entries(place.root().getFileSystem().getPath("")))
                .isNotEmpty()
                .extracting(Entry::path)
                .allMatch(path -> !path.isAbsolute() && path.getNameCount() == 1);
    }

    /**
     * The walkers of the JDK show the file as if it were in itself. For what is missing, zipfs's newDirectoryStream
     * throws NotDirectoryException.
     */
    @ParameterizedTest
    @ValueSource(strings = {"file", "a", "a/b", "a/.", "a/b/.", "a/./."})
    void entries_fileOrMissing_throwsNamingIt(String names) throws IOException {
        assumeFalse(names.endsWith(".") && provider.name().startsWith("MEMORY"), "they normalize the path");
        place.file("file");
        Path dir = place.path(names);

        assertThrown(
                names.equals("file") ? NotDirectoryException.class : NoSuchFileException.class,
                dir,
                () -> Dirs.entries(dir));
    }
}
