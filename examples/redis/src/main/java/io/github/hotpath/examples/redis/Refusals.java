package io.github.hotpath.examples.redis;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Until when attempts at some keys will be refused, so that they need not be made. Memory is bounded: two keys that
 * have the same place replace each other, which costs an attempt and nothing else. Thread-safe.
 */
final class Refusals {
    /*
     * A refusal stays right regardless of what happens at the server: grants to others only make a wait longer, and
     * permits are never released.
     */

    /** The most keys that are kept. A power of two. */
    static final int CAPACITY = 1 << 16;

    private final AtomicReferenceArray<@Nullable Refusal> places = new AtomicReferenceArray<>(CAPACITY);

    /** That no attempt of {@code permits} or more is granted before {@code until}. */
    private record Refusal(String key, int permits, long until) {
        boolean refuses(int permits, long nanos) {
            return this.permits <= permits && nanos - until < 0;
        }
    }

    /** Returns for how long after {@code nanos} an attempt will be refused at least, as far as is known; or 0. */
    long delay(String key, int permits, long nanos) {
        Refusal refusal = places.get(place(key));
        return refusal != null && refusal.refuses(permits, nanos) && refusal.key.equals(key)
                ? refusal.until - nanos
                : 0;
    }

    /** Adds that an attempt at {@code nanos} was refused, and that one will be until {@code delay} later. */
    void add(String key, int permits, long nanos, long delay) {
        Refusal old = places.get(place(key));
        if (old == null || !old.key.equals(key) || permits <= old.permits || !old.refuses(permits, nanos)) {
            places.set(place(key), new Refusal(key, permits, nanos + delay));
        }
    }

    private static int place(String key) {
        int hash = key.hashCode() * 0x9e3779b9;
        return (hash ^ hash >>> 16) & CAPACITY - 1;
    }
}
