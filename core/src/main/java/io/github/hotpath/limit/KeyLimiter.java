package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import org.jspecify.annotations.Nullable;

/** A key of a {@link KeyedLimiter}, which keeps no entry alive. Equal if limiter and key are. Thread-safe. */
final class KeyLimiter<K> extends Member implements Limiter {
    /*
     * It is made for most calls, and costs nothing where it does not escape. So the calls that most requests make pass
     * its fields on, and not this.
     */

    private final Keys<K> keys;
    private final K key;

    KeyLimiter(Keys<K> keys, K key) {
        this.keys = keys;
        this.key = key;
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return keys.acquire(key, nanos, permits, false) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return keys.acquire(key, nanos, permits, true);
    }

    @Override
    @Nullable
    Gate find() {
        return keys.map().get(key);
    }

    @Override
    Gate make(boolean onlyReads) {
        return onlyReads ? keys.make(key) : keys.add(key);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyLimiter<?> that && keys == that.keys && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(keys) + key.hashCode();
    }

    /** Returns a string with the limits and the key. */
    @Override
    public String toString() {
        return keys + "[" + key + "]";
    }
}
