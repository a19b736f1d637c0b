package io.github.hotpath.internal;

import static java.util.Objects.requireNonNull;

import java.io.DataOutput;
import java.io.IOException;

/**
 * Writes a compact form: a header, and times as their distances in varints. Gathers bytes, so {@link #flush} is the
 * last call. Not thread-safe.
 *
 * <p>A varint is a number from 0 to {@link Long#MAX_VALUE} in groups of 7 bits, the lowest first, each in a byte whose
 * highest bit is set unless it is the last: 1 to 9 bytes.
 */
public final class CompactWriter {
    /** Bytes of the longest varint. */
    private static final int LONGEST_VARINT = 9;

    private final DataOutput out;

    private final byte[] buffer = new byte[256];

    /** The number of bytes in {@link #buffer} that are not written yet. */
    private int length;

    /** Creates a writer. */
    public CompactWriter(DataOutput out) {
        this.out = requireNonNull(out, "out");
    }

    /** Writes what the form is of and its version, a byte each. */
    public void writeHeader(int kind, int version) throws IOException {
        writeByte(kind);
        writeByte(version);
    }

    /** Writes a number, zero or more, in 1 to 9 bytes. */
    public void writeVarint(long value) throws IOException {
        makeRoom(LONGEST_VARINT);
        long left = value;
        for (; left > 0x7F; left >>>= 7) {
            buffer[length++] = (byte) (left | 0x80);
        }
        buffer[length++] = (byte) left;
    }

    /** Writes a number in 8 bytes, the highest first. */
    public void writeLong(long value) throws IOException {
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            writeByte((int) (value >>> shift));
        }
    }

    /**
     * Writes one or more times, oldest first: their unit, how long before {@code end} the oldest is, at most {@link
     * Long#MAX_VALUE}, and how long after the one before it each other is. None is later than {@code end}.
     */
    public void writeTimes(long[] times, long end) throws IOException {
        int unit = TimeUnits.largestOf(times, end);
        writeByte(unit);
        writeVarint(TimeUnits.count(end - times[0], unit));
        for (int i = 1; i < times.length; i++) {
            writeVarint(TimeUnits.count(times[i] - times[i - 1], unit));
        }
    }

    /** Writes the buffered bytes to the output. */
    public void flush() throws IOException {
        out.write(buffer, 0, length);
        length = 0;
    }

    /** Writes the lowest 8 bits of {@code value}. */
    public void writeByte(int value) throws IOException {
        makeRoom(1);
        buffer[length++] = (byte) value;
    }

    private void makeRoom(int bytes) throws IOException {
        if (length > buffer.length - bytes) {
            flush();
        }
    }
}
