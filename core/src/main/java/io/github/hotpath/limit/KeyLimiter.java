package io.github.hotpath.limit;

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
        return keyed.tryAcquire(key, nanos, permits);
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        return keyed.tryAcquireOrDelay(key, nanos, permits);
    }

    @Override
    public long available(long nanos) {
        return keyed.available(key, nanos);
    }

    @Override
    public boolean equals(Object other) {
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
