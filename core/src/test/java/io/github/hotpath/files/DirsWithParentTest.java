package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Dirs#withParent}: the rules that hold on every provider. */
@ParameterizedClass
@EnumSource(Provider.class)
class DirsWithParentTest extends ProviderTest {
    /** The paths that the operation was given. */
    private final List<Path> runs = new ArrayList<>();

    @Test
    void withParent_missingOrThere_madeAndRunOnceMoreOrOnce() throws IOException {
        for (Path file : List.of(place.path("a/b/file"), place.path("a/b/file"), place.relative("c/file"))) {
            assertThat(Dirs.<Path>withParent(file, f -> Files.writeString(f, "content")))
                    .isSameAs(file);
        }

        assertThat(place.tree()).containsExactly("a/", "a/b/", "a/b/file: content", "c/", "c/file: content");
    }

    /** How the first run fails, and whether a second one follows if the parent is missing, and if it is there. */
    static Stream<Arguments> whatFails() {
        return Stream.of(
                arguments(new NoSuchFileException("x"), true, true),
                arguments(new FileNotFoundException("x"), true, true), // as of a FileOutputStream
                arguments(new IOException("x"), true, false), // as of File.createNewFile
                arguments(new AccessDeniedException("x"), true, false),
                arguments(new UncheckedIOException(new NoSuchFileException("x")), true, false),
                arguments(new StackOverflowError(), false, false));
    }

    /**
     * Operations tell of a missing parent by exceptions of any class (xtclang/xvm#368, dianping/cat#1072), and wrap them
     * (ATLauncher/ATLauncher#985). Kafka and Bazel wrote this repair by hand (KAFKA-5998, bazelbuild/bazel#19381). After
     * those that say that something is missing, the directory may be there because another caller has just created it.
     */
    @ParameterizedTest
    @MethodSource("whatFails")
    void withParent_fails_runOnceMoreWhereThatMayHelp(Throwable failure, boolean ifMissing, boolean ifThere)
            throws IOException {
        place.directory("there");
        Path file = place.file("file");

        assertRunOnceMore(ifMissing, place.path("missing/a/x"), failure);
        assertRunOnceMore(ifThere, place.path("there/x"), failure);
        assertRunOnceMore(false, place.root().getFileSystem().getPath("without parent"), failure);
        if (ifThere) { // it is not, and the repair says why
            assertThat(runFailing(file.resolve("x"), failure))
                    .isExactlyInstanceOf(FileAlreadyExistsException.class)
                    .hasSuppressedException(failure);
        } else {
            assertRunOnceMore(false, file.resolve("x"), failure);
        }

        assertThat(place.tree())
                .isEqualTo(
                        ifMissing
                                ? List.of("file: content", "missing/", "missing/a/", "there/")
                                : List.of("file: content", "there/"));
    }

    private void assertRunOnceMore(boolean expected, Path file, Throwable failure) {
        Throwable thrown = runFailing(file, failure);

        assertThat(thrown).as("at %s", file).isSameAs(expected ? null : failure);
        assertThat(failure).hasNoSuppressedExceptions();
        assertThat(runs).isEqualTo(expected ? List.of(file, file) : List.of(file));
    }

    /** Runs an operation that throws these, one after the other, and then returns null. Returns what is thrown in all. */
    private @Nullable Throwable runFailing(Path file, Throwable... failures) {
        Iterator<Throwable> left = List.of(failures).iterator();
        runs.clear();
        return catchThrowable(() -> assertThat(Dirs.<@Nullable String>withParent(file, f -> {
                    runs.add(f);
                    if (left.hasNext()) {
                        Failures.throwAny(left.next());
                    }
                    return null;
                }))
                .isNull());
    }

    /** Whether the parent was missing, or the operation misses another directory. */
    @ParameterizedTest
    @MethodSource("whatFails")
    void withParent_secondRunFails_passesAsItIs(Throwable second) throws IOException {
        for (String names : List.of("a/file", "file")) {
            Throwable thrown = runFailing(place.path(names), new NoSuchFileException("first"), second);

            assertThat(thrown).isSameAs(second).hasNoSuppressedExceptions();
            assertThat(runs).hasSize(2);
        }
        assertThat(place.tree()).containsExactly("a/");
    }
}
