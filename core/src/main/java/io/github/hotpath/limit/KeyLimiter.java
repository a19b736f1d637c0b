package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import org.jspecify.annotations.Nullable;

/** A key of a {@link KeyedLimiter}, which keeps no entry alive. Equal if limiter and key are. Thread-safe. */
final class KeyLimiter<K> implements Limiter {
    /*
     * It is made for most calls, and costs nothing where it does not escape. So the calls that most requests make pass
     * its fields on, and not this.
     */

    private final KeyedLimiter<K> owner;
    private final K key;

    KeyLimiter(KeyedLimiter<K> owner, K key) {
        this.owner = owner;
        this.key = key;
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return owner.acquire(key, nanos, permits, false) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return owner.acquire(key, nanos, permits, true);
    }

    /** Returns the entry, if there is one. */
    @Nullable
    Gate find() {
        return owner.map.get(key);
    }

    /** Returns a new entry, which is added to the map unless the call only reads; or another one that is found there. */
    Gate findOrMake(boolean onlyReads) {
        return onlyReads ? owner.make(key) : owner.add(key);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyLimiter<?> that && owner == that.owner && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(owner) + key.hashCode();
    }

    /** Returns a string with the limits and the key. */
    @Override
    public String toString() {
        return owner + "[" + key + "]";
    }
}
