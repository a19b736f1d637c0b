package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A file that is replaced as a whole, and durably: at any time, also after a power cut, it is an old one or the new
 * one, and once {@link #replace} has returned, the new one, if its directory was there before. Not thread-safe.
 *
 * <p>It is a new file each time. Where there are POSIX permissions, only its owner may read it, even if other users
 * could read the old one. A symbolic link in its place is replaced, and its target does not change.
 */
final class DurableFile {
    /** Some two seconds in all: on Windows a file cannot be replaced while another process reads it. */
    private static final int ATTEMPTS = 40;

    private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path path;
    private final CompleteFile.Move move;
    private final Pause pause;

    /** A way to wait for that long, more or less: to sleep, or to advance a simulated clock. */
    interface Pause {
        void nanos(long nanos) throws InterruptedException;
    }

    DurableFile(Path path) {
        this(path, (from, to) -> Files.move(from, to, ATOMIC_MOVE), TimeUnit.NANOSECONDS::sleep);
    }

    /** Takes how the new file is moved, and how to wait until that is tried again. */
    DurableFile(Path path, CompleteFile.Move move, Pause pause) {
        this.path = path.toAbsolutePath();
        this.move = move;
        this.pause = pause;
    }

    Path path() {
        return path;
    }

    /** Replaces the file, and makes its directory if that is missing. After a failure it is the old or the new one. */
    void replace(byte[] content) throws IOException {
        // In the same directory, for a move is atomic only within a file system.
        Path directory = Dirs.ensureParent(path).getParent();
        Path temporary = Files.createTempFile(directory, path.getFileName() + ".", ".tmp");
        CompleteFile.write(temporary, path, content, this::moveUnlessRead);
    }

    private void moveUnlessRead(Path from, Path to) throws IOException {
        for (int left = ATTEMPTS - 1; ; left--) {
            try {
                move.move(from, to);
                return;
            } catch (AccessDeniedException e) {
                if (left == 0) {
                    throw e;
                }
            }
            try {
                pause.nanos(BETWEEN);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("interrupted while " + to + " is read").initCause(e);
            }
        }
    }

    /**
     * Deletes the new files that were never moved because their process was killed. To be called at the start, when no
     * other process replaces the file.
     */
    void deleteLeftovers() throws IOException {
        String names = Pattern.quote(path.getFileName() + ".") + "\\d+\\.tmp";
        for (Dirs.Entry entry : Dirs.entries(Dirs.ensureParent(path).getParent())) {
            if (String.valueOf(entry.path().getFileName()).matches(names)) {
                Files.deleteIfExists(entry.path());
            }
        }
    }
}
