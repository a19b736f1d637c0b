package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
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

    /**
     * By its name on the path, whether it is a file or a link. The JDK, Guava, commons-io, jimfs and Windows blame the
     * child, each with another exception, or say that a dangling link exists, which users found confusing
     * (OpenHFT/Chronicle-Core#56); Go names the file.
     */
    @ParameterizedTest
    @CsvSource({
        "toFile, toFile",
        "dangling, dangling",
        "loop, loop",
        "file/x, file",
        "file/x/y, file",
        "file/x/y/z, file",
        "toFile/x, toFile",
        "toDirectory/file/x, toDirectory/file",
        "dangling/x, dangling",
        "dangling/x/y, dangling",
        "dangling/., dangling"
    })
    void ensure_obstacle_isNamed(String names, String obstacle) throws IOException {
        place.file("file");
        place.directory("a");
        place.file("a/file");
        place.link("toFile", "file");
        place.link("toDirectory", "a");
        place.link("dangling", "nothing");
        place.link("loop", "loop");
        List<String> before = place.tree();

        FileSystemException thrown = assertThrown(
                names.equals(obstacle) ? FileAlreadyExistsException.class : NotDirectoryException.class,
                place.path(obstacle),
                () -> Dirs.ensure(place.path(names)));

        assertThat(thrown.getCause()).isInstanceOf(IOException.class);
        assertThat(place.tree()).isEqualTo(before);
        Path inWorkingDirectory = place.root().getFileSystem().getPath("nothing");
        assertThat(Files.exists(inWorkingDirectory)).isFalse(); // where commons-io makes it
    }

    /** Where createDirectories creates the target of the link, by its other name. */
    @Test
    void ensure_dotDotAfterDanglingLink_doesNotMakeItsTarget() throws IOException {
        Path link = place.link("link", "target");
        Path dir = link.resolve("..").resolve("target").resolve("sub");
        assumeFalse(place.resolvesDotsByName(), "the link is not on the way");

        assertThrown(NotDirectoryException.class, link, () -> Dirs.ensure(dir));

        assertThat(place.tree()).containsExactly("link -> target");
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

    /** {@code Files.find} and both walkers show a file as if it were in itself. */
    @ParameterizedTest
    @ValueSource(strings = {"toFile", "toFile/.", "dangling", "dangling/.", "dangling/x"})
    void entries_linkToNoDirectory_throwsNamingIt(String names) throws IOException {
        place.file("file");
        place.link("toFile", "file");
        place.link("dangling", "nothing");
        Path dir = place.path(names);

        assertThrown(
                names.startsWith("toFile") ? NotDirectoryException.class : NoSuchFileException.class,
                dir,
                () -> Dirs.entries(dir));
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
        assertThat(Dirs.entries(place.link("toEmpty", "b"))).isEmpty();
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
