package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Dirs#ensure} and {@link Dirs#ensureParent}: the rules that hold on every provider. */
@ParameterizedClass
@EnumSource(Provider.class)
class DirsEnsureTest extends ProviderTest {
    /** Go's {@code os.MkdirAll("")} is an error, as is commons-io's forceMkdir of it on JDK 17. */
    @Test
    void ensure_directory_returnsSameReference() throws IOException {
        place.file("a/file");
        Path empty = place.root().getFileSystem().getPath("");

        for (Path there :
                List.of(place.path("a"), place.path("a/."), place.root().getRoot(), empty)) {
            assertThat(Dirs.ensure(there)).isSameAs(there);
        }

        assertThat(place.tree()).containsExactly("a/", "a/file: content");
    }

    /** JDK 17's createDirectories returns the absolute path when it has made something (JDK-8307976). */
    @Test
    void ensure_relative_returnsSameReference() throws IOException {
        Path dir = place.relative("a/b/c");

        assertThat(Dirs.ensure(dir)).isSameAs(dir);
        assertThat(Dirs.ensure(dir)).isSameAs(dir);

        assertThat(place.tree()).containsExactly("a/", "a/b/", "a/b/c/");
    }

    /**
     * Wherever the JDK's createDirectories does, and also where that returns with a path at which nothing exists: for
     * {@code a/../b} it creates b alone, also where a must exist for {@code a/..} to resolve (update4j/update4j#66;
     * Guava, commons-io and Kotlin inherit it). Rust's {@code create_dir_all} returns NotFound for a trailing dot
     * (rust-lang/rust#162243); bos loops for ever (dbuenzli/bos#99).
     */
    @ParameterizedTest
    @CsvSource({
        "a, a/",
        "a/b/c/d/e, a/ a/b/ a/b/c/ a/b/c/d/ a/b/c/d/e/",
        "there/a/b, there/a/ there/a/b/",
        "a/., a/",
        "a/b/., a/ a/b/",
        "a/./b, a/ a/b/",
        "./a/b, a/ a/b/",
        "a/././b/./., a/ a/b/",
        "there/./a, there/a/",
        "there/.., ''",
        "there/../a/b, a/ a/b/",
        "a/../b, a/ b/",
        "a/../a/../b, a/ b/",
        "a/./../b/., a/ b/",
        // what else is made on the way is up to the file system
        "a/..,",
        "a/b/..,",
        "x/a/../b,",
        "x/../a/b/../c,"
    })
    void ensure_missing_isMade(String names, String tree) throws IOException {
        place.directory("there");
        Path dir = place.path(names);

        assertThat(Dirs.ensure(dir)).isSameAs(dir);

        assertThat(dir).isDirectory();
        if (tree != null) {
            boolean withoutA = names.contains("a/..") || names.contains("a/./..");
            String made = withoutA && place.resolvesDotsByName() ? "b/" : tree;
            assertThat(place.tree())
                    .containsExactlyInAnyOrder((made + " there/").trim().split(" "));
        }
    }

    /**
     * Okio's createDirectories returns as if all were well, as do logback's and Hadoop's {@code mkdirs() || exists()}.
     * commons-io's PathUtils.createParentDirectories takes any file for the directory (since the fix of IO-796).
     */
    @Test
    void ensure_file_throwsNamingIt() throws IOException {
        Path file = place.file("file");

        FileSystemException thrown = assertThrown(FileAlreadyExistsException.class, file, () -> Dirs.ensure(file));
        assertThrown(FileAlreadyExistsException.class, file, () -> Dirs.ensureParent(file.resolve("x")));

        assertThat(thrown).hasCauseInstanceOf(FileAlreadyExistsException.class);
        Path below = file.resolve("x");
        if (provider == Provider.ZIP) { // a known limit: zipfs makes it, without complaint and harm to the file
            assertThat(Dirs.ensure(below)).isDirectory();
            assertThat(file).hasContent("content");
            return;
        }
        assertThatThrownBy(() -> Dirs.ensure(below)).isInstanceOf(IOException.class);
        assertThat(place.tree()).containsExactly("file: content");
    }

    /**
     * distutils' mkpath cached what it had created and never created it again (python/cpython#55157,
     * pypa/distutils#21), and setuptools what it had attempted (pypa/distutils#304).
     */
    @Test
    void ensure_changedMeanwhile_isSeen() throws IOException {
        Path dir = Dirs.ensure(place.path("a/b"));
        Files.delete(dir);
        place.file("a/b");
        assertThrown(FileAlreadyExistsException.class, dir, () -> Dirs.ensure(dir));
        assertThat(place.tree()).containsExactly("a/", "a/b: content");
        Files.delete(dir);
        Dirs.ensure(dir);
        assertThat(place.tree()).containsExactly("a/", "a/b/");
    }

    /** The parent of {@code c/..} by name is c, wherever that leads. */
    @Test
    void ensureParent_missing_makesParentOnly() throws IOException {
        for (Path file : List.of(place.path("a/b/file"), place.relative("b/file"), place.path("c/.."))) {
            assertThat(Dirs.ensureParent(file)).isSameAs(file);
        }

        assertThat(place.tree()).containsExactly("a/", "a/b/", "b/", "c/");
    }

    @Test
    void ensureParent_thereOrNone_touchesNothing() throws IOException {
        Path name = place.root().getFileSystem().getPath("file");

        for (Path file : List.of(place.file("file"), name, place.root().getRoot())) {
            assertThat(Dirs.ensureParent(file)).isSameAs(file);
        }

        assertThat(Files.exists(name)).isFalse();
        assertThat(place.tree()).containsExactly("file: content");
    }

    /** Python's {@code makedirs} applies the mode to the last directory only (bpo-19930). */
    @Test
    void any_attributes_areThoseOfEachMade() throws IOException {
        assumeTrue(
                place.root().getFileSystem().supportedFileAttributeViews().contains("posix"),
                "a file system without permissions");
        Set<PosixFilePermission> before = PosixFilePermissions.fromString("rwxr-xr-x");
        Set<PosixFilePermission> ours = PosixFilePermissions.fromString("rwx------");
        FileAttribute<?> makeOurs = PosixFilePermissions.asFileAttribute(ours);
        Path there = Files.setPosixFilePermissions(place.directory("a"), before);
        assumeTrue(Files.getPosixFilePermissions(there).equals(before), "an SFTP server of files without permissions");

        Dirs.ensure(place.path("a/b/c"), makeOurs);
        Dirs.ensureParent(place.path("a/d/file"), makeOurs);
        Dirs.withParent(place.path("a/e/file"), file -> Files.writeString(file, ""), makeOurs);

        assertThat(Files.getPosixFilePermissions(there)).isEqualTo(before);
        for (String made : List.of("a/b", "a/b/c", "a/d", "a/e")) {
            assertThat(Files.getPosixFilePermissions(place.path(made))).as(made).isEqualTo(ours);
        }
    }

    @Test
    void any_nullAmongTheAttributes_isLookedAtOnlyToCreate() throws IOException {
        assumeTrue(provider != Provider.SFTP, "it does not look at them at all");
        FileAttribute<?> none = null;
        Path dir = place.directory("a");
        Path file = place.path("a/file");

        assertThat(Dirs.ensure(dir, none)).isSameAs(dir);
        assertThat(Dirs.ensureParent(file, none)).isSameAs(file);
        Dirs.withParent(file, f -> Files.writeString(f, "content"), none);
        assertThatThrownBy(() -> Dirs.ensure(place.path("b"), none)).isInstanceOf(NullPointerException.class);

        assertThat(place.tree()).containsExactly("a/", "a/file: content");
    }
}
