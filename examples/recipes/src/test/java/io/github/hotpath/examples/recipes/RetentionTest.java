package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    private Path real;

    private final FileSystem fileSystem = Jimfs.newFileSystem(Configuration.unix());
    private final FakeClock clock = new FakeClock();
    private final List<IOException> failures = new ArrayList<>();
    private Path dir;

    @BeforeEach
    void createDirectory() throws IOException {
        dir = Files.createDirectory(fileSystem.getPath("/logs"));
    }

    @AfterEach
    void close() throws IOException {
        fileSystem.close();
        assertThat(failures).isEmpty();
    }

    @Test
    void deleteOlderThan_filesOfAnyAge_theOldOnes() throws IOException {
        Path old = write("old", 1, DAY.plusSeconds(1));
        Path justNotOld = write("just not old", 1, DAY);
        Path fresh = write("fresh", 1, Duration.ZERO);

        Retention.deleteOlderThan(dir, DAY, clock, failures::add);

        assertThat(old).doesNotExist();
        assertThat(justNotOld).exists();
        assertThat(fresh).exists();
    }

    @Test
    void deleteOlderThan_below_deletesFilesAndEmptyDirectories() throws IOException {
        Path emptied = write("a/b/old", 1, DAY.multipliedBy(2)).getParent();
        age(emptied, DAY.multipliedBy(2));
        Path used = write("c/fresh", 1, Duration.ZERO).getParent();
        age(used, DAY.multipliedBy(2));
        Path fresh = Files.createDirectory(dir.resolve("fresh"));
        age(fresh, Duration.ZERO);

        Retention.deleteOlderThan(dir, DAY, clock, failures::add);

        assertThat(emptied).doesNotExist();
        assertThat(used.resolve("fresh")).exists();
        assertThat(fresh).exists(); // somebody may be about to create a file in it
    }

    @Test
    void deleteOlderThan_symbolicLinks_notFollowedAndNotDeleted() throws IOException {
        Path elsewhere = real.resolve("elsewhere");
        Path precious = Files.createFile(Files.createDirectory(elsewhere).resolve("precious"));
        age(precious, DAY.multipliedBy(2));
        Path logs = Files.createDirectory(real.resolve("logs"));
        Files.createSymbolicLink(logs.resolve("link"), elsewhere);
        Files.createSymbolicLink(logs.resolve("file link"), precious);

        Retention.deleteOlderThan(logs, Duration.ofDays(-400_000), clock, failures::add);

        assertThat(precious).exists();
        assertThat(logs.toFile().list()).containsExactlyInAnyOrder("link", "file link");
    }

    /** As Jimfs refuses to delete its working directory by a relative path. */
    @Test
    void deleteOlderThan_oneCannotBeDeleted_theOthersAre() throws IOException {
        age(fileSystem.getPath(""), DAY.multipliedBy(2));
        Path next = write("../x", 1, DAY.multipliedBy(2));

        Retention.deleteOlderThan(fileSystem.getPath(".."), DAY, clock, failures::add);

        assertThat(next).doesNotExist();
        assertThat(failures).singleElement().asString().contains("../work");
        failures.clear();
    }

    @Test
    void deleteOldestOver_tooMuch_newestStay() throws IOException {
        Path oldest = write("a", 10, Duration.ofHours(4));
        Path old = write("b", 30, Duration.ofHours(3));
        Path newer = write("c", 40, Duration.ofHours(2));
        Path newest = write("d", 20, Duration.ofHours(1));

        Retention.deleteOldestOver(dir, 90, failures::add);
        assertThat(oldest).doesNotExist();
        assertThat(old).exists();

        Retention.deleteOldestOver(dir, 89, failures::add);
        assertThat(old).doesNotExist();
        assertThat(newer).exists();

        Retention.deleteOldestOver(dir, 0, failures::add);
        assertThat(newest).doesNotExist();
        assertThat(dir).isEmptyDirectory();
    }

    private Path write(String name, int bytes, Duration age) throws IOException {
        Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[bytes]);
        age(file, age);
        return file;
    }

    private void age(Path path, Duration age) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(clock.instant().minus(age)));
    }
}
