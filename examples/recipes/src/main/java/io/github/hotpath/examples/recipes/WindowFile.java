package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A file in which a window survives a restart. {@link System#nanoTime} means nothing in another JVM, so what is kept is
 * the events' ages, and the wall time between writing and reading is added to them.
 *
 * <p>Not thread-safe, for the windows are not: write under the lock under which the window is used. If nobody shall
 * wait for the disk, take only the {@link #snapshot} under the lock.
 */
final class WindowFile {
    private final Path path;
    private final LongSupplier nanoClock;
    private final InstantSource wallClock;

    /** Takes the clock that the windows' times come from, and one that goes on while no JVM runs. */
    WindowFile(Path path, LongSupplier nanoClock, InstantSource wallClock) {
        this.path = path.toAbsolutePath();
        this.nanoClock = nanoClock;
        this.wallClock = wallClock;
    }

    /** Returns the events that are in {@code window} now. */
    WindowSnapshot snapshot(EventWindow window) {
        return WindowSnapshot.of(window, nanoClock.getAsLong(), wallClock.instant());
    }

    /**
     * Writes the events of {@code window}. Whatever happens meanwhile, the file is the old one or the new one, and
     * whole. On Windows this fails while somebody reads the file.
     *
     * <p>It is a new file each time. Where there are POSIX permissions, only its owner may read it, whoever could read
     * the old one; a link in its place is replaced, and what that led to stays as it is.
     */
    void write(EventWindow window) throws IOException {
        write(snapshot(window));
    }

    /** Writes {@code snapshot}, else as {@link #write(EventWindow)}. */
    void write(WindowSnapshot snapshot) throws IOException {
        ByteBuffer bytes = snapshot.toBytes();
        // In the same directory, for a move is atomic only within a file system.
        Path temporary = Files.createTempFile(Dirs.ensureParent(path).getParent(), path.getFileName() + ".", ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(temporary, WRITE)) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true); // before the move, or a power cut could leave the new name without the content
            }
            Files.move(temporary, path, ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /**
     * Records the events of the file in {@code window}, a new one, oldest first. If that fails, nothing was recorded.
     *
     * @throws java.nio.file.NoSuchFileException if there is no file
     * @throws WindowSnapshot.DamagedException if the file is not as it was written: only then is it of no use
     * @throws IOException if the file cannot be read, has not all events that {@code window} could count, or is of the
     *     future: if the wall clock was set back, nobody knows how old the events are, and any count would be a guess
     */
    void readInto(EventWindow window) throws IOException {
        WindowSnapshot snapshot = WindowSnapshot.read(path);
        long nanos = nanoClock.getAsLong();
        Instant now = wallClock.instant();
        Duration interval = window.interval();
        if (interval.compareTo(snapshot.interval()) > 0) {
            throw fault("has the events of " + snapshot.interval() + ", which is less than " + interval);
        }
        Duration passed = Duration.between(snapshot.written(), now);
        if (passed.isNegative()) {
            throw fault("written at " + snapshot.written() + ", which is later than now, " + now);
        }
        for (long age : snapshot.ages()) {
            Duration ageNow = passed.plusNanos(age);
            if (ageNow.compareTo(interval) <= 0) {
                window.record(nanos - ageNow.toNanos());
            }
        }
    }

    private IOException fault(String reason) {
        return new FileSystemException(path.toString(), null, reason);
    }
}
