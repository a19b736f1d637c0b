package io.github.hotpath.limit;

import java.util.function.Supplier;

/**
 * The time from one {@link KeyedLimiter#clear} to the next, with its eviction time: the latest time at which limiters
 * have been evicted, if any have been. All entries of keys that are made in it end with it. Thread-safe.
 */
final class Epoch {
    /*
     * An entry refers to this and not to its map, since a reservation refers to the entry, and may be kept for long
     * after the map is cleared.
     */

    private final Supplier<Epoch> current;

    /** Whether there is an eviction time. Written after {@link #evictedAt}, read before it. */
    volatile boolean hasEvicted;

    /** The eviction time, which never moves back. */
    volatile long evictedAt;

    Epoch(Supplier<Epoch> current) {
        this.current = current;
    }

    boolean isCurrent() {
        return current.get() == this;
    }

    /** Raises the eviction time to {@code time}, if that is later. */
    synchronized void evictAt(long time) {
        if (!hasEvicted || time - evictedAt > 0) {
            evictedAt = time;
            hasEvicted = true;
        }
    }

    /** Returns {@code time}, or the eviction time if that is later. */
    long orEvictionTime(long time) {
        return hasEvicted && time - evictedAt < 0 ? evictedAt : time;
    }
}
