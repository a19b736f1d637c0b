package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.CompactReader;
import io.github.hotpath.internal.CompactWriter;
import io.github.hotpath.limit.KeyedLimiter.KeyReader;
import io.github.hotpath.limit.KeyedLimiter.KeyWriter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The compact form of a {@link KeyedLimiter}; {@code docs/compact-forms.md} has it byte by byte. */
final class KeyedForm {
    /*
     * The limiter serves meanwhile. The state of each key is copied under its own lock, and written without any. A key
     * that is evicted before its turn has expired at the eviction time, which is written after all keys.
     */

    private static final int KIND = 'K';
    private static final int VERSION = 1;

    private KeyedForm() {}

    static <K> void write(KeyMap<K> map, DataOutput out, KeyWriter<? super K> keys) throws IOException {
        CompactWriter writer = new CompactWriter(out);
        writer.writeHeader(KIND, VERSION);
        for (KeyedEntry<K> entry : map.entries()) {
            LimiterState state = entry.locked(SlidingLog::state);
            if (!entry.isRetired && isOfUse(state, map)) {
                writer.writeByte(1);
                writer.flush();
                keys.write(entry.key, out);
                LimiterForm.writeStarted(state, writer);
            }
        }
        writer.writeByte(0);
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

    /** Reads all keys and the eviction time into a limiter that no other thread knows. */
    static <K> void readInto(Keys<K> limiter, DataInput in, KeyReader<? extends K> keys, long shiftNanos)
            throws IOException {
        KeyMap<K> map = limiter.map();
        CompactReader reader = new CompactReader(in, "KeyedLimiter");
        reader.readHeader(KIND, VERSION);
        while (readPresence("keys", reader)) {
            K key = requireNonNull(keys.read(in), "key");
            int entries = (int) reader.readVarint("entries", Integer.MAX_VALUE) - 1;
            if (entries < 0) {
                throw reader.corrupted("entries", 0, "at least 1"); // such a key is not written
            }
            // It may have been written under longer limits, so an entry may have any age.
            LimiterState state =
                    LimiterForm.readStarted(entries, limiter.limitsOf(key), Long.MAX_VALUE, shiftNanos, reader);
            map.put(new KeyedEntry<>(key, map, new SlidingLog(state)));
        }
        if (readPresence("eviction times", reader)) {
            map.evictAt(reader.readLong() + shiftNanos);
        }
    }

    /** Reads whether something follows. */
    private static boolean readPresence(String name, CompactReader reader) throws IOException {
        int number = reader.readByte();
        if (number > 1) {
            throw reader.corrupted(name, number, "0 or 1");
        }
        return number == 1;
    }
}
