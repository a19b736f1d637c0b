package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.CompactReader;
import io.github.hotpath.internal.TimeUnits;
import java.io.DataInput;
import java.io.IOException;
import java.util.Arrays;

/** Reads the compact form of a {@link KeyedLimiter}, which {@link KeyedForm} writes. */
final class KeyedFormReader<K> {
    private final DataInput in;
    private final KeyedLimiter.KeyReader<? extends K> keys;
    private final long shiftNanos;
    private final CompactReader reader;

    KeyedFormReader(DataInput in, KeyedLimiter.KeyReader<? extends K> keys, long shiftNanos) {
        this.in = in;
        this.keys = keys;
        this.shiftNanos = shiftNanos;
        this.reader = new CompactReader(in, "KeyedLimiter");
    }

    /** Reads all keys and the eviction time into a table that no other thread knows. */
    void readInto(KeyTable<K> table) throws IOException {
        KeyMap<K> map = table.map();
        reader.readHeader(KeyedForm.KIND, KeyedForm.VERSION);
        long base = readTime();
        int first = reader.readByte();
        while (first != KeyedForm.END) {
            if ((first & KeyedForm.KEY) == 0) {
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
            map.evictionTime.raiseTo(readTime());
        }
    }

    private long readTime() throws IOException {
        return reader.readLong() + shiftNanos;
    }

    private KeyedEntry<K> readEntry(K key, int first, long base, KeyTable<K> table) throws IOException {
        boolean isAbsolute = (first & KeyedForm.ABSOLUTE) != 0;
        boolean hasPending = (first & KeyedForm.PENDING) != 0;
        int columns = first >> KeyedForm.COLUMNS_SHIFT & PermitLog.PERMITS + PermitLog.CALLS;
        int unwritten = (first & KeyedForm.NEWEST_LAST) != 0 ? 1 : 0;
        long unitNanos = TimeUnits.nanos(first & KeyedForm.UNIT);
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
