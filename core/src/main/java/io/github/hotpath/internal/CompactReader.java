package io.github.hotpath.internal;

import static java.util.Objects.requireNonNull;

import java.io.DataInput;
import java.io.IOException;
import java.io.StreamCorruptedException;

/**
 * Reads what {@link CompactWriter} has written, and not a byte more. Not thread-safe.
 *
 * <p>Every method throws {@link java.io.EOFException} if the input ends too early, {@link StreamCorruptedException} if
 * it cannot have been written, and the exceptions of the input.
 */
public final class CompactReader {
    /*
     * Reading byte by byte costs more than all the rest, so bytes are read in blocks. A varint has at least one byte,
     * so at least as many bytes follow as varints are expected: a block of that length ends before the end of the
     * form. Each block leaves a smaller part to the next one, and the last few bytes are read one by one. A block has
     * at most 1024 bytes, regardless of the number of varints that the input declares.
     */

    private static final int MAX_LENGTH = 1024;

    private static final int MAX_BITS = 7 * Varints.MAX_LENGTH;

    private final DataInput in;

    /** The name of what is read, for messages. */
    private final String type;

    private byte[] buffer = {};

    /** Where the next byte is: {@code 0 <= position <= limit}. */
    private int position;

    /** The number of bytes in {@link #buffer} that were read. */
    private int limit;

    /** How many varints follow the one that is being read. */
    private long expected;

    /** How many nanoseconds the unit of the times has. */
    private long unitNanos;

    /** The time that was read last. */
    private long time;

    /** How many units {@link #time} is before the end: no distance is more. */
    private long left;

    /**
     * Creates a reader.
     *
     * @param in what to read from
     * @param type the name of what is read, for messages
     */
    public CompactReader(DataInput in, String type) {
        this.in = requireNonNull(in, "in");
        this.type = type;
    }

    /**
     * Reads a header and returns the version.
     *
     * @param kind what the form must be of
     * @param latest the latest version that can be read; the first is 1
     * @return the version
     * @throws IOException if it cannot be read, is of another kind, or is of a later version
     */
    public int readHeader(int kind, int latest) throws IOException {
        int foundKind = in.readUnsignedByte();
        if (foundKind != kind) {
            throw corrupted("first byte", foundKind, "" + kind);
        }
        int version = in.readUnsignedByte();
        if (version < 1 || version > latest) {
            throw corrupted("version", version, "at most " + latest);
        }
        return version;
    }

    /**
     * Declares how many varints follow, one after the other. All of them have to be read before anything else is.
     *
     * @param varints one or more
     */
    public void expectVarints(long varints) {
        expected = varints;
    }

    /**
     * Reads a number that {@link #expectVarints} has announced.
     *
     * @param name of the number, for the message
     * @return the number, zero or more
     * @throws IOException if it cannot be read, or has more than 9 bytes
     */
    public long readVarint(String name) throws IOException {
        expected--;
        if (limit - position >= Varints.MAX_LENGTH) {
            long groups = Varints.get(buffer, position);
            int length = Varints.lengthOf(groups);
            if (length > 0) {
                position += length;
                return Varints.decode(groups, length);
            }
        }
        return readVarintByBytes(name);
    }

    /** The same for any number, also one that is not whole in the buffer. */
    private long readVarintByBytes(String name) throws IOException {
        // Each group is added with its sign, so the number is negative as long as another group follows.
        long value = nextByte();
        for (int shift = 7; value < 0 && shift < MAX_BITS; shift += 7) {
            value = value & (1L << shift) - 1 | (long) nextByte() << shift;
        }
        return checked(value, name);
    }

    private byte nextByte() throws IOException {
        if (position == limit) {
            fill();
        }
        return buffer[position++];
    }

    private long checked(long value, String name) throws StreamCorruptedException {
        if (value < 0) {
            throw corrupted(name, "more than " + Varints.MAX_LENGTH + " bytes", "a varint");
        }
        return value;
    }

    /** Reads at least one byte: the number that is being read is not whole yet. */
    private void fill() throws IOException {
        int length = 1 + (int) Math.min(expected, MAX_LENGTH - 1);
        if (buffer.length < length) {
            buffer = new byte[length];
        }
        in.readFully(buffer, 0, length);
        position = 0;
        limit = length;
    }

    /**
     * Reads a number of 8 bytes.
     *
     * @return the number
     * @throws IOException if it cannot be read
     */
    public long readLong() throws IOException {
        return in.readLong();
    }

    /**
     * Reads the unit and the first of several times. The others are to be read by {@link #readNextTime}.
     *
     * @param times how many there are, one or more
     * @param end no time is later
     * @param maxAge no time is earlier than so many nanoseconds before the end
     * @return the oldest time
     * @throws IOException if it cannot be read, or is too old
     */
    public long readOldestTime(long times, long end, long maxAge) throws IOException {
        int unit = in.readUnsignedByte();
        if (!TimeUnits.isUnit(unit)) {
            throw corrupted("unit", unit, "from 0 to 3");
        }
        unitNanos = TimeUnits.nanos(unit);
        expectVarints(times);
        left = readVarint("age of the oldest");
        if (left > maxAge / unitNanos) {
            throw corrupted("age of the oldest", left + " * " + unitNanos + " ns", "at most " + maxAge + " ns");
        }
        time = end - left * unitNanos;
        return time;
    }

    /**
     * Reads the time after the one that was read last.
     *
     * @return the time
     * @throws IOException if it cannot be read, or is later than the end
     */
    public long readNextTime() throws IOException {
        long distance = readVarint("distance");
        if (distance > left) {
            throw corrupted("distance", distance, "at most " + left + ", up to the latest time");
        }
        left -= distance;
        time += distance * unitNanos;
        return time;
    }

    /**
     * Reads the times after the one that was read last: as many as one method call can read fast, at least one.
     *
     * @param times where they are stored
     * @param from the index of the first
     * @param to the index after the last that may be read, greater than {@code from}
     * @return the index after the last that was read
     * @throws IOException as {@link #readNextTime}
     */
    public int readNextTimes(long[] times, int from, int to) throws IOException {
        int index = from;
        int at = position;
        long last = time;
        long rest = left;
        while (index < to && limit - at >= Varints.MAX_LENGTH) {
            long groups = Varints.get(buffer, at);
            int length = Varints.lengthOf(groups);
            long distance = Varints.decode(groups, length);
            if (length == 0 || distance > rest) {
                break;
            }
            at += length;
            rest -= distance;
            last += distance * unitNanos;
            times[index++] = last;
        }
        expected -= index - from;
        position = at;
        time = last;
        left = rest;
        if (index < to) {
            times[index++] = readNextTime();
        }
        return index;
    }

    /**
     * Returns an exception that names what is wrong.
     *
     * @param name of what is wrong
     * @param value it has
     * @param expectation the rule
     * @return the exception to throw
     */
    public StreamCorruptedException corrupted(String name, Object value, String expectation) {
        return new StreamCorruptedException(type + ": " + name + ": " + value + " (expected: " + expectation + ")");
    }
}
