package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** A key of a {@link LimiterMap}, and its limiter. */
final class KeyedEntry<K> {
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

    KeyedEntry(K key, SlidingWindowLimiter limiter, long lastGrant) {
        this.key = key;
        this.limiter = limiter;
        this.lastGrant = lastGrant;
    }
}
