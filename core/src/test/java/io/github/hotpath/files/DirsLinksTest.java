package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.hotpath.files.Dirs.Entry;
import io.github.hotpath.testing.Seed;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
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
        "file/., file",
        "file/../x, file",
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
        assumeFalse(names.contains("..") && place.resolvesDotsByName(), "the file is not on the way");
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
    void any_linkLoop_fails() throws IOException {
        Path loop = place.link("loop", "loop");

        if (provider == Provider.REAL) {
            assertThrown(NotDirectoryException.class, loop, () -> Dirs.ensure(loop.resolve("x")));
        } else { // jimfs has no type for it, and what has none is passed on
            assertThatThrownBy(() -> Dirs.ensure(loop.resolve("x"))).isExactlyInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> Dirs.entries(loop)).isInstanceOf(IOException.class);

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

    /** Of few names, so that the same ones recur: links lead to links, to directories, and in circles. */
    @RepeatedTest(5)
    void ensure_inARandomTree_succeedsOrNamesTheTopmostObstacle(RepetitionInfo repetition) throws IOException {
        place.link("probe", "nothing"); // or aborts, where this user may make none
        SplittableRandom random = Seed.random(provider + " " + repetition.getCurrentRepetition());
        for (int act = 0; act < 60; act++) {
            Path path = randomPath(random);
            try {
                switch (random.nextInt(4)) {
                    case 0 -> Files.writeString(path, "content");
                    case 1 -> Files.createSymbolicLink(path, randomPath(random));
                    case 2 -> Files.deleteIfExists(path);
                    default -> ensureInTree(path);
                }
            } catch (IOException impossible) {
                // to make or delete that in this tree
            }
        }
    }

    /** Returns a path of one to four names. */
    private Path randomPath(SplittableRandom random) {
        Path path = place.root();
        for (int more = random.nextInt(4); more >= 0; more--) {
            path = path.resolve(List.of("a", "b", "c").get(random.nextInt(3)));
        }
        return path;
    }

    private void ensureInTree(Path dir) throws IOException {
        Optional<Path> obstacle = IntStream.rangeClosed(place.root().getNameCount() + 1, dir.getNameCount())
                .mapToObj(names -> place.root().getRoot().resolve(dir.subpath(0, names)))
                .filter(level -> Files.exists(level, NOFOLLOW_LINKS) && !Files.isDirectory(level))
                .findFirst();
        List<String> before = place.tree();

        Throwable thrown = catchThrowable(() -> Dirs.ensure(dir));

        if (obstacle.isEmpty()) {
            assertThat(thrown).as(Seed.hint()).isNull();
            assertThat(Files.isDirectory(dir)).isTrue();
            assertThat(place.tree()).containsAll(before);
            return;
        }
        assertThat(place.tree()).isEqualTo(before);
        assertThat(thrown).as(Seed.hint()).isInstanceOf(IOException.class);
        if (thrown instanceof FileSystemException failed) { // jimfs has no such exception for links in a circle
            assertThat(failed.getFile()).isEqualTo(obstacle.get().toString());
            assertThat(failed)
                    .isExactlyInstanceOf(
                            obstacle.get().equals(dir)
                                    ? FileAlreadyExistsException.class
                                    : NotDirectoryException.class);
        }
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
}
