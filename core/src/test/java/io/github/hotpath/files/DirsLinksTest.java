package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.hotpath.files.Dirs.Entry;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
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
    void ensure_linkToDirectory_isTheDirectory() throws IOException {
        place.directory("a");
        place.link("link", "a");
        Path link = place.link("linkToLink", "link");
        Path below = place.path("link/b/c");

        assertThat(Dirs.ensure(link)).isSameAs(link);
        assertThat(Dirs.ensure(below)).isSameAs(below);

        assertThat(place.tree()).containsExactly("a/", "a/b/", "a/b/c/", "link -> a", "linkToLink -> link");
    }

    /** Guava's createParentDirectories normalizes and so makes x beside the link. */
    @Test
    void ensure_dotDotAfterLink_madeWhereTheSystemLooks() throws IOException {
        place.directory("t/sub");
        Path dir = place.link("link", "t/sub").resolve("..").resolve("x");

        Dirs.ensure(dir);

        assertThat(dir).isDirectory();
        assertThat(place.tree())
                .contains(place.resolvesDotsByName() ? "x/" : "t/x/")
                .hasSize(4);
    }

    /**
     * By its name on the path, whether it is a file or a link. The JDK, Guava, commons-io, jimfs and Windows blame the
     * child, each with another exception, or say that a dangling link exists, which users found confusing
     * (OpenHFT/Chronicle-Core#56); Go names the file. For {@code dangling/../nothing/x} the JDK makes the target of the
     * link, by its other name.
     */
    @ParameterizedTest
    @CsvSource({
        "toFile, toFile",
        "dangling, dangling",
        "loop, loop",
        "file/., file",
        "file/../x, file",
        "file/x, file",
        "file/x/y, file",
        "file/x/y/z, file",
        "toFile/x, toFile",
        "toDirectory/file/x, toDirectory/file",
        "toDirectory/toLink/x/y, toDirectory/toLink",
        "dangling/x, dangling",
        "dangling/x/y, dangling",
        "dangling/., dangling",
        "dangling/../nothing/x, dangling",
        "loop/x, loop"
    })
    void ensure_obstacle_isNamed(String names, String obstacle) throws IOException {
        assumeFalse(names.contains("..") && place.resolvesDotsByName(), "the obstacle is not on the way");
        assumeFalse(names.equals("loop/x") && provider != Provider.REAL, "jimfs has no type of exception for it");
        place.file("file");
        place.file("a/file");
        place.link("toFile", "file");
        place.link("toDirectory", "a");
        place.link("a/toLink", "../dangling");
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
        assertThat(inWorkingDirectory).doesNotExist(); // where commons-io makes it
    }

    /** {@code Files.find} and both walkers show a file as if it were in itself. */
    @ParameterizedTest
    @ValueSource(strings = {"toFile", "dangling", "dangling/.", "dangling/x"})
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
        Path dir = place.path(names);

        List<Entry> entries = Dirs.entries(dir);

        assertThat(entries)
                .extracting(
                        Entry::path,
                        entry -> entry.attributes().isSymbolicLink(),
                        entry -> entry.attributes().isDirectory())
                .containsExactlyInAnyOrder(
                        tuple(dir.resolve("sub"), false, true),
                        tuple(dir.resolve("file"), false, false),
                        tuple(dir.resolve("toDirectory"), true, false),
                        tuple(dir.resolve("toNothing"), true, false),
                        tuple(dir.resolve("self"), true, false));
    }
}
