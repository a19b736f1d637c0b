package io.github.hotpath.limit;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The entries of a {@link KeyedLimiter} by their keys, since it was created or cleared. Thread-safe. */
final class KeyMap<K> {
    /*
     * An entry is evicted with its lock held: it is idle, the eviction time is raised, it is retired, and it is removed.
     * A call that finds it retired begins again. An entry that is added starts at the eviction time, so any entry
     * evicted under this key before was idle then. One in which nothing has counted, such as that of a refused request,
     * raises no eviction time.
     *
     * What adds a key, or acquires permits under one that may have been idle, examines entries in rotation, until it
     * has seen two that are in use, or an eighth of those that there were when the rotation began, and eight:
     * docs/why-the-bounds-hold.md says why this suffices. A key without limits is idle at any time. It counts as in use
     * for a minute after a call, or it would be evicted, and its limits asked for again, whenever another one is added.
     *
     * The lock of an entry is acquired before that of a bin of the map, which the map acquires itself.
     */

    /** How many entries that are not idle a call examines. */
    private static final int BUSY = 2;

    /** The map that the limiter uses at this moment. */
    private final AtomicReference<KeyMap<K>> current;

    private final ConcurrentHashMap<K, KeyedEntry<K>> entries = new ConcurrentHashMap<>();

    /** The entries in the order in which they are examined, some retired ones included. Guarded by itself. */
    final ArrayDeque<KeyedEntry<K>> rotation = new ArrayDeque<>();

    /** How many of them are still to be examined before another rotation begins. Guarded by {@link #rotation}. */
    private int unexamined;

    /** How many entries a call examines at most. Guarded by {@link #rotation}. */
    private int share;

    /** Whether there is an eviction time. Written after {@link #evictedAt}, read before it. */
    private volatile boolean hasEvicted;

    /** The eviction time, which never moves back. */
    private volatile long evictedAt;

    KeyMap(AtomicReference<KeyMap<K>> current) {
        this.current = current;
    }

    /** No flag of its own: all entries of a map are replaced by those of the next one at one instant. */
    boolean isCurrent() {
        return current.get() == this;
    }

    int size() {
        return entries.size();
    }

    @Nullable
    KeyedEntry<K> get(K key) {
        return entries.get(key);
    }

    /** Returns the entries, one after the other while others are added and removed. */
    Iterable<KeyedEntry<K>> entries() {
        return entries.values();
    }

    /**
     * Adds an entry, and returns it, or that which the key has. Returns null, with the entry retired, if its limits are
     * no longer valid when it is in the map.
     */
    @Nullable
    KeyedEntry<K> add(KeyedEntry<K> entry, BooleanSupplier isValid) {
        KeyedEntry<K> result = entry.locked(log -> {
            entry.setAdded(); // first: calls would begin again for ever if it was found in the map, and not added
            KeyedEntry<K> other = entries.putIfAbsent(entry.key, entry);
            if (other != null) {
                return other;
            }
            startAtEviction(log); // now that it is in the map: another one of the key may have been evicted just before
            if (!isValid.getAsBoolean()) {
                retire(entry);
                return null;
            }
            return entry;
        });
        if (result == entry) {
            enqueue(entry);
        }
        return result;
    }

    /** Adds an entry in place of that of the same key, if there is one. No other thread knows this map. */
    void put(KeyedEntry<K> entry) {
        KeyedEntry<K> before = entries.put(entry.key, entry);
        if (before != null) {
            before.isRetired = true;
        }
        entry.setAdded();
        enqueue(entry);
    }

    private void enqueue(KeyedEntry<K> entry) {
        synchronized (rotation) {
            rotation.add(entry);
        }
    }

    /** Removes an entry, whose lock is held. */
    private void retire(KeyedEntry<K> entry) {
        entry.log
                .retract(); // first: when the key has another entry, nobody may be refused by this one without its lock
        entries.remove(entry.key, entry);
        entry.isRetired = true; // last: calls would begin again for ever if it was found in the map
    }

    /** Removes the entry of a key, if it has one. */
    void remove(K key) {
        KeyedEntry<K> entry = entries.get(key);
        if (entry != null) {
            entry.locked(log -> {
                retire(entry);
                return null;
            });
        }
    }

    /** Examines some entries, and evicts those that are idle at {@code nanos}. */
    void rotate(long nanos) {
        long time = orEvictionTime(nanos);
        int examined = 0;
        for (int busy = 0; busy < BUSY; ) {
            KeyedEntry<K> entry;
            synchronized (rotation) {
                if (unexamined == 0) {
                    unexamined = rotation.size();
                    share = unexamined / 8 + 8;
                }
                if (unexamined == 0 || examined >= share) { // it may be less than when this call began
                    return;
                }
                entry = rotation.remove();
                unexamined--;
            }
            examined++;
            if (!entry.tryLocked(
                    log -> entry.isRetired || !log.isUsedWithoutLimits(time) && evictIfIdle(entry, log, time))) {
                enqueue(entry);
                busy++;
            }
        }
    }

    /** Evicts every entry that is idle at {@code nanos}, or at the eviction time if that is later. */
    void evictIdle(long nanos) {
        long time = orEvictionTime(nanos);
        for (KeyedEntry<K> entry : entries.values()) {
            entry.locked(log -> evictIfIdle(entry, log, time));
        }
        synchronized (rotation) {
            rotation.removeIf(entry -> entry.isRetired);
            unexamined = 0;
        }
    }

    /** Evicts an entry if it is idle; its lock is held. Returns whether it is not in the map. */
    private boolean evictIfIdle(KeyedEntry<K> entry, SlidingLog log, long time) {
        if (!entry.isRetired && log.isIdleSince(time)) {
            if (log.hasCounted()
                    || log.isStarted() && isAfterEviction(log.orLastSlot(log.latest()))) { // else it is as a new one
                evictAt(time);
            }
            retire(entry);
        }
        return entry.isRetired;
    }

    /** Raises the eviction time to {@code time}, if that is later. */
    synchronized void evictAt(long time) {
        if (isAfterEviction(time)) {
            evictedAt = time;
            hasEvicted = true;
        }
    }

    /** Returns {@code time}, or the eviction time if that is later. */
    private long orEvictionTime(long time) {
        return isAfterEviction(time) ? time : evictedAt;
    }

    /** Returns whether there is no eviction time, or {@code time} is later. */
    boolean isAfterEviction(long time) {
        return !hasEvicted || time - evictedAt > 0;
    }

    boolean hasEvicted() {
        return hasEvicted;
    }

    long evictedAt() {
        return evictedAt;
    }

    /** Sets the latest time of a log that has not been used: the eviction time, if there is one. */
    private void startAtEviction(SlidingLog log) {
        if (hasEvicted) {
            log.startAt(evictedAt);
        }
    }

    /** Releases what is referred to: a reservation may refer to an entry, and so to this, for long. */
    void clear() {
        entries.clear();
        synchronized (rotation) {
            rotation.clear();
            unexamined = 0;
        }
    }
}
