package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.hotpath.files.Dirs.Entry;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cells that a zip file system does not have: links, and files below which nothing can be. */
@ParameterizedClass
@EnumSource(
        value = Provider.class,
        names = {"REAL", "JIMFS_UNIX", "JIMFS_OSX", "JIMFS_WINDOWS"})
class DirsLinksTest extends ProviderTest {
    /** The JDK's createDirectories refuses it up to 17.0.13 (JDK-8294193), and everybody met it in /tmp of macOS. */
    @Test
    void ensure_linkToDirectory_returnsSameReference() throws IOException {
        place.directory("a");
        place.link("link", "a");
        Path link = place.link("linkToLink", "link");

        assertThat(Dirs.ensure(link)).isSameAs(link);

        assertThat(place.tree()).containsExactly("a/", "link -> a", "linkToLink -> link");
    }

    @Test
    void ensure_belowLinkToDirectory_madeInIt() throws IOException {
        place.directory("a");
        Path dir = place.link("link", "a").resolve("b").resolve("c");

        assertThat(Dirs.ensure(dir)).isSameAs(dir);

        assertThat(place.tree()).containsExactly("a/", "a/b/", "a/b/c/", "link -> a");
    }

    /** Guava's createParentDirectories normalizes and so makes x beside the link. */
    @Test
    void ensure_dotDotAfterLink_madeWhereTheSystemLooks() throws IOException {
        place.directory("t/sub");
        Path dir = place.link("link", "t/sub").resolve("..").resolve("x");

        Dirs.ensure(dir);

        assertThat(Files.isDirectory(dir)).isTrue();
        assertThat(place.tree())
                .contains(place.resolvesDotsByName() ? "x/" : "t/x/")
                .hasSize(4);
    }

    @Test
    void ensure_danglingLink_throwsNamingItAndMakesNoTarget() throws IOException {
        Path link = place.link("link", "nothing");

        assertThrown(FileAlreadyExistsException.class, link, () -> Dirs.ensure(link));

        Path inWorkingDirectory = link.getFileSystem().getPath("nothing");
        assertThat(Files.exists(inWorkingDirectory)).isFalse(); // where commons-io makes it
        assertThat(place.tree()).containsExactly("link -> nothing");
    }

    /** The JDK reports that the link exists, which users found confusing (OpenHFT/Chronicle-Core#56). */
    @ParameterizedTest
    @ValueSource(strings = {"link/x", "link/x/y", "link/."})
    void ensure_belowDanglingLink_blamesTheLink(String names) throws IOException {
        Path link = place.link("link", "nothing");

        FileSystemException thrown =
                assertThrown(NotDirectoryException.class, link, () -> Dirs.ensure(place.path(names)));

        assertThat(thrown).hasCauseInstanceOf(IOException.class);
        assertThat(place.tree()).containsExactly("link -> nothing");
    }

    @Test
    void ensure_linkToFile_throwsNamingTheLink() throws IOException {
        place.file("file");
        Path link = place.link("link", "file");

        assertThrown(FileAlreadyExistsException.class, link, () -> Dirs.ensure(link));

        assertThat(place.tree()).containsExactly("file: content", "link -> file");
    }

    /**
     * The JDK, Guava, commons-io, jimfs and Windows blame the child, each with another exception; Go names the file.
     */
    @ParameterizedTest
    @ValueSource(strings = {"file/x", "file/x/y", "file/x/y/z"})
    void ensure_belowFile_blamesTheFile(String names) throws IOException {
        Path file = place.file("file");

        FileSystemException thrown =
                assertThrown(NotDirectoryException.class, file, () -> Dirs.ensure(place.path(names)));

        assertThat(thrown).hasCauseInstanceOf(FileSystemException.class);
        assertThat(place.tree()).containsExactly("file: content");
    }

    @Test
    void ensure_dotDotAfterFile_blamesTheFile() throws IOException {
        Path file = place.file("file");

        if (place.resolvesDotsByName()) { // then the file is not on the way
            Dirs.ensure(place.path("file/../x"));
            assertThat(place.tree()).containsExactly("file: content", "x/");
        } else {
            assertThrown(NotDirectoryException.class, file, () -> Dirs.ensure(place.path("file/../x")));
            assertThat(place.tree()).containsExactly("file: content");
        }
    }

    @Test
    void ensure_belowLinkToFile_blamesTheLink() throws IOException {
        place.file("file");
        Path link = place.link("link", "file");

        assertThrown(NotDirectoryException.class, link, () -> Dirs.ensure(link.resolve("x")));
    }

    @Test
    void ensure_fileBehindLinkToDirectory_blamesItAsNamed() throws IOException {
        place.directory("a");
        place.file("a/file");
        Path file = place.link("link", "a").resolve("file");

        assertThrown(NotDirectoryException.class, file, () -> Dirs.ensure(file.resolve("x")));
    }

