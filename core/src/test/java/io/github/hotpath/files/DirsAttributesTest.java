package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The {@link FileAttribute}s that {@link Dirs} makes directories with. */
class DirsAttributesTest {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> MAKE_PRIVATE = PosixFilePermissions.asFileAttribute(PRIVATE);

    /** An attribute that no provider knows. */
    private static final FileAttribute<String> UNKNOWN = new FileAttribute<>() {
        @Override
        public String name() {
            return "made:up";
        }

        @Override
        public String value() {
            return "";
        }
    };

    /** An attribute that must not be read. */
    private static final FileAttribute<String> UNTOUCHABLE = new FileAttribute<>() {
        @Override
        public String name() {
            throw new AssertionError("looked at");
        }

        @Override
        public String value() {
            throw new AssertionError("looked at");
        }
    };

    @TempDir
    Path temp;

    /** Python's {@code makedirs} applies the mode to the last directory only (bpo-19930). */
    @ParameterizedTest
    @EnumSource(value = Provider.class, mode = Mode.EXCLUDE, names = "JIMFS_WINDOWS")
    void ensure_missing_attributesForEachMade(Provider provider) throws IOException {
        try (Place place = provider.open(temp)) {
            assumeTrue(
                    place.root().getFileSystem().supportedFileAttributeViews().contains("posix"),
                    "a file system without permissions");
            Set<PosixFilePermission> before = PosixFilePermissions.fromString("rwxr-xr-x");
            Path there = Files.setPosixFilePermissions(place.directory("a"), before);
            assumeTrue(
                    Files.getPosixFilePermissions(there).equals(before), "an SFTP server of files without permissions");

            Dirs.ensure(place.path("a/b/c"), MAKE_PRIVATE);
            Dirs.ensureParent(place.path("a/d/file"), MAKE_PRIVATE);
            Dirs.withParent(place.path("a/e/file"), file -> Files.writeString(file, ""), MAKE_PRIVATE);

            assertThat(Files.getPosixFilePermissions(there)).isEqualTo(before);
            for (String made : new String[] {"a/b", "a/b/c", "a/d", "a/e"}) {
                assertThat(Files.getPosixFilePermissions(place.path(made)))
                        .as(made)
                        .isEqualTo(PRIVATE);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void ensure_there_attributesNotLookedAt(Provider provider) throws IOException {
        try (Place place = provider.open(temp)) {
            Path dir = place.directory("a");
            Path file = dir.resolve("file");

            assertThat(Dirs.ensure(dir, nullAmongThem())).isSameAs(dir);
            assertThat(Dirs.ensure(dir, UNTOUCHABLE)).isSameAs(dir);
            assertThat(Dirs.ensureParent(file, UNTOUCHABLE)).isSameAs(file);
            Dirs.withParent(file, f -> Files.writeString(f, "content"), UNTOUCHABLE);

            assertThat(place.tree()).containsExactly("a/", "a/file: content");
        }
    }

    /** zipfs and SFTP ignore attributes that they do not know. */
    @ParameterizedTest
    @EnumSource(
            value = Provider.class,
            mode = Mode.EXCLUDE,
            names = {"ZIP", "ZIP_IN_ZIP", "SFTP"})
    void ensure_missingAndUnknownAttribute_throwsWhatTheProviderThrows(Provider provider) throws IOException {
        try (Place place = provider.open(temp)) {
            assertThatThrownBy(() -> Dirs.ensure(place.path("a/b"), UNKNOWN))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("made");

            assertThat(place.tree()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Provider.class, mode = Mode.EXCLUDE, names = "SFTP")
    void ensure_missingAndNullAmongAttributes_throwsWhatTheProviderThrows(Provider provider) throws IOException {
        try (Place place = provider.open(temp)) {
            assertThatThrownBy(() -> Dirs.ensure(place.path("a/b"), nullAmongThem()))
                    .isInstanceOf(NullPointerException.class);

            assertThat(place.tree()).isEmpty();
        }
    }

    private static FileAttribute<?>[] nullAmongThem() {
        return new FileAttribute<?>[1];
    }
}
