package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shape of {@link Dirs}, and its treatment of null. */
class DirsApiTest {
    private static final FileAttribute<?>[] NULL_ARRAY = null;

    @TempDir
    Path there;

    @Test
    void dirs_null_isNamed() throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(there, BasicFileAttributes.class);

        assertNamed(() -> Dirs.ensure(null), "dir");
        assertNamed(() -> Dirs.ensureParent(null), "file");
        assertNamed(() -> Dirs.withParent(null, file -> file), "file");
        assertNamed(() -> Dirs.withParent(there, null), "operation");
        assertNamed(() -> Dirs.entries(null), "dir");
        assertNamed(() -> Dirs.forEachEntry(null, entry -> {}), "dir");
        assertNamed(() -> Dirs.forEachEntry(there, null), "action");
        assertNamed(() -> new Entry(null, attributes), "path");
        assertNamed(() -> new Entry(there, null), "attributes");
    }

    /** Although there is nothing to create, and so nothing to check. */
    @Test
    void dirs_nullArrayAndDirectoryThere_isNamed() {
        assertNamed(() -> Dirs.ensure(there, NULL_ARRAY), "attrs");
        assertNamed(() -> Dirs.ensureParent(there, NULL_ARRAY), "attrs");
        assertNamed(() -> Dirs.ensureParent(there.getRoot(), NULL_ARRAY), "attrs");
        assertNamed(() -> Dirs.withParent(there, file -> file, NULL_ARRAY), "attrs");
    }

    private static void assertNamed(ThrowingCallable call, String argument) {
        assertThatNullPointerException().isThrownBy(call).withMessage(argument);
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
