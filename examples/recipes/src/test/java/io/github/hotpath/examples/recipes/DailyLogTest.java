package io.github.hotpath.examples.recipes;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.io.MoreFiles;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DailyLogTest {
    private static final LocalDate DAY = LocalDate.of(2026, 11, 24);

    @TempDir
    private Path dir;

    private final FakeClock clock = new FakeClock(); // noon

    @Test
    void append_sameDay_sameFile() throws IOException {
        DailyLog log = new DailyLog(dir.resolve("logs"), "app.log", clock, ZoneOffset.UTC);

        log.append("one");
        clock.advance(Duration.ofHours(12).minusNanos(1));
        log.append("two");

        assertThat(Files.readAllLines(dir.resolve("logs/2026/11/24/app.log"))).containsExactly("one", "two");
    }

    @Test
    void append_midnightOfTheZone_newFile() throws IOException {
        DailyLog log = new DailyLog(dir, "app.log", clock, ZoneId.of("Asia/Tokyo")); // nine hours ahead

        log.append("one");
        clock.advance(Duration.ofHours(3));
        log.append("two");

        assertThat(Files.readAllLines(log.file(DAY))).containsExactly("one");
        assertThat(Files.readAllLines(log.file(DAY.plusDays(1)))).containsExactly("two");
    }

    @Test
    void append_directoryDeletedMeanwhile_madeAgain() throws IOException {
        DailyLog log = new DailyLog(dir, "app.log", clock, ZoneOffset.UTC);
        log.append("one");
        MoreFiles.deleteRecursively(dir.resolve("2026"));

        log.append("two");

        assertThat(Files.readAllLines(log.file(DAY))).containsExactly("two");
    }

    /** As after a full disk in the middle of a line, also of another process. */
    @Test
    void append_lastLineIsIncomplete_beginsOnANewLine() throws IOException {
        DailyLog log = new DailyLog(dir, "app.log", clock, ZoneOffset.UTC);
        log.append("one");
        Files.writeString(log.file(DAY), "tw", StandardOpenOption.APPEND);

        log.append("three");

        assertThat(Files.readAllLines(log.file(DAY))).containsExactly("one", "tw", "three");
    }

    @Test
    void append_emptyFile_beginsWithTheLine() throws IOException {
        DailyLog log = new DailyLog(dir, "app.log", clock, ZoneOffset.UTC);
        Files.createFile(Dirs.ensureParent(log.file(DAY)));

        log.append("one");

        assertThat(Files.readAllLines(log.file(DAY))).containsExactly("one");
    }

    /** Lines of 100 KB by two writers, which have no lock in common, as two processes. */
    @Test
    void append_longLinesOfTwoWriters_areNotTorn() throws Exception {
        List<FutureTask<Void>> writers = new ArrayList<>();
        for (String letter : List.of("a", "b")) {
            DailyLog log = new DailyLog(dir, "app.log", clock, ZoneOffset.UTC);
            FutureTask<Void> writer = new FutureTask<>(() -> {
                for (int i = 0; i < 100; i++) {
                    log.append(letter.repeat(100_000));
                }
                return null;
            });
            new Thread(writer).start();
            writers.add(writer);
        }
        for (FutureTask<Void> writer : writers) {
            writer.get();
        }

        Path file = new DailyLog(dir, "app.log", clock, ZoneOffset.UTC).file(DAY);
        Map<String, Long> lines = Files.readAllLines(file).stream().collect(groupingBy(line -> line, counting()));
        lines.remove(""); // begun on a new line while the other's was being written
        assertThat(lines.values()).containsExactly(100L, 100L);
    }

    /** As by {@code shutdownNow} at the end of a program. */
    @Test
    void append_interrupted_isWritten() throws IOException {
        DailyLog log = new DailyLog(dir, "app.log", clock, ZoneOffset.UTC);
        log.append("one");
        Thread.currentThread().interrupt();

        log.append("two");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(Files.readAllLines(log.file(DAY))).containsExactly("one", "two");
    }

    @Test
    void append_diskIsFull_toldAndTheNextLineIsWhole() throws IOException {
        try (FileSystem small = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setBlockSize(1024)
                .setMaxSize(4 * 1024)
                .build())) {
            DailyLog log = new DailyLog(small.getPath("/logs"), "app.log", clock, ZoneOffset.UTC);
            log.append("one");

            assertThatExceptionOfType(IOException.class).isThrownBy(() -> log.append("x".repeat(5 * 1024)));
            log.append("three");

            List<String> lines = Files.readAllLines(log.file(DAY));
            assertThat(lines.get(0)).isEqualTo("one");
            assertThat(lines.get(lines.size() - 1)).isEqualTo("three");
        }
    }

    @Test
    void append_otherFileSystem_works() throws IOException {
        try (FileSystem fileSystem = Jimfs.newFileSystem(Configuration.windows())) {
            DailyLog log = new DailyLog(fileSystem.getPath("C:\\logs"), "app.log", clock, ZoneOffset.UTC);

            log.append("one");

            assertThat(Files.readAllLines(fileSystem.getPath("C:\\logs\\2026\\11\\24\\app.log")))
                    .containsExactly("one");
        }
    }
}
