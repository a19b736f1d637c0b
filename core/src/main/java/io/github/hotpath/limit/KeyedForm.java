package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.CompactReader;
import io.github.hotpath.internal.CompactWriter;
import io.github.hotpath.internal.TimeUnits;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** The compact form of a {@link KeyedLimiter}; {@code docs/compact-forms.md} has it byte by byte. */
final class KeyedForm<K> {
    /*
     * The limiter serves meanwhile. The state of each key is copied under its own lock, and written without any. A key
     * that is evicted before its turn has expired at the eviction time, which is written after all keys.
     *
     * What most keys have in common takes no byte: a newest entry at the latest time, no pending slot, single permits.
     * The limits are not written, and the latest time is relative to that of the first key. So three grants in a second
     * take at most 20 bytes: 2, 8 for the latest time, and 5 for each of the others. A time relative to that of the key
     * before would not be shorter, since the map has no order, and would make each key depend on all before.
     */

    private static final int KIND = 'K';
    private static final int VERSION = 1;

    /** Follows the last key. */
    private static final int END = 0;

    /** The bits of the first byte of a key that are its unit. */
    private static final int UNIT = 0b11;

    /** How far the columns of {@link LimiterForm#columns}, which are 1 and 2, are moved in the first byte of a key. */
    private static final int COLUMNS_SHIFT = 2;

    /** The last slot is later than the latest time. */
    private static final int PENDING = 1 << 4;

    /** The newest entry is at the last slot, and is left out. */
    private static final int NEWEST_LAST = 1 << 5;

    /** The latest time is written as such, in 8 bytes. */
    private static final int ABSOLUTE = 1 << 6;

    /** Set in the first byte of each key. */
    private static final int KEY = 1 << 7;

    /** A latest time that is so many units from the base would take more than 8 bytes. */
    private static final long FAR = 1L << 55;

    private final DataOutput out;
    private final KeyedLimiter.KeyWriter<? super K> keys;
    private final CompactWriter writer;

    /** The latest time of the first key. */
    private long base;

    private boolean hasBase;

    KeyedForm(DataOutput out, KeyedLimiter.KeyWriter<? super K> keys) {
        this.out = out;
        this.keys = keys;
        this.writer = new CompactWriter(out, Byte.MAX_VALUE);
    }

    void write(KeyMap<K> map) throws IOException {
        for (KeyedEntry<K> entry : map.entries()) {
            LimiterState state = Transaction.read(entry, SlidingLog::state);
            if (!entry.isFresh() && !entry.isRetired() && state.started()) {
                writeHeader(state.latest());
                writeKey(entry.key, state);
            }
        }
        writeHeader(0);
        writer.writeByte(END);
        boolean hasEvicted = map.epoch.hasEvicted;
        writer.writeByte(hasEvicted ? 1 : 0);
        if (hasEvicted) {
            writer.writeLong(map.epoch.evictedAt);
        }
        writer.flush();
    }

    /** Writes the header, unless that has been done. */
    private void writeHeader(long latest) throws IOException {
        if (!hasBase) {
            hasBase = true;
            base = latest;
            writer.writeHeader(KIND, VERSION);
            writer.writeLong(latest);
        }
    }

    private void writeKey(K key, LimiterState state) throws IOException {
        int entries = state.times().length;
        long pending = state.lastSlot() - state.latest();
        int columns = LimiterForm.columns(state);
        boolean newestLast = entries > 0 && state.times()[entries - 1] == state.lastSlot();
        int unit = TimeUnits.largestOf(pending, TimeUnits.LARGEST);
        unit = entries == 0 ? unit : TimeUnits.largestOf(state.times(), state.lastSlot(), unit);
        long distance = Math.abs(state.latest() - base);
        int commonUnit = distance < 0 ? 0 : TimeUnits.largestOf(distance, unit);
        boolean absolute = distance < 0 || TimeUnits.count(distance, commonUnit) >= FAR;
        unit = absolute ? unit : commonUnit;

        writer.writeByte(KEY
                | (absolute ? ABSOLUTE : 0)
                | (newestLast ? NEWEST_LAST : 0)
                | (pending > 0 ? PENDING : 0)
                | columns << COLUMNS_SHIFT
                | unit);
        writer.flush();
        keys.write(key, out);
        if (absolute) {
            writer.writeLong(state.latest());
        }
        writer.writeVarint(entries);
        if (!absolute) {
            writeDifference(distance, state.latest() - base < 0, unit);
        }
        if (pending > 0) {
            writer.writeVarint(TimeUnits.count(pending, unit));
        }
        int written = newestLast ? entries - 1 : entries;
        if (written > 0) {
            writer.writeTimes(state.times(), written, state.lastSlot(), unit);
        }
        LimiterForm.writeColumns(state, writer);
    }

