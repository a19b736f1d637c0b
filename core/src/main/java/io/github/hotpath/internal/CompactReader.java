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
     * form. It is read when the buffer holds no whole varint, behind the bytes that begin one, which has another byte
     * at least. Each block leaves a smaller part to the next one. A block has at most 1024 bytes, regardless of the
     * number of varints that the input declares.
     *
     * The buffer has eight more bytes than were read, so eight can be loaded at any position. Bytes behind the limit
     * are never part of a result: if they change the length that is found, it exceeds what was read.
     */

    private static final int MAX_LENGTH = 1024;

    private final DataInput in;

    /** The name of what is read, for messages. */
    private final String type;

    private byte[] buffer = new byte[2 * Varints.MAX_LENGTH];

    /** Where the next byte is: {@code 0 <= position <= limit}. */
    private int position;

    /** The number of bytes in {@link #buffer} that were read: {@code limit + Long.BYTES <= buffer.length}. */
    private int limit;

    /** The number of varints that are expected, and have not been returned yet. */
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
        int length = Varints.lengthOf(Varints.get(buffer, position));
        while (length > limit - position) {
            fill();
            length = Varints.lengthOf(Varints.get(buffer, position));
        }
        long value = Varints.decode(Varints.get(buffer, position), Math.min(length, Long.BYTES));
        if (length > Long.BYTES) {
            value |= (long) buffer[position + Long.BYTES] << 56;
        }
        if (value < 0) {
            throw corrupted(name, "more than " + Varints.MAX_LENGTH + " bytes", "a varint");
        }
        position += length;
        expected--;
        return value;
    }

    /** Moves the bytes that begin the next varint to the front, and reads as many behind them as surely follow. */
    private void fill() throws IOException {
        if (expected <= 0) {
            throw new IllegalStateException("a varint that was not expected");
        }
        int begun = limit - position;
        int more = (int) Math.min(expected, MAX_LENGTH);
        byte[] from = buffer;
        if (from.length < begun + more + Long.BYTES) {
            buffer = new byte[Long.BYTES + more + Long.BYTES];
        }
        System.arraycopy(from, position, buffer, 0, begun);
        in.readFully(buffer, begun, more);
        position = 0;
        limit = begun + more;
    }

    /**
     * Reads a byte.
     *
     * @return from 0 to 255
     * @throws IOException if it cannot be read
     */
    public int readByte() throws IOException {
        return in.readUnsignedByte();
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
        setUnit(in.readUnsignedByte());
        expectVarints(times);
        return readOldestTime(end, maxAge);
    }

    /**
     * Reads the first of several times, in the unit that has been set.
     *
     * @param end no time is later
     * @param maxAge no time is earlier than so many nanoseconds before the end
     * @return the oldest time
     * @throws IOException if it cannot be read, or is too old
     */
    public long readOldestTime(long end, long maxAge) throws IOException {
        left = readUnits("age of the oldest", maxAge);
        time = end - left * unitNanos;
        return time;
    }

    /**
     * Sets the unit of all times that follow.
     *
     * @param unit its number
     * @throws IOException if there is no such unit
     */
    public void setUnit(int unit) throws IOException {
        if (!TimeUnits.isUnit(unit)) {
            throw corrupted("unit", unit, "from 0 to 3");
        }
        unitNanos = TimeUnits.nanos(unit);
    }

    /**
     * Reads a number of nanoseconds in the unit that has been set.
     *
     * @param name of the number, for the message
     * @param most the maximum
     * @return the nanoseconds
     * @throws IOException if it cannot be read, or is more than {@code most}
     */
    public long readNanos(String name, long most) throws IOException {
        return readUnits(name, most) * unitNanos;
    }

    private long readUnits(String name, long mostNanos) throws IOException {
        long units = readVarint(name);
        if (units > mostNanos / unitNanos) {
            throw corrupted(name, units + " * " + unitNanos + " ns", "at most " + mostNanos + " ns");
        }
        return units;
    }

    /**
     * Reads a difference of two times in the unit that has been set: twice its units if it is positive, otherwise twice
     * their absolute value, less 1.
     *
     * @param name of the difference, for the message
     * @return the nanoseconds
     * @throws IOException if it cannot be read, or is too large
     */
    public long readDifference(String name) throws IOException {
        long zigzag = readVarint(name);
        long units = zigzag >>> 1 ^ -(zigzag & 1);
        if (Math.abs(units) > Long.MAX_VALUE / unitNanos) {
            throw corrupted(name, units + " * " + unitNanos + " ns", "less than 2^63 ns");
        }
        return units * unitNanos;
    }

    /** {@return how many bytes have been read, and not returned yet} */
    public int buffered() {
        return limit - position;
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
     * Reads the times after the one that was read last.
     *
     * @param times where they are stored
     * @param from the index of the first
     * @param to the index after the last, greater than {@code from}
     * @throws IOException as {@link #readNextTime}
     */
    public void readNextTimes(long[] times, int from, int to) throws IOException {
        int index = readBufferedTimes(times, from, to);
        while (index < to) {
            times[index] = readNextTime();
            index = readBufferedTimes(times, index + 1, to);
        }
    }

    /** The same as long as they are in the buffer, short and valid; returns the index after the last. */
    private int readBufferedTimes(long[] times, int from, int to) {
        byte[] bytes = buffer;
        int end = limit;
        long unit = unitNanos;
        int index = from;
        int at = position;
        long last = time;
        long rest = left;
        while (index < to) {
            long groups = Varints.get(bytes, at);
            int length = Varints.lengthOf(groups);
            long distance = Varints.decode(groups, length);
            int next = at + length;
            if (next > end || length > Long.BYTES || distance > rest) {
                break;
            }
            at = next;
            rest -= distance;
            last += distance * unit;
            times[index++] = last;
        }
        expected -= index - from;
        position = at;
        time = last;
        left = rest;
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
