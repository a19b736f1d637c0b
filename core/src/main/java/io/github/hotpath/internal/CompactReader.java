package io.github.hotpath.internal;

import static java.util.Objects.requireNonNull;

import java.io.DataInput;
import java.io.IOException;
import java.io.StreamCorruptedException;

/**
 * Reads what {@link CompactWriter} has written, and not a byte more. Not thread-safe.
 *
 * <p>Every method throws {@link java.io.EOFException} if the input ends too early, {@link StreamCorruptedException} if
 * it is malformed, and the exceptions of the input.
 */
public final class CompactReader {
    /*
     * Reading each byte by itself from the input costs more than all the rest, so bytes are read in blocks. A varint
     * has at least one byte, so at least as many bytes follow as varints are expected, the one that is being read
     * included: a block of that length ends before the end of the form. A block has at most 1024 bytes, regardless of
     * the number of varints that the input declares.
     */

    private static final int MAX_LENGTH = 1024;

    private final DataInput in;

    /** The name of what is read, for messages. */
    private final String type;

    private byte[] buffer = new byte[16];

    /** Where the next byte is: {@code 0 <= position <= limit}. */
    private int position;

    /** The number of bytes in {@link #buffer} that were read. */
    private int limit;

    /** The number of varints that are expected, and have not been returned yet. */
    private long expected;

    /** Creates a reader; {@code type} is the name of what is read, for messages. */
    public CompactReader(DataInput in, String type) {
        this.in = requireNonNull(in, "in");
        this.type = type;
    }

    /** Reads the header of a form of a {@code kind}, and returns its version, from 1 to {@code latest}. */
    public int readHeader(int kind, int latest) throws IOException {
        int foundKind = in.readUnsignedByte();
        if (foundKind != kind) {
            throw corrupted("first byte", foundKind, "" + kind);
        }
        int version = in.readUnsignedByte();
        if (version < 1 || version > latest) {
            throw corrupted("version", version, "from 1 to " + latest);
        }
        return version;
    }

    /** Declares how many varints follow, one or more. All of them have to be read before anything else is. */
    public void expectVarints(long varints) {
        expected = varints;
    }

    /** Reads a number from 0 to {@code most}, which {@link #expectVarints} has announced. */
    public long readVarint(String name, long most) throws IOException {
        long value = 0;
        int at = position;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            if (at == limit) {
                fill();
                at = 0;
            }
            byte group = buffer[at++];
            value |= (group & 0x7FL) << shift;
            if (group >= 0) {
                if (value > most) {
                    throw corrupted(name, value, "at most " + most);
                }
                position = at;
                expected--;
                return value;
            }
        }
        throw corrupted(name, "more than 9 bytes", "a varint");
    }

    /** Reads as many bytes as surely follow. */
    private void fill() throws IOException {
        if (expected <= 0) {
            throw new IllegalStateException("a varint that was not expected");
        }
        int length = (int) Math.min(expected, MAX_LENGTH);
        if (buffer.length < length) {
            buffer = new byte[length];
        }
        in.readFully(buffer, 0, length);
        position = 0;
        limit = length;
    }

    /** Reads a byte, from 0 to 255. */
    public int readByte() throws IOException {
        return in.readUnsignedByte();
    }

    /** Reads a number of 8 bytes. */
    public long readLong() throws IOException {
        return in.readLong();
    }

    /** Reads the unit of times, and returns how many nanoseconds it has. */
    public long readUnit() throws IOException {
        int unit = readByte();
        if (unit > TimeUnits.LARGEST) {
            throw corrupted("unit", unit, "from 0 to " + TimeUnits.LARGEST);
        }
        return TimeUnits.nanos(unit);
    }

    /** Returns an exception that names what is wrong. */
    public StreamCorruptedException corrupted(String name, Object value, String expectation) {
        return new StreamCorruptedException(type + ": " + name + ": " + value + " (expected: " + expectation + ")");
    }
}
