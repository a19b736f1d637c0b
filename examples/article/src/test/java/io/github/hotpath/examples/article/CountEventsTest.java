package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class CountEventsTest {
    private static final long INTERVAL = CountEvents.INTERVAL_NANOS;

    @TempDir
    private Path dir;

    @ParameterizedTest
    @EnumSource
    void run_nothingThere_directoryCreated(Stage stage) throws IOException {
        CountEvents.run(stage.turn(), dir, 3, System::nanoTime);

        assertThat(dir.resolve("a/b")).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource
    void run_jimfs_directoryCreated(Stage stage) throws IOException {
        for (Configuration system :
                new Configuration[] {Configuration.unix(), Configuration.osX(), Configuration.windows()}) {
            try (FileSystem jimfs = Jimfs.newFileSystem(system)) {
                CountEvents.run(stage.turn(), jimfs.getPath("work"), 3, System::nanoTime);

                assertThat(jimfs.getPath("work", "a", "b")).isEmptyDirectory();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void run_directoryDeletedBetweenTurns_createdAgain(Stage stage) throws IOException {
        LongSupplier clock = clock(0, 1);

        CountEvents.run(stage.turn(), dir, 5, () -> {
            long nanos = clock.getAsLong();
            if (nanos == 3) { // the start was at 0, so this is the third turn
                delete(dir.resolve("a/b"));
            }
            return nanos;
        });

        assertThat(dir.resolve("a/b")).isEmptyDirectory();
    }

    /** As in the article, whose figures are beside those of these turns. */
    @Test
    void run_turns_eachMakesItsPath() throws IOException {
        List<Path> dirs = new ArrayList<>();

        CountEvents.run((nanos, path) -> dirs.add(path) ? 7 : 0, dir, 3, System::nanoTime);

        assertThat(dirs).hasSize(3).containsOnly(dir.resolve("a/b"));
        assertThat(dirs.get(0)).isNotSameAs(dirs.get(1));
        assertThat(dirs.get(1)).isNotSameAs(dirs.get(2));
    }

    /** Twenty turns a tenth of the interval apart: an event exactly as old as the interval still counts. */
    @ParameterizedTest
    @EnumSource
    void run_clockInSteps_averagesCountsAndMeasuresTime(Stage stage) throws IOException {
        assertThat(CountEvents.run(stage.turn(), dir, 20, clock(0, INTERVAL / 10)))
                .isEqualTo("Average count: " + (55 + 10 * 11) / 20 + " op\nSpent time: 210 ms");
        assertThat(CountEvents.run(stage.turn(), dir, 20, clock(0, INTERVAL / 10 + 1)))
                .isEqualTo("Average count: " + (55 + 10 * 10) / 20 + " op\nSpent time: 210 ms");
    }

    /** The first fault of the article's program: after an overflow it keeps some events forever. */
    @ParameterizedTest
    @EnumSource
    void run_clockOverflows_onlyHotpathCountsAsBefore(Stage stage) throws IOException {
        String before = CountEvents.run(stage.turn(), dir, 1000, clock(0, INTERVAL / 10));
        String after = CountEvents.run(stage.turn(), dir, 1000, clock(Long.MAX_VALUE - 2 * INTERVAL, INTERVAL / 10));

        assertThat(before.equals(after)).isEqualTo(stage == Stage.HOTPATH);
    }

    @ParameterizedTest
    @EnumSource(names = "CHECKED", mode = Mode.EXCLUDE)
    void run_fileThere_fails(Stage stage) throws IOException {
        Path file = Files.createFile(Files.createDirectory(dir.resolve("a")).resolve("b"));

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> CountEvents.run(stage.turn(), dir, 3, System::nanoTime))
                .withMessage(file.toString());
    }

    /** The second fault of the article's program. */
    @Test
    void run_checkedWithFileThere_takesItForDirectory() throws IOException {
        Path file = Files.createFile(Files.createDirectory(dir.resolve("a")).resolve("b"));

        CountEvents.run(Stage.CHECKED.turn(), dir, 3, System::nanoTime);

        assertThat(file).isRegularFile();
    }

    @Test
    void main_wrongArguments_rejectedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CountEvents.main("hotpath", "dir"))
                .withMessage("arguments: hotpath dir (expected: STAGE DIR TURNS, or none)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CountEvents.main("fast", dir.toString(), "9"))
                .withMessage("stage: fast (expected: one of [original, trimmed, checked, hotpath])");
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
