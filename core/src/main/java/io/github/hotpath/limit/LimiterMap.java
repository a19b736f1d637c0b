package io.github.hotpath.limit;

import io.github.hotpath.internal.StackReserve;
import io.github.hotpath.internal.Times;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The limiters of a {@link KeyedLimiter} by their keys, since it was created or cleared. Thread-safe. */
final class LimiterMap<K> {
    /*
     * An entry is evicted in this order: its limiter is seen to be idle under its own lock, the eviction time is
     * raised, the limiter is retired, still under that lock, and the entry is removed. A call that finds a retired
     * limiter acquires nothing, removes the entry itself, in case the evicting thread has not done so or never will,
     * and begins anew. A key is added while the map excludes its removal, with the eviction time of that moment for its
     * latest time; so any limiter evicted under this key before was idle then. Its first permits are acquired before
     * others can see it: no limiter is added that could be evicted at once.
     *
     * What adds a key, or acquires permits under one that may have been idle, examines entries in rotation, until it
     * has seen two that are not idle, or an eighth of them and eight. So there are never more than 3m + 36, where m is
     * the most keys that were not idle at any moment of this rotation and the one before: docs/why-the-bounds-hold.md
     * has the proof.
     *
     * Both conditions are needed. If only keys that are added made a call examine others, a caller could use the next
     * entries just before each new key, and none would ever be idle when it is examined. With a fixed number of
     * entries, idle or not, half a million of them would still be there a rotation after a peak of a million.
     *
     * A call that uses a key holds the lock of its limiter, and not that of its bin in the map, as it would inside of
     * compute(): all keys of a bin would wait for each other.
     *
     * An entry that has certainly acquired something within the longest interval is passed over without its lock, as is
     * one whose lock is held, so a thread that adds a key does not wait for threads that use other keys. Intervals over
     * 2^62 ns count as that: their differences could overflow.
     *
     * Errors: entries are linked to the rotation before they are added to the map. If an error occurs between, the
     * rotation has an entry that is in no map, until it is examined. The map is only changed with stack in reserve.
     */

    /** Those that are not idle, in an event. */
    private static final int BUSY = 2;

    /** For which reservations of its limiters can be corrected. */
    final Epoch epoch;

    final EvictionTime evictionTime = new EvictionTime();
    private final ConcurrentHashMap<K, KeyedEntry<K>> entries = new ConcurrentHashMap<>();
    final Rotation<K> rotation = new Rotation<>();

    LimiterMap(Epoch epoch) {
        this.epoch = epoch;
    }

    int size() {
        return entries.size();
    }

    @Nullable
    KeyedEntry<K> get(K key) {
        return entries.get(key);
    }

    /** Returns the entry of a key, unless there is none; removes one whose limiter has been retired. */
    @Nullable
    KeyedEntry<K> getLive(K key) {
        KeyedEntry<K> entry = entries.get(key);
        if (entry != null && entry.limiter.isRetired()) {
            remove(key, entry);
            return null;
        }
        return entry;
    }

    /** Returns an entry for a key that is about to be added, or not, by a call at {@code nanos}. */
    KeyedEntry<K> newEntry(K key, long nanos, List<Limit> limits) {
        KeyedEntry<K> entry = new KeyedEntry<>(key, new SlidingWindowLimiter(limits), nanos);
        startAtEvictionTime(entry);
        return entry;
    }

    private void startAtEvictionTime(KeyedEntry<K> entry) {
        if (evictionTime.started) {
            entry.limiter.log.startAt(evictionTime.nanos);
        }
    }

    /** Adds an entry, whose lock the caller holds; returns {@code false} if the key has one by now. */
    boolean add(KeyedEntry<K> entry) {
        StackReserve.checkForMap();
        return entry
                == entries.computeIfAbsent(entry.key, any -> {
                    startAtEvictionTime(entry);
                    rotation.add(entry);
                    return entry;
                });
    }

    /** Adds an entry in place of that of the same key, if there is one. No other thread knows this map. */
    void put(KeyedEntry<K> entry) {
        KeyedEntry<K> before = entries.put(entry.key, entry);
        if (before != null) {
            rotation.remove(before);
        }
        rotation.add(entry);
    }

    /** Returns the entries, one after the other while others are added and removed. */
    Iterable<KeyedEntry<K>> entries() {
        return entries.values();
    }

    /** Removes an entry to which nothing has happened since it was added, and whose lock the caller holds. */
    void withdraw(KeyedEntry<K> entry) {
        StackReserve.checkForMap();
        entry.limiter.state = SlidingWindowLimiter.RETIRED;
        removeRetired(entry.key, entry);
    }

    /** Takes note that a call has added an entry at {@code nanos}: there is stack in reserve. */
    void added(KeyedEntry<K> entry, long nanos, boolean isRevocable) {
        if (!isRevocable) {
            entry.lastGrant = nanos;
        }
        rotate(nanos);
    }

    /** Takes note that a call has changed the limiter of an entry of the map at {@code nanos}. */
    void acquired(KeyedEntry<K> entry, long nanos, boolean isRevocable) {
        long since = nanos - entry.lastGrant;
        if (since > 0 && !isRevocable) {
            entry.lastGrant = nanos;
        }
        if (since > entry.busyNanos) {
            StackReserve.checkForMap();
            rotate(nanos);
        }
    }

    /** Calls {@code action} for each entry. */
    void forEach(Consumer<KeyedEntry<K>> action) {
        entries.values().forEach(action);
    }

    /** Examines some entries. There is stack in reserve. */
    private void rotate(long nanos) {
        long time = evictionTime.orLater(nanos);
        int left = rotation.share();
        for (int busy = 0; busy < BUSY && left > 0; left--) {
            KeyedEntry<K> entry = rotation.next();
            if (entry == null) {
                return;
            }
            if (entry.limiter.isInUse() || !evictIfIdle(entry, time)) {
                busy++;
            }
        }
    }

    /** Evicts every entry that is idle at {@code nanos}, or at the eviction time if that is later. */
    void evictIdle(long nanos) {
        StackReserve.checkForMap();
        long time = evictionTime.orLater(nanos);
        for (KeyedEntry<K> entry : entries.values()) {
            evictIfIdle(entry, time);
        }
    }

    private boolean evictIfIdle(KeyedEntry<K> entry, long time) {
        if (!Times.isOlder(entry.lastGrant, time, entry.busyNanos)) {
            return false;
        }
        if (!entry.limiter.retireIfIdle(time, evictionTime) && !entry.limiter.isRetired()) {
            return false;
        }
        try {
            removeRetired(entry.key, entry);
        } catch (RuntimeException e) {
            // A key whose equals throws is not the business of this caller: the next call with that key removes it.
            return false;
        }
        return true;
    }

    /** Removes an entry whose limiter has been retired. */
    void remove(K key, KeyedEntry<K> entry) {
        StackReserve.checkForMap();
        removeRetired(key, entry);
    }

    private void removeRetired(K key, KeyedEntry<K> entry) {
        entries.remove(key, entry);
        rotation.remove(entry);
    }

    /** Throws if an invariant does not hold; no call may be in progress. For tests. */
    void checkInvariants() {
        if (rotation.checkInvariants() != entries.size()) {
            throw new AssertionError("entries that are not both in the map and in the rotation");
        }
        entries.forEach((key, entry) -> {
            entry.limiter.checkInvariants();
            if (entry.limiter.isRetired() || entry.next == null) {
                throw new AssertionError("an entry that has been evicted, or is never examined");
            }
        });
    }
}