    private void writeDifference(long distance, boolean isNegative, int unit) throws IOException {
        long units = TimeUnits.count(distance, unit);
        writer.writeVarint(isNegative ? 2 * units - 1 : 2 * units);
    }

    /** Reads the form. */
    static final class Reader<K> {
        private final DataInput in;
        private final KeyedLimiter.KeyReader<? extends K> keys;
        private final long shiftNanos;
        private final CompactReader reader;

        Reader(DataInput in, KeyedLimiter.KeyReader<? extends K> keys, long shiftNanos) {
            this.in = in;
            this.keys = keys;
            this.shiftNanos = shiftNanos;
            this.reader = new CompactReader(in, "KeyedLimiter");
        }

        /** Reads all keys and the eviction time into a table that no other thread knows. */
        void readInto(KeyTable<K> table) throws IOException {
            KeyMap<K> map = table.map();
            reader.readHeader(KIND, VERSION);
            long base = readTime();
            int first = reader.readByte();
            while (first != END) {
                if ((first & KEY) == 0) {
                    throw reader.corrupted("first byte of a key", first, "at least 128, or 0 after the last key");
                }
                K key = requireNonNull(keys.read(in), "key");
                map.put(readEntry(key, first, base, table));
                first = reader.readByte();
            }
            int evicted = reader.readByte();
            if (evicted > 1) {
                throw reader.corrupted("eviction times", evicted, "0 or 1");
            }
            if (evicted == 1) {
                map.epoch.evictAt(readTime());
            }
        }

        private long readTime() throws IOException {
            return reader.readLong() + shiftNanos;
        }

        private KeyedEntry<K> readEntry(K key, int first, long base, KeyTable<K> table) throws IOException {
            boolean isAbsolute = (first & ABSOLUTE) != 0;
            boolean hasPending = (first & PENDING) != 0;
            int columns = first >> COLUMNS_SHIFT & PermitLog.PERMITS + PermitLog.CALLS;
            int unwritten = (first & NEWEST_LAST) != 0 ? 1 : 0;
            long unitNanos = TimeUnits.nanos(first & UNIT);
            long latest = isAbsolute ? readTime() : base;
            reader.expectVarints(1);
            int entries = (int) reader.readVarint("entries", Integer.MAX_VALUE);
            if (entries == 0 && columns + unwritten != 0) {
                throw reader.corrupted("entries", entries, "one or more, with these columns");
            }
            reader.expectVarints((isAbsolute ? 0L : 1) + (hasPending ? 1 : 0) + entries - unwritten);
            latest += isAbsolute ? 0 : readDifference(unitNanos);
            long most = (Long.MAX_VALUE - 1) / unitNanos;
            long lastSlot = latest + (hasPending ? reader.readVarint("delay of the last slot", most) * unitNanos : 0);
            long[] times = readTimes(entries, unwritten, lastSlot, unitNanos);
            LimiterState state = LimiterForm.withColumns(columns, table.limitsOf(key), latest, lastSlot, times, reader);
            KeyedEntry<K> entry = new KeyedEntry<>(key, table.map().epoch, state.limits());
            entry.start(state);
            return entry;
        }

        /** Reads a distance: twice its units if it is zero or more, otherwise twice their absolute value, less 1. */
        private long readDifference(long unitNanos) throws IOException {
            long zigzag = reader.readVarint("latest time", Long.MAX_VALUE);
            long units = zigzag >>> 1 ^ -(zigzag & 1);
            if (Math.abs(units) > Long.MAX_VALUE / unitNanos) {
                throw reader.corrupted("latest time", units + " * " + unitNanos + " ns", "less than 2^63 ns");
            }
            return units * unitNanos;
        }

        /** Reads the times of entries, of which the newest may be unwritten, at the last slot. */
        private long[] readTimes(int entries, int unwritten, long lastSlot, long unitNanos) throws IOException {
            int written = entries - unwritten;
            long[] times = written == 0
                    ? new long[0]
                    : LimiterForm.readTimes(written, lastSlot, Long.MAX_VALUE, unitNanos, reader);
            if (unwritten == 0) {
                return times;
            }
            if (written > 0 && times[written - 1] == lastSlot) {
                throw reader.corrupted("distance", "up to the last slot", "less, since another entry is there");
            }
            long[] all = Arrays.copyOf(times, entries);
            all[written] = lastSlot;
            return all;
        }
    }
}
