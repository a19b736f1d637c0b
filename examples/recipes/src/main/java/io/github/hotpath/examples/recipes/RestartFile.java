package io.github.hotpath.examples.recipes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * A file with times of a clock that has no meaning in another JVM, such as {@link System#nanoTime}. It has the time of
 * writing by that clock and by the wall clock, so that a reader can shift the times to its own clock.
 */
final class RestartFile {
    /*
     * A CRC-32C of all that follows; then the nanoseconds of the clock, and those of the wall clock since 1970, when it
     * was written; then the content. All numbers are big-endian.
     */
    private static final int CHECKSUM = Integer.BYTES;

    /** What has been longer ago counts as that: in nanoseconds it must fit a long, with an interval in addition. */
    private static final Duration LONGEST = Duration.ofNanos(1L << 62);

    private final DurableFile file;
    private final LongSupplier nanoClock;
    private final InstantSource wallClock;

    /** Takes the clock that the times come from, and one that continues while no JVM runs. */
    RestartFile(DurableFile file, LongSupplier nanoClock, InstantSource wallClock) {
        this.file = file;
        this.nanoClock = nanoClock;
        this.wallClock = wallClock;
    }

    /** Writes the content. */
    interface Writer {
        void writeTo(DataOutput out) throws IOException;
    }

    /** Reads the content, all times of which are to be {@code shiftNanos} later. */
    interface Reader<T> {
        T readFrom(DataInput in, long shiftNanos) throws IOException;
    }

    /** Returns a file's bytes with that content. */
    byte[] snapshot(Writer writer) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        long written = ChronoUnit.NANOS.between(Instant.EPOCH, wallClock.instant());
        out.writeInt(0);
        out.writeLong(nanoClock.getAsLong());
        out.writeLong(written);
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

    /** Replaces the file by a {@link #snapshot}. */
    void write(byte[] snapshot) throws IOException {
        file.replace(snapshot);
    }

    /**
     * Returns what {@code reader} makes of the content.
     *
     * @throws java.nio.file.NoSuchFileException if there is no file
     * @throws DamagedException if the file is not as it was written: only then is it of no use
     * @throws IOException if the file cannot be read, or is of the future: if the wall clock was set back, the age of
     *     its times is unknown, and any result would be a guess
     */
    <T> T read(Reader<T> reader) throws IOException {
        byte[] content = Files.readAllBytes(file.path());
        if (content.length < CHECKSUM || ByteBuffer.wrap(content).getInt() != checksum(content)) {
            throw new DamagedException(file, "altered, or another kind of file: the checksum is wrong");
        }
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(content, CHECKSUM, content.length - CHECKSUM));
        try {
            long nanos = in.readLong();
            T result = reader.readFrom(in, startOfShift(Instant.EPOCH.plusNanos(in.readLong())) - nanos);
            if (in.available() > 0) {
                throw new StreamCorruptedException(in.available() + " bytes after the content (expected: none)");
            }
            return result;
        } catch (EOFException | StreamCorruptedException e) {
            throw new DamagedException(file, e.toString()); // a later version; or four zeros, which are their checksum
        }
    }

    /** Returns the time of this JVM's clock at which the file was written. */
    private long startOfShift(Instant written) throws IOException {
        long nanos = nanoClock.getAsLong();
        Instant now = wallClock.instant();
        Duration passed = Duration.between(written, now);
        if (passed.isNegative()) {
            throw fault("written at " + written + ", which is later than now, " + now);
        }
        return nanos - (passed.compareTo(LONGEST) > 0 ? LONGEST : passed).toNanos();
    }

    /** Returns an exception that names the file, which is not damaged, and the reason why it cannot be used. */
    IOException fault(String reason) {
        return new FileSystemException(file.path().toString(), null, reason);
    }

    /** The content of a file is not what was written: the message names the file and the reason. */
    static final class DamagedException extends FileSystemException {
        private static final long serialVersionUID = 1;

        private DamagedException(DurableFile file, String reason) {
            super(file.path().toString(), null, reason);
        }
    }
}
