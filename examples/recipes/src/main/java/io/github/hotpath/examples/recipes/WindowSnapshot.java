package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The events of a window at one moment, by their ages in nanoseconds, oldest first; and their form as bytes. */
record WindowSnapshot(Duration interval, Instant written, long[] ages) {
    /*
     * All numbers are big-endian:
     *
     *    0   int     "HPWN"
     *    4   int     version of the format
     *    8   long    interval in nanoseconds
     *   16   long    when it was written: seconds of the epoch
     *   24   int                           and nanoseconds
     *   28   long    number of events
     *   36   long[]  their ages in nanoseconds, oldest first
     *        int     CRC-32C of all that comes before it
     */
    private static final int MAGIC = 'H' << 24 | 'P' << 16 | 'W' << 8 | 'N';
    private static final int VERSION = 1;
    private static final int HEADER = 36;
    private static final int CHECKSUM = Integer.BYTES;

    /** Checks that the ages are those of a window: at most the interval, and each at most that of the one before. */
    WindowSnapshot {
        long most = interval.toNanos();
        check(most >= 0, "interval: " + interval + " (expected: zero or more)");
        for (long age : ages) {
            if (age < 0 || age > most) { // not check(...), which would put a message together for each event
                throw new IllegalArgumentException("age: " + age + " (expected: from 0 to " + most + ")");
            }
            most = age;
        }
    }

    /**
     * Returns the events that are in {@code window} at {@code nanos}, which is {@code written} by the wall clock.
     * {@code window} stays as it is.
     *
     * @throws IllegalArgumentException if an event is later than {@code nanos}, and so of another clock
     */
    static WindowSnapshot of(EventWindow window, long nanos, Instant written) {
        Duration interval = window.interval();
        long most = interval.toNanos();
        long[] ages = Arrays.stream(window.toArray())
                .map(time -> nanos - time)
                .filter(age -> age <= most)
                .toArray();
        return new WindowSnapshot(interval, written, ages);
    }

    /**
     * Reads a file.
     *
     * @throws DamagedException if it is not as it was written
     * @throws IOException if it cannot be read, and so may be as it was written
     */
    static WindowSnapshot read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        try {
            return parse(bytes);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new DamagedException(file, e);
        }
    }

    private static WindowSnapshot parse(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        check(bytes.length >= HEADER + CHECKSUM, "truncated: " + bytes.length + " bytes");
        check(in.getInt() == MAGIC, "no window's file");
        int version = in.getInt();
        check(version == VERSION, "version: " + version + " (expected: " + VERSION + ")");
        check(in.getInt(bytes.length - CHECKSUM) == checksum(bytes), "truncated or altered: the checksum is wrong");
        Duration interval = Duration.ofNanos(in.getLong());
        Instant written = Instant.ofEpochSecond(in.getLong(), in.getInt());
        long count = in.getLong();
        int room = in.remaining() - CHECKSUM;
        check(count == room / Long.BYTES && room % Long.BYTES == 0, "count: " + count + " in " + room + " bytes");
        long[] ages = new long[(int) count];
        in.asLongBuffer().get(ages);
        return new WindowSnapshot(interval, written, ages);
    }

    ByteBuffer toBytes() {
        int length = Math.addExact(HEADER + CHECKSUM, Math.multiplyExact(ages.length, Long.BYTES));
        ByteBuffer out = ByteBuffer.allocate(length);
        out.putInt(MAGIC).putInt(VERSION).putLong(interval.toNanos());
        out.putLong(written.getEpochSecond()).putInt(written.getNano());
        out.putLong(ages.length);
        for (long age : ages) {
            out.putLong(age);
        }
        return out.putInt(checksum(out.array())).flip();
    }

    /** Returns the checksum of {@code bytes} up to where it stands itself. */
    private static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length - CHECKSUM);
        return (int) checksum.getValue();
    }

    private static void check(boolean holds, String fault) {
        if (!holds) {
            throw new IllegalArgumentException(fault);
        }
    }

    /** A file was read whose content is not what is written: the message names it and says what is wrong. */
    static final class DamagedException extends FileSystemException {
        private static final long serialVersionUID = 1;

        private DamagedException(Path file, RuntimeException cause) {
            super(file.toString(), null, cause.getMessage());
            initCause(cause);
        }
    }
}
