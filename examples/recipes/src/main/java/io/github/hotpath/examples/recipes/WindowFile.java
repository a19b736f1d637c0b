package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A file in which a window survives a restart.
 *
 * <p>Not thread-safe, for the windows are not: write under the lock under which the window is used. To keep threads
 * from waiting for the disk, take only the {@link #snapshot} under the lock.
 */
final class WindowFile {
    private final RestartFile file;
    private final LongSupplier nanoClock;

    /** Takes the clock that the windows' times come from, and one that continues while no JVM runs. */
    WindowFile(Path path, LongSupplier nanoClock, InstantSource wallClock) {
        this.file = new RestartFile(new DurableFile(path), nanoClock, wallClock);
        this.nanoClock = nanoClock;
    }

    /** Returns the content of a file that has the events of {@code window}. */
    byte[] snapshot(EventWindow window) throws IOException {
        return file.snapshot(window::writeTo);
    }

    /** Writes the events of {@code window}. After any failure the file is the old one or the new one, and whole. */
    void write(EventWindow window) throws IOException {
        write(snapshot(window));
    }

    /** Writes a {@link #snapshot}, else as {@link #write(EventWindow)}. */
    void write(byte[] snapshot) throws IOException {
        file.write(snapshot);
    }

    /**
     * Records the events of the file in {@code window}, a new one, oldest first. If that fails, nothing was recorded.
     *
     * @throws java.nio.file.NoSuchFileException if there is no file
     * @throws RestartFile.DamagedException if the file is not as it was written: only then is it of no use
     * @throws IOException if the file cannot be read, has not all events that {@code window} could count, or is of the
     *     future: see {@link RestartFile#read}
     */
    void readInto(EventWindow window) throws IOException {
        EventWindow written = file.read(EventWindow::readFrom);
        Duration interval = window.interval();
        if (interval.compareTo(written.interval()) > 0) {
            throw file.fault("has the events of " + written.interval() + ", which is less than " + interval);
        }
        long nanos = nanoClock.getAsLong();
        written.trim(nanos);
        for (long time : written.toArray()) {
            if (nanos - time <= interval.toNanos()) {
                window.record(time);
            }
        }
    }
}
