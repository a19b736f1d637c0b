package io.github.hotpath.files;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@link Dirs} against others on the real file system. */
@Timeout(value = 5, unit = MINUTES) // without /dev/shm, they use a disk
@Tag("slow")
class DirsRaceTest {
    /** How often to make what another deletes: seldomer on a disk, where it takes a millisecond at times. */
    private static final int DELETIONS = InMemory.IS_HERE ? 30_000 : 3_000;

    private final ExecutorService threads = Executors.newSingleThreadExecutor();

    @TempDir(factory = InMemory.class)
    Path temp;

    @AfterEach
    void stopThreads() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(5, MINUTES)).isTrue();
    }

    /**
     * JDK, Rust, Go and Python report "exists" or "missing" for a path just deleted (python/cpython#142916).
     *
     * <p>The caller deletes, too, so that each call has something to create; the other thread interferes.
     */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "what is just being deleted or made is denied there to others")
    void ensure_anotherThreadDeletes_hardlyEverFails() throws Exception {
        Path parent = temp.resolve("parent");
        Path dir = parent.resolve("dir");
        List<IOException> failures = new ArrayList<>();
        Future<?> deleter = threads.submit(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                delete(dir);
                delete(parent);
            }
            return null;
        });

        for (int i = 0; i < DELETIONS; i++) {
            delete(dir);
            delete(parent);
            try {
                Dirs.ensure(dir);
            } catch (IOException failed) {
                failures.add(failed);
            }
        }

        assertThat(deleter).isNotDone();
        // The other thread may be faster eleven times in a row, if next to never. Without restarts there are dozens.
        assertThat(failures)
                .hasSizeLessThanOrEqualTo(2)
                .allSatisfy(failed -> assertThat(failed)
                        .isInstanceOfAny(NoSuchFileException.class, FileAlreadyExistsException.class));
    }

    private static void delete(Path dir) throws IOException {
        try {
            Files.deleteIfExists(dir);
        } catch (DirectoryNotEmptyException madeAnew) {
            // the other thread was faster
        }
    }
}
