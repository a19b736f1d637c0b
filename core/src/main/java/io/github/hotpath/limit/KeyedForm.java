package io.github.hotpath.limit;

import io.github.hotpath.internal.CompactWriter;
import io.github.hotpath.internal.TimeUnits;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The compact form of a {@link KeyedLimiter}, as it is written; {@code docs/compact-forms.md} has it byte by byte, and
 * {@link KeyedFormReader} reads it.
 */
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

    static final int KIND = 'K';
    static final int VERSION = 1;

    /** Follows the last key. */
    static final int END = 0;

    /** The bits of the first byte of a key that are its unit. */
    static final int UNIT = 0b11;

    /** How far the columns of {@link LimiterForm#columns}, which are 1 and 2, are moved in the first byte of a key. */
    static final int COLUMNS_SHIFT = 2;

    /** The last slot is later than the latest time. */
    static final int PENDING = 1 << 4;

    /** The newest entry is at the last slot, and is left out. */
    static final int NEWEST_LAST = 1 << 5;

    /** The latest time is written as such, in 8 bytes. */
    static final int ABSOLUTE = 1 << 6;

    /** Set in the first byte of each key. */
    static final int KEY = 1 << 7;

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
            if (entry.isWritten() && state.started()) { // if it is written now, it was when it was copied
                writeHeader(state.latest());
                writeKey(entry.key, state);
            }
        }
        writeHeader(0);
        writer.writeByte(END);
        EvictionTime evicted = map.evictionTime;
        boolean started = evicted.started;
        writer.writeByte(started ? 1 : 0);
        if (started) {
            writer.writeLong(evicted.nanos);
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
}
