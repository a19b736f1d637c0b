package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A {@link SlidingWindowLimiter} for each key, as for each client, account or address: the same limits for all, each
 * used up by itself. Limiters that are idle are evicted, so memory is bounded by the keys in use.
 *
 * <pre>{@code
 * KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(60, Duration.ofMinutes(1)));
 * long waitNanos = limiter.tryAcquireOrDelay(address, System.nanoTime(), 1);
 * if (waitNanos > 0) {
 *     retryAfter(waitNanos);
 * }
 * }</pre>
 *
 * <p><b>Exact.</b> Every call returns what a map with one {@link SlidingWindowLimiter} for each key would return if it
 * were never emptied. An entry is evicted only when nothing counts under any limit and no slot is pending, which never
 * resets a limit.
 *
 * <p><b>Bounded.</b> No thread and no timer evicts, and no number of keys has to be chosen: a call that adds a key, or
 * acquires permits under one that was idle, examines entries in rotation, at least two, and evicts the idle ones. There
 * are never more than four times as many entries as there were keys not idle at any one moment since the last full
 * rotation, and 64, and one for each call in progress. This is amortized O(1) for each call, and a single call examines
 * at most an eighth of the entries. When no key is added any more, nothing is evicted either; {@link #evictIdle} does
 * that, and releases all entries after a peak at once. The table of the map keeps its length, some 8 bytes for each key
 * of the peak, until {@link #clear}.
 *
 * <p><b>Cost.</b> Beside the call of the limiter, a look-up in a {@link java.util.concurrent.ConcurrentHashMap}. A known
 * key is refused without a lock, where the limiter refuses without one. Calls with different keys do not wait for each
 * other, but for the moment in which a key is added or evicted, as in any such map. With one limit an entry takes about
 * 330 bytes, three permits and the map included.
 *
 * <p><b>Time.</b> The rules are those of {@link SlidingWindowLimiter}, for each key by itself. Eviction has a rule of its
 * own: evicting at a time raises the <i>eviction time</i> to that time if it is later, and a key that is added afterwards
 * starts with the eviction time as its latest time. So for calls earlier than the eviction time, which are out of order,
 * a key may have a later latest time than it would have had; nothing is ever granted to them that would be refused at
 * the eviction time. A single time too far in the future therefore makes calls of other keys out of order as well, until
 * the clock catches up; {@link #clear} is the remedy.
 *
 * <p><b>Keys</b> are compared by {@code equals}, and must not change. Untrusted callers that can invent keys, for example
 * by sending another name with each request, are never refused, and retain an entry for each request within the longest
 * interval. For such callers, apply one {@link SlidingWindowLimiter} for all keys first.
 *
 * <p><b>Thread-safe.</b> The calls of each key are linearizable: they act as if they were made one after another, each
 * between its beginning and its end. {@link #size} is that of a moment during the call if no other thread changes it;
 * {@link #evictIdle} and {@link #clear} act on one key after the other.
 *
 * @param <K> the type of the keys
 */
public final class KeyedLimiter<K> {
    private final Limit[] limits;

    /** What a new limiter is: nothing is ever acquired from this one. */
    private final SlidingWindowLimiter unused;

    /** The most permits that a new limiter grants. */
    private final long most;

    /** Replaced by {@link #clear}, so that no call in progress can carry anything over. */
    private final AtomicReference<LimiterMap<K>> current;

    private KeyedLimiter(Limit[] limits, SlidingWindowLimiter unused) {
        this.limits = limits;
        this.unused = unused;
        this.most = unused.available(0);
        this.current = new AtomicReference<>(new LimiterMap<>(limits));
    }

    /**
     * Returns a new limiter, without any key.
     *
     * @param <K> the type of the keys
     * @param limits one or more, which all apply to each key
     * @return a new limiter
     * @throws NullPointerException if {@code limits} or one of them is null
     * @throws IllegalArgumentException if there is none
     */
    public static <K> KeyedLimiter<K> of(Limit... limits) {
        SlidingWindowLimiter unused = SlidingWindowLimiter.of(limits);
        return new KeyedLimiter<>(unused.limits().toArray(new Limit[0]), unused);
    }

    /**
     * Acquires {@code permits} for {@code key} immediately under every limit and returns {@code true}, or changes nothing
     * and returns {@code false}: see {@link SlidingWindowLimiter#tryAcquire}.
     *
     * @param key the key, which is added if it is not known and the permits are granted
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return whether they were acquired
     * @throws NullPointerException if {@code key} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
    public boolean tryAcquire(K key, long nanos, int permits) {
        return acquire(key, nanos, permits, false) == 0;
    }

    /**
     * Acquires {@code permits} for {@code key} immediately under every limit and returns 0, or changes nothing and
     * returns how long to wait: see {@link SlidingWindowLimiter#tryAcquireOrDelay}.
     *
     * @param key the key, which is added if it is not known and the permits are granted
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return 0 if they were acquired; otherwise the least number of nanoseconds after {@code nanos} at which an attempt
     *     succeeds if nothing else is acquired for this key until then; {@link Long#MAX_VALUE} if never, or if it does
     *     not fit
     * @throws NullPointerException if {@code key} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
    public long tryAcquireOrDelay(K key, long nanos, int permits) {
        return acquire(key, nanos, permits, true);
    }

    /** Acquires permits and returns 0, or returns the delay, if that is wanted, or another number. */
    private long acquire(K key, long nanos, int permits, boolean wantsDelay) {
        requireNonNull(key, "key");
        Arguments.checkAtLeast(1, permits, "permits");
        if (permits > most) {
            return Long.MAX_VALUE;
        }
        while (true) {
            LimiterMap<K> map = current.get();
            KeyedEntry<K> entry = map.get(key);
            if (entry == null) {
                if (map.add(key, nanos, false, limiter -> limiter.tryAcquire(nanos, permits))) {
                    return 0;
                }
                continue;
            }
            SlidingWindowLimiter limiter = entry.limiter;
            long result = wantsDelay
                    ? limiter.tryAcquireOrDelay(nanos, permits)
                    : limiter.tryAcquire(nanos, permits) ? 0 : -1;
            if (result == 0) {
                map.acquired(entry, nanos, false);
                return 0;
            }
            if (!limiter.isRetired()) {
                return result;
            }
            map.remove(key, entry);
        }
    }

    /**
     * Acquires {@code permits} for {@code key} at the earliest slot that every limit allows, now or later, or nothing if
     * that is more than {@code maxDelay} away: see {@link SlidingWindowLimiter#reserve}. A reservation can be adjusted
     * and cancelled until it has expired under every limit, judged at the latest time of its key, or at the eviction
     * time once the key has been evicted.
     *
     * @param key the key, which is added if it is not known and the permits are granted
     * @param nanos the time of the call
     * @param permits at least 1
     * @param maxDelay zero or more: how long after {@code nanos}, or the latest time if that is later, the slot may be
     * @return what was granted or refused
     * @throws NullPointerException if {@code key} or {@code maxDelay} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1, or {@code maxDelay} is negative
     */
    public Reservation reserve(K key, long nanos, int permits, Duration maxDelay) {
        requireNonNull(key, "key");
        Arguments.checkAtLeast(1, permits, "permits");
        Arguments.saturatedNanos(maxDelay, "maxDelay");
        if (permits > most) {
            return unused.reserve(nanos, permits, maxDelay);
        }
        while (true) {
            LimiterMap<K> map = current.get();
            KeyedEntry<K> entry = map.get(key);
            if (entry == null) {
                Reservation[] made = new Reservation[1];
                if (map.add(key, nanos, true, limiter -> made[0] = limiter.reserve(nanos, permits, maxDelay))) {
                    return made[0];
                }
                continue;
            }
            Reservation reservation = entry.limiter.reserve(nanos, permits, maxDelay);
            if (reservation.isGranted()) {
                map.acquired(entry, nanos, true);
                return reservation;
            }
            if (!entry.limiter.isRetired()) {
                return reservation;
            }
            map.remove(key, entry);
        }
    }

    /**
     * Returns the permits that {@link #tryAcquire} would grant for {@code key} at {@code nanos}, or at the latest time if
     * that is later. Changes nothing, and adds no key: one that is not known has what a new limiter has.
     *
     * @param key the key
     * @param nanos the time to evaluate at
     * @return the most permits of a call, as {@link SlidingWindowLimiter#available} returns
     * @throws NullPointerException if {@code key} is null
     */
    public long available(K key, long nanos) {
        KeyedEntry<K> entry = current.get().get(requireNonNull(key, "key"));
        return entry == null ? most : entry.limiter.available(nanos);
    }

    /** {@return the number of keys that have an entry, some of which may be idle; to be exported as a gauge} */
    public int size() {
        return current.get().size();
    }

    /**
     * Evicts every key whose limiter is idle at {@code nanos}, or at the eviction time if that is later. There is no need
     * for that while new keys come; it releases memory when none do, and costs a step for each key.
     *
     * @param nanos the time to evaluate at
     */
    public void evictIdle(long nanos) {
        current.get().evictIdle(nanos);
    }

    /**
     * Resets this to its initial state, without any key and without an eviction time. Reservations made before can no
     * longer be adjusted or cancelled once this has returned. A call of another thread meanwhile acts as if it was made
     * before or afterwards.
     */
    public void clear() {
        current.getAndSet(new LimiterMap<>(limits)).close();
    }

    /** Returns the limits and the number of keys. */
    @Override
    public String toString() {
        return "KeyedLimiter[limits=" + unused.limits() + ", size=" + size() + "]";
    }

    /** Throws if what the fields say of themselves does not hold while no call is in progress; for tests. */
    void checkInvariants() {
        map().checkInvariants();
    }

    /** Returns the entries; for tests. */
    LimiterMap<K> map() {
        return current.get();
    }
}
