package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** A key of a {@link KeyedLimiter}, which keeps no entry alive. Equal if limiter and key are. Thread-safe. */
final class KeyLimiter<K> implements Limiter {
    private final KeyedLimiter<K> keyed;
    private final K key;

    KeyLimiter(KeyedLimiter<K> keyed, K key) {
        this.keyed = keyed;
        this.key = key;
    }

    /** Returns the key as a member of a call, with its entry looked up. */
    KeyMember<K> member() {
        LimiterMap<K> map = keyed.map();
        return new KeyMember<>(keyed, key, map, map.getLive(key));
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        return keyed.acquire(key, nanos, permits, false) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        return keyed.acquire(key, nanos, permits, true);
    }

    @Override
    public long available(long nanos) {
        return keyed.available(key, nanos);
    }

    @Override
    public boolean isIdle(long nanos) {
        return keyed.isIdle(key, nanos);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyLimiter<?> that && keyed == that.keyed && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(keyed) + key.hashCode();
    }

    @Override
    public String toString() {
        return keyed + "[" + key + "]";
    }
}
