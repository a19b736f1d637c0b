package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Named.named;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LoopTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @EnumSource
    void run_nothingThere_directoryMade(Stage stage) throws IOException {
        Loop.run(stage, dir, 3, System::nanoTime);

        assertThat(dir.resolve("a/b")).isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource("stagesAndFileSystems")
    void run_jimfs_directoryMade(Stage stage, Configuration configuration) throws IOException {
        try (FileSystem fileSystem = Jimfs.newFileSystem(configuration)) {
            Loop.run(stage, fileSystem.getPath("work"), 3, System::nanoTime);

            assertThat(fileSystem.getPath("work", "a", "b")).isEmptyDirectory();
        }
    }

    static Stream<Arguments> stagesAndFileSystems() {
        return Stream.of(
                        named("unix", Configuration.unix()),
                        named("osX", Configuration.osX()),
                        named("windows", Configuration.windows()))
                .flatMap(fileSystem -> Stream.of(Stage.values()).map(stage -> Arguments.of(stage, fileSystem)));
    }

    @ParameterizedTest
    @EnumSource
    void run_directoryThere_kept(Stage stage) throws IOException {
        Path file = Files.createFile(Files.createDirectories(dir.resolve("a/b")).resolve("file"));

        Loop.run(stage, dir, 3, System::nanoTime);

        assertThat(file).exists();
    }

    @ParameterizedTest
    @EnumSource
    void run_directoryDeletedBetweenTurns_madeAgain(Stage stage) throws IOException {
        Path ab = dir.resolve("a/b");
        LongSupplier clock = clock(0, 1);

        Loop.run(stage, dir, 5, () -> {
            long nanos = clock.getAsLong();
            if (nanos == 3) { // the reading at 0 is the start, so two turns have been
                delete(ab);
            }
            return nanos;
        });

        assertThat(ab).isEmptyDirectory();
    }

    /** Twenty turns a tenth of the interval apart: 1, 2, ... 10, and ten times 11. */
    @ParameterizedTest
    @MethodSource("stagesAndStarts")
    void run_clockInSteps_averagesCountsAndMeasuresTime(Stage stage, long start) throws IOException {
        Figures figures = Loop.run(stage, dir, 20, clock(start, Window.INTERVAL_NANOS / 10));

        assertThat(figures).isEqualTo(new Figures((55 + 10 * 11) / 20, 210));
    }

    /** Twenty turns a little more than a tenth of the interval apart: 1, 2, ... 10, and ten times 10. */
    @ParameterizedTest
    @MethodSource("stagesAndStarts")
    void run_clockInLongerSteps_averagesLower(Stage stage, long start) throws IOException {
        Figures figures = Loop.run(stage, dir, 20, clock(start, Window.INTERVAL_NANOS / 10 + 1));

        assertThat(figures).isEqualTo(new Figures((55 + 10 * 10) / 20, 210));
    }

    static Stream<Arguments> stagesAndStarts() {
        return Stream.of(Stage.values())
                .flatMap(stage -> LongStream.of(Long.MIN_VALUE, -1, 0, Long.MAX_VALUE - Window.INTERVAL_NANOS)
                        .mapToObj(start -> Arguments.of(stage, start)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ORIGINAL", "TRIMMED", "HOTPATH"})
    void run_fileThere_fails(Stage stage) throws IOException {
        Path file = Files.createFile(Files.createDirectory(dir.resolve("a")).resolve("b"));

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> Loop.run(stage, dir, 3, System::nanoTime))
                .withMessage(file.toString());
    }

    /** What the article leaves open, and the reason for the last stage. */
    @Test
    void run_checkedWithFileThere_takesItForDirectory() throws IOException {
        Path file = Files.createFile(Files.createDirectory(dir.resolve("a")).resolve("b"));

        Loop.run(Stage.CHECKED, dir, 3, System::nanoTime);

        assertThat(file).isRegularFile();
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a clock that is {@code step} later at each reading. */
    private static LongSupplier clock(long start, long step) {
        return LongStream.iterate(start, nanos -> nanos + step).iterator()::nextLong;
    }
}
