package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.CompactReader;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;

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
        reader.setUnit(first & KeyedForm.UNIT);
        long latest = isAbsolute ? readTime() : base;
        reader.expectVarints(1);
        long entries = readNumber(columns + unwritten);

        reader.expectVarints((isAbsolute ? 0 : 1) + (hasPending ? 1 : 0) + entries - unwritten);
        latest += isAbsolute ? 0 : reader.readDifference("latest time");
        long pending = hasPending ? reader.readNanos("delay of the last slot", Long.MAX_VALUE - 1) : 0;
        long lastSlot = latest + pending;
        PermitLog log = entries == unwritten
                ? new PermitLog()
                : LimiterForm.readTimes(entries - unwritten, lastSlot, Long.MAX_VALUE, reader);
        if (unwritten == 1) {
            if (log.endsAt(lastSlot)) {
                throw reader.corrupted("distance", "up to the last slot", "less, since another entry is there");
            }
            log.append(lastSlot, 1, 1);
        }
        PermitLog grants = LimiterForm.readColumns(columns, entries, reader, log);

        List<Limit> limits = table.limitsOf(key);
        KeyedEntry<K> entry = new KeyedEntry<>(key, table.map().epoch, limits);
        entry.start(countingUnder(limits, grants, latest, lastSlot), latest, lastSlot);
        return entry;
    }

    /** Reads the number of entries, at least one if {@code needed} is not 0. */
    private long readNumber(int needed) throws IOException {
        long entries = reader.readVarint("entries");
        if (entries > Integer.MAX_VALUE) {
            throw reader.corrupted("entries", entries, "at most " + Integer.MAX_VALUE);
        }
        if (entries == 0 && needed != 0) {
            throw reader.corrupted("entries", entries, "one or more, with these columns");
        }
        return entries;
    }

    /** Returns what counts under {@code limits} at the latest time or later; each entry as one call without its own. */
    private static PermitLog countingUnder(List<Limit> limits, PermitLog grants, long latest, long lastSlot) {
        long age = LimiterForm.longestNanos(limits) + (lastSlot - latest); // unsigned, since the sum may overflow
        long oldest = grants.firstWithin(grants.head(), lastSlot, age);
        boolean keepsCalls = LimiterForm.countsCalls(limits)
                || grants.sumFrom(PermitLog.CALLS, grants.head()) == grants.tail() - grants.head();
        if (oldest == grants.head() && keepsCalls) {
            return grants;
        }
        PermitLog counting = new PermitLog();
        for (long at = oldest; at != grants.tail(); at++) {
            long calls = keepsCalls ? grants.valueOf(PermitLog.CALLS, at) : 1;
            counting.append(grants.time(at), grants.valueOf(PermitLog.PERMITS, at), calls);
        }
        return counting;
    }
}
