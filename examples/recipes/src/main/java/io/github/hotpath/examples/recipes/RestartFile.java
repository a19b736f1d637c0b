package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import io.github.hotpath.files.Dirs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * A file in which windows and limiters survive a restart. Their clock, such as {@link System#nanoTime}, has another
 * origin in another JVM. So the file has the time of writing by that clock and by the wall clock, and the reader shifts
 * all times by what has passed since. Thread-safe; one process at a time writes the file.
 */
final class RestartFile {
    /*
     * A CRC-32C of all that follows; then the nanoseconds of the clock, and those of the wall clock since 1970, when it
     * was written; then the content. All numbers are big-endian.
     */
    private static final int CHECKSUM = Integer.BYTES;

    /** What has been longer ago counts as that: in nanoseconds it must fit a long, with an interval in addition. */
    private static final Duration LONGEST = Duration.ofNanos(1L << 62);

    private final Path path;
    private final LongSupplier nanoClock;
    private final InstantSource wallClock;

    /** Takes a file of the default file system, the clock of the times, and one that continues while no JVM runs. */
    RestartFile(Path path, LongSupplier nanoClock, InstantSource wallClock) {
        this.path = path;
        this.nanoClock = nanoClock;
        this.wallClock = wallClock;
    }

    /** Writes windows and limiters, such as {@code window::writeTo}. */
    interface Writer {
        void writeTo(DataOutput out) throws IOException;
    }

    /** Reads them in the same order, all times {@code shiftNanos} later, such as {@code EventWindow::readFrom}. */
    interface Reader<T> {
        T readFrom(DataInput in, long shiftNanos) throws IOException;
    }

    /**
     * Returns the bytes of a file with what {@code writer} writes: to be called under the lock under which an {@code
     * EventWindow} is used, so that only {@link #write} waits for the disk.
     */
    byte[] snapshot(Writer writer) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0);
        // In this order, and in the other one when it is read: a pause in between makes events younger, never older.
        out.writeLong(nanoClock.getAsLong());
        out.writeLong(ChronoUnit.NANOS.between(Instant.EPOCH, wallClock.instant()));
        writer.writeTo(out);
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
     * Replaces the file by a {@link #snapshot}, by way of one beside it whose name ends with {@code .tmp}, and makes its
     * directory if that is missing. After any failure, even a power cut, it is the old one or the new one, and complete.
     * An interrupt does not stop it.
     */
    synchronized void write(byte[] snapshot) throws IOException {
        Dirs.withParent(path, file -> {
            Path next = file.resolveSibling(file.getFileName() + ".tmp"); // a move is atomic within a file system
            try (FileOutputStream out = new FileOutputStream(next.toFile())) { // an interrupt would close a channel
                out.write(snapshot);
                out.getFD().sync(); // before the move, or a power cut could leave the name without the content
            }
            return Files.move(next, file, ATOMIC_MOVE);
        });
    }

    /**
     * Returns what {@code reader} makes of the file. If the wall clock was set back since it was written, no time has
     * passed: then everything counts for longer, and no limit is exceeded.
     *
     * @throws java.nio.file.NoSuchFileException if there is no file
     * @throws StreamCorruptedException if the file is not as it was written: only then is it of no use
     * @throws IOException if the file cannot be read
     */
    <T> T read(Reader<T> reader) throws IOException {
        byte[] content = Files.readAllBytes(path);
        if (content.length < CHECKSUM || ByteBuffer.wrap(content).getInt() != checksum(content)) {
            throw damaged("altered, or another kind of file: the checksum is wrong");
        }
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(content, CHECKSUM, content.length - CHECKSUM));
        T result;
        try {
            long nanos = in.readLong();
            result = reader.readFrom(in, startOfShift(Instant.EPOCH.plusNanos(in.readLong())) - nanos);
        } catch (EOFException | StreamCorruptedException e) {
            throw damaged(e.toString()); // a later version; or four zeros, which are their checksum
        }
        if (in.available() > 0) {
            throw damaged(in.available() + " bytes after the content (expected: none)");
        }
        return result;
    }

    /** Returns the time of this JVM's clock at which the file was written. */
    private long startOfShift(Instant written) {
        Duration passed = Duration.between(written, wallClock.instant());
        if (passed.isNegative()) {
            passed = Duration.ZERO;
        }
        return nanoClock.getAsLong() - (passed.compareTo(LONGEST) > 0 ? LONGEST : passed).toNanos();
    }

    private StreamCorruptedException damaged(String reason) {
        return new StreamCorruptedException(path + ": " + reason);
    }
}
