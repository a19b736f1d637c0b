package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** A key of a {@link LimiterMap}, and its limiter. */
final class KeyedEntry<K> {
    private static final long HALF = 1L << 62;

    final K key;
    final SlidingWindowLimiter limiter;

    /** The adjacent entries in the {@link Rotation}, guarded by its lock; {@code null} if this one is not in it. */
    @Nullable
    KeyedEntry<K> next;

    @Nullable
    KeyedEntry<K> previous;

    /**
     * A time at which permits have been acquired that nothing can take back, the latest one that is known. Written and
     * read without any lock, so it may be an earlier one than it should be.
     */
    long lastGrant;

    /**
     * For so long after {@link #lastGrant} the limiter is certainly not idle, unless its limits have been changed
     * since. Written with the limiter's lock held, as these are: only an error in between leaves that of earlier ones.
     */
    long busyNanos;

    /** Creates an entry for a limiter that has granted nothing. */
    KeyedEntry(K key, SlidingWindowLimiter limiter, long nanos) {
        this.key = key;
        this.limiter = limiter;
        setBusyNanos();
        lastGrant = nanos - busyNanos - 1;
    }

    /** Sets {@link #busyNanos} by the limits that are in force, which no other thread changes meanwhile. */
    final void setBusyNanos() {
        busyNanos = Math.min(limiter.log.longestNanos(), HALF);
    }
}