    @Test
    void ensure_linkLoop_throwsNamingIt() throws IOException {
        Path loop = place.link("loop", "loop");

        assertThrown(FileAlreadyExistsException.class, loop, () -> Dirs.ensure(loop));
    }

    @Test
    void ensure_belowLinkLoop_fails() throws IOException {
        Path loop = place.link("loop", "loop");

        if (provider == Provider.REAL) {
            assertThrown(NotDirectoryException.class, loop, () -> Dirs.ensure(loop.resolve("x")));
        } else { // jimfs has no type for it, and what has none is passed on
            assertThatThrownBy(() -> Dirs.ensure(loop.resolve("x"))).isExactlyInstanceOf(IOException.class);
        }

        assertThat(place.tree()).containsExactly("loop -> loop");
    }

    /** commons-io's PathUtils.createParentDirectories takes a dangling link for the directory. */
    @Test
    void ensureParent_danglingLinkInPlaceOfParent_throwsNamingIt() throws IOException {
        Path link = place.link("link", "nothing");
        Path file = link.resolve("x");

        assertThrown(FileAlreadyExistsException.class, link, () -> Dirs.ensureParent(file));
        assertThrown(
                FileAlreadyExistsException.class, link, () -> Dirs.withParent(file, any -> Files.writeString(any, "")));

        assertThat(place.tree()).containsExactly("link -> nothing");
    }

    /** {@code Files.find} and both walkers show the file as if it were in itself. */
    @ParameterizedTest
    @ValueSource(strings = {"link", "link/."})
    void entries_linkToFile_throwsNamingIt(String names) throws IOException {
        place.file("file");
        place.link("link", "file");
        Path dir = place.path(names);

        assertThrown(NotDirectoryException.class, dir, () -> Dirs.entries(dir));
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "link/.", "link/x"})
    void entries_danglingLink_throwsNamingIt(String names) throws IOException {
        place.link("link", "nothing");
        Path dir = place.path(names);

        assertThrown(NoSuchFileException.class, dir, () -> Dirs.entries(dir));
    }

    /** Both walkers of the JDK visit the link alone if they start at one. */
    @ParameterizedTest
    @ValueSource(strings = {"link", "linkToLink", "absolute", "link/.", "b/../link", "link/sub"})
    void entries_throughLink_namedAsAskedFor(String names) throws IOException {
        place.directory("a/sub/sub");
        place.directory("b");
        place.link("link", "a");
        place.link("linkToLink", "link");
        place.link("absolute", place.path("a"));

        for (Path dir : List.of(place.path(names), place.relative(names))) {
            assertThat(Dirs.entries(dir)).extracting(Entry::path).containsExactly(dir.resolve("sub"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.hotpath.files.DirsEntriesTest#whatConsumersThrow")
    void forEachEntry_consumerFailsBehindLink_endsWithTheSameInstance(Throwable failure) throws IOException {
        place.directory("a/sub");
        Path link = place.link("link", "a");

        Throwable thrown = catchThrowable(() -> Dirs.forEachEntry(link, entry -> Failures.throwAny(failure)));

        assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
    }

    @Test
    void entries_linkToEmptyDirectory_none() throws IOException {
        place.directory("a");

        assertThat(Dirs.entries(place.link("link", "a"))).isEmpty();
    }

    /** The links among the entries, too, and also that which is listed, if it is one of them. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "a/self"})
    void entries_links_areThemselves(String names) throws IOException {
        place.directory("a/sub");
        place.file("a/file");
        place.link("a/toDirectory", "sub");
        place.link("a/toNothing", "nothing");
        place.link("a/self", ".");
        Path link = place.path(names);

        List<Entry> entries = Dirs.entries(link);

        assertThat(entries)
                .filteredOn(entry -> entry.attributes().isSymbolicLink())
                .extracting(Entry::path)
                .containsExactlyInAnyOrder(
                        link.resolve("toDirectory"), link.resolve("toNothing"), link.resolve("self"));
        assertThat(entries)
                .filteredOn(entry -> entry.attributes().isDirectory())
                .extracting(Entry::path)
                .containsExactly(link.resolve("sub"));
        assertThat(entries)
                .filteredOn(entry -> entry.attributes().isRegularFile())
                .extracting(entry -> entry.attributes().size())
                .containsExactly((long) "content".length());
        assertThat(entries).hasSize(5);
    }

    @Test
    void entries_linkLoop_fails() throws IOException {
        Path loop = place.link("loop", "loop");

        assertThatThrownBy(() -> Dirs.entries(loop)).isInstanceOf(IOException.class);
    }
}
