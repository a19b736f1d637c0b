package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.CompactReader;
import io.github.hotpath.internal.CompactWriter;
import io.github.hotpath.internal.TimeUnits;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** The compact form of a {@link KeyedLimiter}; {@code docs/compact-forms.md} has it byte by byte. */
final class KeyedForm<K> {
    /*
     * The limiter serves meanwhile. The state of each key is copied under its own lock, and written without any. A key
     * that is evicted before its turn has expired at the eviction time, which is written after all keys.
     *
     * The limits are not written, and the latest time is relative to that of the first key, which most often takes 6
     * bytes and not 8. A time relative to that of the key before would not be shorter, since the map has no order, and
     * would make each key depend on all before.
     */

    private static final int KIND = 'K';
    private static final int VERSION = 1;

    /** Follows the last key. */
    private static final int END = 0;

    /** The bits of the first byte of a key that are its unit. */
    private static final int UNIT = 0b11;

    /** How far the columns of {@link LimiterForm#columns}, which are 1 and 2, are moved in the first byte of a key. */
    private static final int COLUMNS_SHIFT = 2;

    /** The latest time is before that of the first key: by 1 more than the distance that is written. */
    private static final int EARLIER = 1 << 4;

    /** Set in the first byte of each key, whose other bits are 0. */
    private static final int KEY = 1 << 7;

    private final Output<K> keys;
    private final CompactWriter writer;

    /** The latest time of the first key. */
    private long base;

    private boolean hasBase;

    /** Writes a key. */
    interface Output<K> {
        void write(K key) throws IOException;
    }

    /** Reads a key. */
    interface Input<K> {
        K read() throws IOException;
    }

    KeyedForm(DataOutput out, Output<K> keys) {
        this.keys = keys;
        this.writer = new CompactWriter(out);
    }

    void write(KeyMap<K> map) throws IOException {
        for (KeyedEntry<K> entry : map.entries()) {
            LimiterState state = entry.locked(SlidingLog::state);
            if (!entry.isRetired && isOfUse(state, map)) {
                writeHeader(state.latest());
                writeKey(entry.key, state);
            }
        }
        writeHeader(0);
        writer.writeByte(END);
        boolean hasEvicted = map.hasEvicted();
        writer.writeByte(hasEvicted ? 1 : 0);
        if (hasEvicted) {
            writer.writeLong(map.evictedAt());
        }
        writer.flush();
    }

    /** Returns whether a key is not as it would be without an entry, such as one whose only request was refused. */
    private static boolean isOfUse(LimiterState state, KeyMap<?> map) {
        return state.started()
                && (state.times().length > 0
                        || state.lastSlot() != state.latest()
                        || map.isAfterEviction(state.latest()));
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
        int unit = entries == 0 ? 0 : TimeUnits.largestOf(state.times(), state.lastSlot());
        long difference = state.latest() - base;
        int columns = LimiterForm.columns(state);
        writer.writeByte(KEY | (difference < 0 ? EARLIER : 0) | columns << COLUMNS_SHIFT | unit);
        writer.flush();
        keys.write(key);
        writer.writeVarint(difference < 0 ? ~difference : difference);
        writer.writeVarint(state.lastSlot() - state.latest());
        writer.writeVarint(entries);
        LimiterForm.writeTimes(state, unit, writer);
        LimiterForm.writeColumns(state, writer);
    }

    /** Reads the form. */
    static final class Reader<K> {
        private final Input<K> keys;
        private final long shiftNanos;
        private final CompactReader reader;

        Reader(DataInput in, Input<K> keys, long shiftNanos) {
            this.keys = keys;
            this.shiftNanos = shiftNanos;
            this.reader = new CompactReader(in, "KeyedLimiter");
        }

        /** Reads all keys and the eviction time into a limiter that no other thread knows. */
        void readInto(Keys<K> limiter) throws IOException {
            KeyMap<K> map = limiter.map();
            reader.readHeader(KIND, VERSION);
            long base = readTime();
            for (int first = reader.readByte(); first != END; first = reader.readByte()) {
                if ((first & ~(UNIT | 3 << COLUMNS_SHIFT | EARLIER)) != KEY) {
                    throw reader.corrupted("first byte of a key", first, "from 128 to 159, or 0 after the last key");
                }
                K key = requireNonNull(keys.read(), "key");
                LimiterState state = readState(first, base, limiter.limitsOf(key));
                map.put(new KeyedEntry<>(key, map, new SlidingLog(state)));
            }
            int evicted = reader.readByte();
            if (evicted > 1) {
                throw reader.corrupted("eviction times", evicted, "0 or 1");
            }
            if (evicted == 1) {
                map.evictAt(readTime());
            }
        }

        private long readTime() throws IOException {
            return reader.readLong() + shiftNanos;
        }

        private LimiterState readState(int first, long base, List<Limit> limits) throws IOException {
            long distance = reader.readVarint("distance of the latest time", Long.MAX_VALUE);
            long latest = base + ((first & EARLIER) == 0 ? distance : ~distance);
            long lastSlot = latest + reader.readVarint("delay of the last slot", Long.MAX_VALUE - 1);
            int entries = (int) reader.readVarint("entries", Integer.MAX_VALUE);
            long unitNanos = TimeUnits.nanos(first & UNIT);
            long[] times = LimiterForm.readTimes(entries, lastSlot, Long.MAX_VALUE, unitNanos, reader);
            return LimiterForm.withColumns(first >> COLUMNS_SHIFT & 3, limits, latest, lastSlot, times, reader);
        }
    }
}
