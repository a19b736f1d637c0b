package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import org.jspecify.annotations.Nullable;

/** A key of a {@link KeyedLimiter}, which keeps no entry alive. Equal if limiter and key are. Thread-safe. */
final class KeyLimiter<K> extends Member implements Limiter {
    /*
     * It is made for most calls, and costs nothing where it does not escape. So the calls that most requests make pass
     * its fields, and the rare others a copy.
     */

    private final KeyTable<K> table;
    private final K key;

    KeyLimiter(KeyTable<K> table, K key) {
        this.table = table;
        this.key = key;
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return acquire(table, key, nanos, permits, false) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return acquire(table, key, nanos, permits, true);
    }

    private static <K> long acquire(KeyTable<K> table, K key, long nanos, int permits, boolean wantsDelay) {
        long delay = table.acquire(key, nanos, permits, wantsDelay);
        return delay == Gate.NOT_READY ? new Requests.Acquire(new KeyLimiter<>(table, key)).run(nanos, permits) : delay;
    }

    @Override
    @Nullable
    Gate find() {
        return table.find(key);
    }

    @Override
    Gate findOrAdd() {
        return table.findOrAdd(key);
    }

    @Override
    @SuppressWarnings("unchecked") // findOrAdd of this returned it, so its key is a K
    void ask(Gate gate) {
        table.ask((KeyedEntry<K>) gate);
    }

    @Override
    @SuppressWarnings("unchecked") // it was found by this
    void finish(Gate gate, long nanos, boolean isChanged, boolean isRevocable) {
        table.finish((KeyedEntry<K>) gate, nanos, isChanged, isRevocable);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyLimiter<?> that && table == that.table && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(table) + key.hashCode();
    }

    /** Returns a string with the limits and the key. */
    @Override
    public String toString() {
        return table + "[" + key + "]";
    }
}
