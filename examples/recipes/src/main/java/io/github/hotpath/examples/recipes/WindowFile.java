package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * A file in which a window survives a restart. {@link System#nanoTime} has no meaning in another JVM, so the file has
 * the time of writing by that clock and by the wall clock, and the events keep their ages.
 *
 * <p>Not thread-safe, for the windows are not: write under the lock under which the window is used. To keep threads
 * from waiting for the disk, take only the {@link #snapshot} under the lock.
 */
final class WindowFile {
    /*
     * A CRC-32C of all that follows; then the nanoseconds of the clock of the window, and the seconds and nanoseconds
     * of the wall clock, when it was written; then the window in its compact form. All numbers are big-endian.
     */
    private static final int CHECKSUM = Integer.BYTES;

    private final Path path;
    private final LongSupplier nanoClock;
    private final InstantSource wallClock;

    /** Takes the clock that the windows' times come from, and one that continues while no JVM runs. */
    WindowFile(Path path, LongSupplier nanoClock, InstantSource wallClock) {
        this.path = path.toAbsolutePath();
        this.nanoClock = nanoClock;
        this.wallClock = wallClock;
    }

    /** Returns the content of a file that has the events of {@code window}. */
    byte[] snapshot(EventWindow window) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        Instant written = wallClock.instant();
        out.writeInt(0);
        out.writeLong(nanoClock.getAsLong());
        out.writeLong(written.getEpochSecond());
        out.writeInt(written.getNano());
        window.writeTo(out);
        byte[] content = bytes.toByteArray();
        ByteBuffer.wrap(content).putInt(checksum(content));
        return content;
    }

    private static int checksum(byte[] content) {
        CRC32C checksum = new CRC32C();
        checksum.update(content, CHECKSUM, content.length - CHECKSUM);
        return (int) checksum.getValue();
    }

    /**
     * Writes the events of {@code window}. After any failure the file is the old one or the new one, and whole. On
     * Windows this fails while another process reads the file.
     *
     * <p>It is a new file each time. Where there are POSIX permissions, only its owner may read it, even if other users
     * could read the old one. A symbolic link in its place is replaced, and its target does not change.
     */
    void write(EventWindow window) throws IOException {
        write(snapshot(window));
    }

    /** Writes a {@link #snapshot}, else as {@link #write(EventWindow)}. */
    void write(byte[] snapshot) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(snapshot);
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
     * @throws DamagedException if the file is not as it was written: only then is it of no use
     * @throws IOException if the file cannot be read, has not all events that {@code window} could count, or is of the
     *     future: if the wall clock was set back, the age of the events is unknown, and any count would be a guess
     */
    void readInto(EventWindow window) throws IOException {
        byte[] content = Files.readAllBytes(path);
        if (content.length < CHECKSUM || ByteBuffer.wrap(content).getInt() != checksum(content)) {
            throw new DamagedException(path, "altered, or no window's file: the checksum is wrong");
        }
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(content, CHECKSUM, content.length - CHECKSUM));
        Written written;
        try {
            written = Written.readFrom(in);
        } catch (EOFException | StreamCorruptedException e) {
            throw new DamagedException(path, e.toString()); // a later version; or four zeros, which are their checksum
        }
        record(written, window);
    }

    private void record(Written written, EventWindow window) throws IOException {
        long nanos = nanoClock.getAsLong();
        Instant now = wallClock.instant();
        Duration interval = window.interval();
        Duration writtenInterval = written.window.interval();
        if (interval.compareTo(writtenInterval) > 0) {
            throw fault("has the events of " + writtenInterval + ", which is less than " + interval);
        }
        Duration passed = Duration.between(written.instant, now);
        if (passed.isNegative()) {
            throw fault("written at " + written.instant + ", which is later than now, " + now);
        }
        for (long time : written.window.toArray()) {
            Duration age = passed.plusNanos(written.nanos - time);
            if (age.compareTo(interval) <= 0) {
                window.record(nanos - age.toNanos());
            }
        }
    }

    private IOException fault(String reason) {
        return new FileSystemException(path.toString(), null, reason);
    }

    /** What a file has: a window without what had expired when it was written, and both clocks at that time. */
    private record Written(long nanos, Instant instant, EventWindow window) {
        private static Written readFrom(DataInputStream in) throws IOException {
            long nanos = in.readLong();
            Instant instant = readInstant(in);
            EventWindow window = EventWindow.readFrom(in);
            if (in.available() > 0) {
                throw new StreamCorruptedException(in.available() + " bytes after the window (expected: none)");
            }
            window.trim(nanos); // or an age could be more than a long, and wrap around to a time in the future
            return new Written(nanos, instant, window);
        }

        private static Instant readInstant(DataInputStream in) throws IOException {
            long second = in.readLong();
            int nano = in.readInt();
            checkRange(second, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond(), "epoch second");
            checkRange(nano, Instant.MIN.getNano(), Instant.MAX.getNano(), "nano of second");
            return Instant.ofEpochSecond(second, nano);
        }

        private static void checkRange(long value, long least, long most, String name) throws IOException {
            if (value < least || value > most) {
                throw new StreamCorruptedException(
                        name + ": " + value + " (expected: from " + least + " to " + most + ")");
            }
        }
    }

    /** The content of a file is not what was written: the message names the file and the reason. */
    static final class DamagedException extends FileSystemException {
        private static final long serialVersionUID = 1;

        private DamagedException(Path file, String reason) {
            super(file.toString(), null, reason);
        }
    }
}
