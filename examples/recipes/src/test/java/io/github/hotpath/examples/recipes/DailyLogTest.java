package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.MoreFiles;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
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
