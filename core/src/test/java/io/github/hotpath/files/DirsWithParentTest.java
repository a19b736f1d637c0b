package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.Dirs.PathOperation;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Dirs#withParent}: the rules that hold on every provider. */
@ParameterizedClass
@EnumSource(Provider.class)
class DirsWithParentTest extends ProviderTest {
    /** Throws its failures one after the other, then returns; and keeps the paths that it was given. */
    private static final class Failing implements PathOperation<@Nullable String> {
        final List<Path> runs = new ArrayList<>();
        private final Iterator<Throwable> failures;

        Failing(Throwable... failures) {
            this.failures = Arrays.asList(failures).iterator();
        }

        @Override
        public @Nullable String apply(Path file) throws IOException {
            runs.add(file);
            if (failures.hasNext()) {
                Failures.throwAny(failures.next());
            }
            return null;
        }
    }

    @Test
    void withParent_missingOrThere_madeAndRunOnceMoreOrOnce() throws IOException {
        for (Path file : List.of(place.path("a/b/file"), place.path("a/b/file"), place.relative("c/file"))) {
            assertThat(Dirs.<Path>withParent(file, f -> Files.writeString(f, "content")))
                    .isSameAs(file);
        }

        assertThat(place.tree()).containsExactly("a/", "a/b/", "a/b/file: content", "c/", "c/file: content");
    }

    static Stream<IOException> whatIsRepaired() {
        return Stream.of(new NoSuchFileException("x"), new FileNotFoundException("x"));
    }

    /**
     * A check after the failure cannot tell whether the directory existed before: of two callers, one creates it.
     */
    @ParameterizedTest
    @MethodSource("whatIsRepaired")
    void withParent_madeByAnotherMeanwhile_isRunOnceMore(IOException missing) throws IOException {
        Failing operation = new Failing(missing);

        Dirs.withParent(place.path("a/file"), file -> {
            place.directory("a");
            return operation.apply(file);
        });

        assertThat(operation.runs).hasSize(2);
        assertThat(place.tree()).containsExactly("a/");
    }

    static Stream<Throwable> whatPasses() {
        return Stream.of(
                new IOException("x"),
                new AccessDeniedException("x"),
                new UncheckedIOException(new NoSuchFileException("x")),
                new AssertionError("x"));
    }

    /** Operations tell of a missing parent by exceptions of any class, and wrap them (ATLauncher/ATLauncher#985). */
    @ParameterizedTest
    @MethodSource("whatFails")
    void withParent_missingAndAnyException_returnsWhatTheSecondRunReturns(Throwable failure) throws IOException {
        assumeTrue(failure instanceof Exception, "every error propagates unchanged");
        Failing operation = new Failing(failure);

        String result = Dirs.withParent(place.path("a/b/file"), operation);

        assertThat(result).isNull();
        assertThat(operation.runs).hasSize(2);
        assertThat(place.tree()).containsExactly("a/", "a/b/");
    }

    @Test
    void withParent_missingAndError_passesAndNothingIsMade() throws IOException {
        Failing operation = new Failing(new StackOverflowError());

        Throwable thrown = catchThrowable(() -> Dirs.withParent(place.path("a/file"), operation));

        assertThat(thrown).isInstanceOf(StackOverflowError.class);
        assertThat(operation.runs).hasSize(1);
        assertThat(place.tree()).isEmpty();
    }

    /** Where a directory or something else is there, nothing is missing. */
    @ParameterizedTest
    @MethodSource("whatPasses")
    void withParent_thereAndOtherFailure_passes(Throwable failure) throws IOException {
        for (Path parent : List.of(place.directory("a"), place.file("b"))) {
            Failing operation = new Failing(failure);

            Throwable thrown = catchThrowable(() -> Dirs.withParent(parent.resolve("file"), operation));

            assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
            assertThat(operation.runs).hasSize(1);
        }
        assertThat(place.tree()).containsExactly("a/", "b: content");
    }

    static Stream<Throwable> whatFails() {
        return Stream.concat(whatIsRepaired(), whatPasses());
    }

    /** Whether the parent was missing, or the operation misses another directory. */
    @ParameterizedTest
    @MethodSource("whatFails")
    void withParent_secondRunFails_passesAsItIs(Throwable second) throws IOException {
        for (String names : List.of("a/file", "file")) {
            Failing operation = new Failing(new NoSuchFileException("first"), second);

            Throwable thrown = catchThrowable(() -> Dirs.withParent(place.path(names), operation));

            assertThat(thrown).isSameAs(second).hasNoSuppressedExceptions();
            assertThat(operation.runs).hasSize(2);
        }
        assertThat(place.tree()).containsExactly("a/");
    }

    @ParameterizedTest
    @MethodSource("whatIsRepaired")
    void withParent_noParent_passes(IOException missing) {
        Failing operation = new Failing(missing);

        Throwable thrown = catchThrowable(
                () -> Dirs.withParent(place.root().getFileSystem().getPath("file"), operation));

        assertThat(thrown).isSameAs(missing).hasNoSuppressedExceptions();
        assertThat(operation.runs).hasSize(1);
    }

    /**
     * Each tells of a missing parent in its own way (xtclang/xvm#368, dianping/cat#1072). Kafka and Bazel wrote this
     * repair by hand (KAFKA-5998, bazelbuild/bazel#19381).
     */
    @Test
    void withParent_operationsOfTheJdk_repaired() throws IOException {
        assumeTrue(provider == Provider.REAL, "operations on a java.io.File");

        Dirs.withParent(place.path("a/file"), f -> f.toFile().createNewFile());
        Dirs.withParent(
                place.path("b/file"),
                f -> File.createTempFile("temporary", "", f.getParent().toFile())
                        .renameTo(f.toFile()));
        Dirs.withParent(place.path("c/file"), f -> {
            new FileOutputStream(f.toFile()).close();
            return null;
        });

        assertThat(place.tree()).containsExactly("a/", "a/file: ", "b/", "b/file: ", "c/", "c/file: ");
    }
}
