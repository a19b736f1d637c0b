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
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The {@link FileAttribute}s that {@link Dirs} makes directories with. */
@ParameterizedClass
@EnumSource(Provider.class)
class DirsAttributesTest extends ProviderTest {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> MAKE_PRIVATE = PosixFilePermissions.asFileAttribute(PRIVATE);
    private static final FileAttribute<?>[] NULL_AMONG_THEM = new FileAttribute<?>[1];

    /** An attribute that no provider knows. */
    private static final FileAttribute<String> UNKNOWN = attribute(() -> "made:up");

    /** An attribute that must not be read. */
    private static final FileAttribute<String> UNTOUCHABLE = attribute(() -> {
        throw new AssertionError("looked at");
    });

    private static FileAttribute<String> attribute(Supplier<String> nameAndValue) {
        return new FileAttribute<>() {
            @Override
            public String name() {
                return nameAndValue.get();
            }

            @Override
            public String value() {
                return nameAndValue.get();
            }
        };
    }

    /** Python's {@code makedirs} applies the mode to the last directory only (bpo-19930). */
    @Test
    void ensure_missing_attributesForEachMade() throws IOException {
        assumeTrue(
                place.root().getFileSystem().supportedFileAttributeViews().contains("posix"),
                "a file system without permissions");
        Set<PosixFilePermission> before = PosixFilePermissions.fromString("rwxr-xr-x");
        Path there = Files.setPosixFilePermissions(place.directory("a"), before);
        assumeTrue(Files.getPosixFilePermissions(there).equals(before), "an SFTP server of files without permissions");

        Dirs.ensure(place.path("a/b/c"), MAKE_PRIVATE);
        Dirs.ensureParent(place.path("a/d/file"), MAKE_PRIVATE);
        Dirs.withParent(place.path("a/e/file"), file -> Files.writeString(file, ""), MAKE_PRIVATE);

        assertThat(Files.getPosixFilePermissions(there)).isEqualTo(before);
        for (String made : List.of("a/b", "a/b/c", "a/d", "a/e")) {
            assertThat(Files.getPosixFilePermissions(place.path(made))).as(made).isEqualTo(PRIVATE);
        }
    }

    @Test
    void ensure_there_attributesNotLookedAt() throws IOException {
        Path dir = place.directory("a");
        Path file = dir.resolve("file");

        assertThat(Dirs.ensure(dir, NULL_AMONG_THEM)).isSameAs(dir);
        assertThat(Dirs.ensure(dir, UNTOUCHABLE)).isSameAs(dir);
        assertThat(Dirs.ensureParent(file, UNTOUCHABLE)).isSameAs(file);
        Dirs.withParent(file, f -> Files.writeString(f, "content"), UNTOUCHABLE);

        assertThat(place.tree()).containsExactly("a/", "a/file: content");
    }

    @Test
    void ensure_missingAndUnknownOrNullAttribute_throwsWhatTheProviderThrows() throws IOException {
        assumeTrue(provider != Provider.SFTP, "it ignores attributes that it does not know");
        Path dir = place.path("a/b");

        if (!provider.name().startsWith("ZIP")) { // zipfs ignores them, too, but not null
            assertThatThrownBy(() -> Dirs.ensure(dir, UNKNOWN))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("made");
        }
        assertThatThrownBy(() -> Dirs.ensure(dir, NULL_AMONG_THEM)).isInstanceOf(NullPointerException.class);

        assertThat(place.tree()).isEmpty();
    }
}
