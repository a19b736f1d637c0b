package io.github.hotpath.limit;

import io.github.hotpath.internal.Invariants;
import io.github.hotpath.internal.StackReserve;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The entries of a {@link KeyTable} by their keys, since it was created or cleared. Thread-safe. */
final class KeyMap<K> {
    /*
     * An entry begins fresh: it is added, so that others find it, before its limits are asked for and before anything
     * is granted. If nothing is, the call retires it again. Others leave a fresh entry where it is: if it was evicted,
     * the call would begin again, perhaps for ever. One that was left behind by an error is abandoned.
     *
     * An entry is evicted in this order: it is seen to be idle under its own lock, the eviction time is raised, it is
     * retired, still under that lock, and it is removed. A call that finds a retired entry acquires nothing, removes
     * the entry itself, in case the evicting thread has not done so or never will, and begins again. The latest time
     * of a fresh entry is the eviction time at the moment of its first use, which is after it was added. So any entry
     * evicted under this key before was idle then.
     *
     * What adds a key, or acquires permits under one that may have been idle, examines entries in rotation, until it
     * has seen two that are not idle, or an eighth of them and eight. So there are never more than 3m + 36, where m is
     * the most keys that were not idle, or fresh, at any moment of this rotation and the one before:
     * docs/why-the-bounds-hold.md has the proof.
     *
     * Both conditions are needed. If only keys that are added made a call examine others, a caller could use the next
     * entries just before each new key, and none would ever be idle when it is examined. With a fixed number of
     * entries, idle or not, half a million of them would still be there a rotation after a peak of a million.
     *
     * A call that uses a key holds the lock of its entry alone: inside of compute() all keys of a bin would wait for
     * each other. And a thread that adds a key seldom waits: an entry that has certainly acquired something within the
     * longest interval is passed over without its lock, as is one whose lock is held.
     *
     * Entries are linked to the rotation before they are added to the map: if an error occurs between, the rotation has
     * an entry that is in no map, until it is examined. The map is only changed with stack in reserve. It does not count
     * its entries, the rotation does: a ConcurrentHashMap that threads change at once allocates counters after a change,
     * and where memory ends there, its size is wrong for ever.
     */

    static {
        // Initialize what the map uses: where memory is short, that fails, and then for ever.
        ThreadLocalRandom.current();
    }

    /** How many entries that are not idle a call examines. */
    private static final int BUSY = 2;

    final Epoch epoch;
    final Rotation<K> rotation = new Rotation<>();
    private final ConcurrentHashMap<K, KeyedEntry<K>> entries = new ConcurrentHashMap<>();

    KeyMap(Epoch epoch) {
        this.epoch = epoch;
    }

    int size() {
        return rotation.size();
    }

    @Nullable
    KeyedEntry<K> get(K key) {
        return entries.get(key);
    }

    /** Returns the entries, one after the other while others are added and removed. */
    Iterable<KeyedEntry<K>> entries() {
        return entries.values();
    }

    /** Adds a fresh entry, and returns it, or that which the key has by now. */
    KeyedEntry<K> add(KeyedEntry<K> entry) {
        StackReserve.checkForMap();
        try {
            return entries.computeIfAbsent(
                    entry.key,
                    new Function<>() { // linking a lambda takes more stack
                        @Override
                        public KeyedEntry<K> apply(K key) {
                            rotation.add(entry);
                            return entry;
                        }
                    });
        } catch (Throwable e) {
            entry.isAbandoned = true;
            throw e;
        }
    }

    /** Adds an entry in place of that of the same key, if there is one. No other thread knows this map. */
    void put(KeyedEntry<K> entry) {
        KeyedEntry<K> before = entries.put(entry.key, entry);
        if (before != null) {
            rotation.remove(before);
        }
        rotation.add(entry);
    }

    /** Removes an entry that is retired. */
    void remove(KeyedEntry<K> entry) {
        StackReserve.checkForMap();
        removeRetired(entry);
    }

    private void removeRetired(KeyedEntry<K> entry) {
        entries.remove(entry.key, entry);
        rotation.remove(entry);
    }

    /** Removes an entry if it is fresh, so nothing has happened to it since it was added; or if it is not. */
    void retire(KeyedEntry<K> entry, boolean isFresh) {
        new Retirement(entry, isFresh).run(0, 0);
        if (entry.isRetired()) {
            remove(entry);
        }
    }

    /** Takes note that a call has changed an entry at {@code nanos}. */
    void changed(KeyedEntry<K> entry, long nanos, boolean isRevocable) {
        if (entry.noteChange(nanos, isRevocable)) {
            rotate(nanos);
        }
    }

    private void rotate(long nanos) {
        StackReserve.checkForMap();
        long time = epoch.orEvictionTime(nanos);
        int left = rotation.share();
        for (int busy = 0; busy < BUSY && left > 0; left--) {
            KeyedEntry<K> entry = rotation.next();
            if (entry == null) {
                return;
            }
            if (entry.isInUse() || !evictIfIdle(entry, time)) {
                busy++;
            }
        }
    }

    /** Evicts every entry that is idle at {@code nanos}, or at the eviction time if that is later. */
    void evictIdle(long nanos) {
        StackReserve.checkForMap();
        long time = epoch.orEvictionTime(nanos);
        for (KeyedEntry<K> entry : entries.values()) {
            evictIfIdle(entry, time);
        }
    }

    private boolean evictIfIdle(KeyedEntry<K> entry, long time) {
        if (entry.isCertainlyBusy(time) || entry.isFresh() && !entry.isAbandoned) {
            return false;
        }
        new Eviction(entry, time, epoch).run(time, 0);
        if (!entry.isRetired()) {
            return false;
        }
        try {
            removeRetired(entry);
            return true;
        } catch (Throwable e) {
            return false; // what its key throws is no business of this caller: the next call with that key removes it
        }
    }

    /** Retires an entry if it is fresh, or if it is not. */
    private static class Retirement extends Transaction {
        final KeyedEntry<?> entry;
        private final boolean isFresh;

        Retirement(KeyedEntry<?> entry, boolean isFresh) {
            super(new Gate[] {entry});
            this.entry = entry;
            this.isFresh = isFresh;
        }

        boolean isDue() {
            return entry.isFresh() == isFresh;
        }

        @Override
        final long decide(Gate[] gates, long nanos, int permits) {
            return isDue() ? CHANGE : NO_CHANGE;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            entry.retire();
        }
    }

    /** Retires an entry that is idle, or that was left behind. */
    private static final class Eviction extends Retirement {
        private final long time;
        private final Epoch epoch;

        Eviction(KeyedEntry<?> entry, long time, Epoch epoch) {
            super(entry, false);
            this.time = time;
            this.epoch = epoch;
        }

        @Override
        boolean isDue() {
            return entry.isFresh() ? entry.isAbandoned : !entry.isRetired() && entry.log.isIdleSince(time);
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            if (!entry.isFresh()) {
                epoch.evictAt(time);
            }
            super.change(gates, nanos, permits);
        }
    }

    /** Throws if an invariant does not hold; no call may be in progress. For tests. */
    void checkInvariants() {
        int count = 0;
        for (KeyedEntry<K> entry : entries.values()) {
            count++;
            entry.checkInvariants();
            Invariants.check(!entry.isFresh() && !entry.isRetired(), "an entry that a call should have removed");
            Invariants.check(entry.next != null, "an entry that is never examined");
        }
        Invariants.check(rotation.checkInvariants() == count, "an entry that is in the rotation alone");
    }
}
