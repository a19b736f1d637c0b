package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.testing.NullPointerTester;
import io.github.hotpath.files.Dirs.Entry;
import io.github.hotpath.files.Dirs.EntryConsumer;
import io.github.hotpath.files.Dirs.PathOperation;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shape of {@link Dirs}, and its treatment of null. */
class DirsApiTest {
    private static final FileAttribute<?>[] NULL_ARRAY = null;

    @TempDir
    Path there;

    @Test
    void dirs_nullAnywhere_throws() throws IOException {
        NullPointerTester tester = new NullPointerTester()
                .setDefault(Path.class, there)
                .setDefault(PathOperation.class, file -> "")
                .setDefault(EntryConsumer.class, entry -> {})
                .setDefault(FileAttribute[].class, new FileAttribute<?>[0])
                .setDefault(BasicFileAttributes.class, Files.readAttributes(there, BasicFileAttributes.class));

        tester.testAllPublicStaticMethods(Dirs.class);
        tester.testAllPublicConstructors(Entry.class);
    }

    @Test
    void dirs_null_isNamed() {
        assertThatThrownBy(() -> Dirs.ensure(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("dir");
        assertThatThrownBy(() -> Dirs.ensureParent(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("file");
        assertThatThrownBy(() -> Dirs.withParent(null, file -> file))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("file");
        assertThatThrownBy(() -> Dirs.withParent(there, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("operation");
        assertThatThrownBy(() -> Dirs.entries(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("dir");
        assertThatThrownBy(() -> Dirs.forEachEntry(null, entry -> {}))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("dir");
        assertThatThrownBy(() -> Dirs.forEachEntry(there, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("action");
    }

    /** Although there is nothing to create, and so nothing to check. */
    @Test
    void dirs_nullArrayAndDirectoryThere_isNamed() {
        Path root = there.getRoot();

        assertThatThrownBy(() -> Dirs.ensure(there, NULL_ARRAY))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("attrs");
        assertThatThrownBy(() -> Dirs.ensureParent(there, NULL_ARRAY))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("attrs");
        assertThatThrownBy(() -> Dirs.ensureParent(root, NULL_ARRAY))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("attrs");
        assertThatThrownBy(() -> Dirs.withParent(there, file -> file, NULL_ARRAY))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("attrs");
    }

    @Test
    void dirs_publicMembers_areThoseOfTheContract() {
        assertThat(Arrays.stream(Dirs.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .map(Method::getName))
                .containsExactlyInAnyOrder("ensure", "ensureParent", "withParent", "entries", "forEachEntry");
        assertThat(Dirs.class.getClasses())
                .containsExactlyInAnyOrder(Entry.class, PathOperation.class, EntryConsumer.class);
        assertThat(Dirs.class.getConstructors()).isEmpty();
    }
}
