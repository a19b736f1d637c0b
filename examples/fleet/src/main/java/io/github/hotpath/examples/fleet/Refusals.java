package io.github.hotpath.examples.fleet;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Until when attempts at some keys will be refused, so that they need not be made. Memory is bounded: keys that have
 * the same place replace each other, as do other numbers of permits, which costs an attempt and nothing else.
 * Thread-safe.
 */
final class Refusals<K> {
    /*
     * A refusal stays right whatever happens elsewhere: grants to others only make a wait longer, the permits of this
     * limiter are never released, and the time of the log is never faster than that of this member.
     */

    /** The most keys that are kept. A power of two. */
    static final int CAPACITY = 1 << 16;

    private final AtomicReferenceArray<@Nullable Refusal> places = new AtomicReferenceArray<>(CAPACITY);

    /** That an attempt of {@code permits} is not granted before {@code until}. */
    private record Refusal(Object key, int permits, long until) {}

    /** Returns for how long after {@code nanos} an attempt will be refused, as far as this is known; or 0. */
    long delay(K key, int permits, long nanos) {
        Refusal refusal = places.get(place(key));
        return refusal != null && refusal.key.equals(key) && refusal.permits == permits
                ? Math.max(refusal.until - nanos, 0)
                : 0;
    }

    /** Adds that an attempt at {@code nanos} was refused, and that one will be until {@code delay} later. */
    void add(K key, int permits, long nanos, long delay) {
        places.set(place(key), new Refusal(key, permits, nanos + delay));
    }

    private static int place(Object key) {
        int hash = key.hashCode() * 0x9e3779b9;
        return (hash ^ hash >>> 16) & CAPACITY - 1;
    }
}
