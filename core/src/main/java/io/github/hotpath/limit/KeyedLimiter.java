package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * An exact, thread-safe sliding-window rate limiter per key, such as a client, an account or an address: each key has a
 * {@link SlidingWindowLimiter} of its own, which is evicted when it is idle.
 *
 * <pre>{@code
 * KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(60, Duration.ofMinutes(1)));
 *
 * long waitNanos = limiter.tryAcquireOrDelay(address, System.nanoTime(), 1);
 * if (waitNanos == 0) {
 *     send();
 * } else {
 *     retryAfter(waitNanos);
 * }
 * }</pre>
 *
 * <p>Limits may {@linkplain #of(Function) differ by key}, and {@linkplain #updateLimits() change}.
 *
 * <p><b>Untrusted keys.</b> A caller that can invent keys, for example by sending another name with each request, is
 * never refused, and each new key occupies an entry for the longest interval. So ask for the key together with one
 * limiter for all keys:
 *
 * <pre>{@code
 * SlidingWindowLimiter all = SlidingWindowLimiter.of(Limit.of(10_000, Duration.ofMinutes(1)));
 *
 * long wait = Limiter.allOf(limiter.forKey(address), all).tryAcquireOrDelay(System.nanoTime(), 1);
 * }</pre>
 *
 * <p>What the limiter for all keys refuses adds no key. What the limit of a key refuses uses nothing of what all share.
 *
 * <p><b>Keys</b> are compared by {@code equals}, and must not change. An exception of {@code equals} or {@code
 * hashCode} propagates to the caller that passes the key, and to no other one.
 *
 * <p><b>Exact.</b> A limiter is <i>idle</i> when nothing counts toward any limit and no slot is pending. Only idle
 * limiters are evicted, so eviction never resets a limit. Calls in the order of time return what a map would return
 * that keeps every limiter forever.
 *
 * <p><b>Time.</b> The rules are those of {@link SlidingWindowLimiter}, for each key separately. Eviction has its own
 * rule: evicting at a time raises the <i>eviction time</i> to that time if it is later, and a key added afterwards
 * starts with the eviction time as its latest time. Calls earlier than the eviction time, which are out of order, may
 * be refused although permits are available, and never exceed a limit. A single time too far in the future makes later
 * calls of all keys out of order until the clock catches up; call {@link #clear()} to recover.
 *
 * <p><b>Memory</b> follows the number of keys that are not idle, and not the number of keys that were ever used. With
 * one limit an entry takes about 330 bytes, with the map and room for three permits. There are at most about four times
 * as many entries as the largest number of keys that were not idle at one time; {@code docs/semantics.md} has the
 * bound. Eviction needs no thread, no timer and no maximum size: calls that add a key, or acquire permits for an idle
 * key, also examine others, and evict the idle ones. While there are no such calls, call {@link #evictIdle}. The table
 * of the map does not shrink: it retains some 8 bytes for each key of a peak until {@link #clear()}.
 *
 * <p><b>Cost.</b> The cost of the limiter's call, plus a lookup in a {@link java.util.concurrent.ConcurrentHashMap}. If
 * the limiter of a known key refuses without a lock, so does this class. Calls with different keys wait for each other
 * only while a key is added or evicted, as in any such map. Eviction is amortized O(1) per call.
 *
 * <p><b>Restarts.</b> {@link #writeTo} writes all keys while the limiter serves, and {@link #readFrom} reads them in
 * another JVM, whose clock may be another one.
 *
 * <p><b>Thread-safe.</b> The calls of each key are linearizable: each takes effect at one instant between its
 * invocation and its return, and so does {@link #clear()}. {@link #evictIdle} acts on one key after another. {@link
 * #size} is exact while no other thread adds or evicts a key. {@link #writeTo} reads one key after another, and {@link
 * #readFrom} adds all keys at one instant. For errors see {@link SlidingWindowLimiter}.
 *
 * @param <K> the type of the keys
 */
public final class KeyedLimiter<K> {
    private final Function<? super K, ? extends List<Limit>> limitsOf;

    /** The limits of every key, or a word if they differ. */
    private final Object description;

    /** How many updates of limits have begun. */
    private final AtomicLong updates = new AtomicLong();

    /**
     * Replaced by {@link #clear}, which is all that it does: a call in progress on the map before takes effect before
     * it.
     */
    private final AtomicReference<LimiterMap<K>> current;

    private KeyedLimiter(Function<? super K, ? extends List<Limit>> limitsOf, Object description) {
        this.limitsOf = limitsOf;
        this.description = description;
        this.current = new AtomicReference<>();
        clear();
    }

    /**
     * Returns a new limiter without keys.
     *
     * @param <K> the type of the keys
     * @param limits one or more limits, all of which apply to each key; the array is copied
     * @return a new limiter
     * @throws NullPointerException if {@code limits} or one of them is null
     * @throws IllegalArgumentException if {@code limits} is empty, or has more than 1000 elements
     */
    public static <K> KeyedLimiter<K> of(Limit... limits) {
        List<Limit> checked = SlidingWindowLimiter.checked(limits);
        return new KeyedLimiter<>(any -> checked, checked);
    }

    /**
     * Returns a new limiter without keys, whose limits differ by key, for example by the plan of a client.
     *
     * <pre>{@code
     * KeyedLimiter<String> limiter = KeyedLimiter.of(client -> isPro(client) ? pro : free);
     * }</pre>
     *
     * <p>The function is asked when a call finds no entry for its key, perhaps more than once, while no lock is held.
     * What it throws is thrown by the call, and no key is added. Keys for which it returns the same {@link Limit}
     * objects share them.
     *
     * @param <K> the type of the keys
     * @param limitsOf returns the limits of a key: one or more, none of them null, at most 1000
     * @return a new limiter
     * @throws NullPointerException if {@code limitsOf} is null
     */
    public static <K> KeyedLimiter<K> of(Function<? super K, ? extends List<Limit>> limitsOf) {
        return new KeyedLimiter<>(requireNonNull(limitsOf, "limitsOf"), "by key");
    }

    /**
     * Acquires {@code permits} for {@code key} immediately if every limit allows it and no slot is pending; otherwise
     * changes nothing: see {@link SlidingWindowLimiter#tryAcquire}.
     *
     * @param key the key; added if it has no entry and the permits are granted
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return {@code true} if the permits were acquired
     * @throws NullPointerException if {@code key} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
    public boolean tryAcquire(K key, long nanos, int permits) {
        return acquire(key, nanos, permits, false) == 0;
    }

    /**
     * Acquires {@code permits} for {@code key} immediately if every limit allows it and no slot is pending; otherwise
     * changes nothing and returns the delay until they would be available: see {@link
     * SlidingWindowLimiter#tryAcquireOrDelay}.
     *
     * @param key the key; added if it has no entry and the permits are granted
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the delay in nanoseconds: the least {@code d} such that an
     *     attempt at {@code nanos + d} succeeds if nothing else is acquired for this key until then (one nanosecond
     *     earlier it is refused), or {@link Long#MAX_VALUE} if no attempt ever succeeds or the delay does not fit a
     *     {@code long}
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
        LimiterMap<K> map = current.get();
        KeyedEntry<K> entry = map.get(key);
        if (entry != null) {
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
        return acquireAsNew(key, map, nanos, permits);
    }

    private long acquireAsNew(K key, LimiterMap<K> map, long nanos, int permits) {
        Member[] member = {new KeyMember<>(this, key, map, null)};
        return new AcquireCall(member, nanos, permits).delayNanos();
    }

    /**
     * Acquires {@code permits} for {@code key} at the earliest time that every limit allows, their slot, or acquires
     * nothing if the slot is more than {@code maxDelay} away: see {@link SlidingWindowLimiter#reserve}. A reservation
     * can be adjusted and cancelled until it has expired for every limit at the latest time of its key, or until the
     * key has been evicted.
     *
     * @param key the key; added if it has no entry and the permits are granted
     * @param nanos the time of the call
     * @param permits at least 1
     * @param maxDelay zero or more: the maximum delay of the slot from {@code nanos}, or from the latest time of the
     *     key if that is later
     * @return the reservation, granted or refused
     * @throws NullPointerException if {@code key} or {@code maxDelay} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1, or {@code maxDelay} is negative
     */
    public Reservation reserve(K key, long nanos, int permits, Duration maxDelay) {
        return forKey(key).reserve(nanos, permits, maxDelay);
    }

    /**
     * Returns the number of permits that {@link #tryAcquire} would grant for {@code key} at {@code nanos}, or at the
     * latest time if that is later. Changes nothing and adds no key; a key without an entry has all permits available.
     *
     * @param key the key
     * @param nanos the time to evaluate at
     * @return the maximum number of permits that one call would be granted: see {@link SlidingWindowLimiter#available}
     * @throws NullPointerException if {@code key} is null
     */
    public long available(K key, long nanos) {
        KeyedEntry<K> entry = current.get().get(requireNonNull(key, "key"));
        return entry == null
                ? new SlidingWindowLimiter(limitsOf(key)).available(nanos)
                : entry.limiter.available(nanos);
    }

    /**
     * Returns {@code key} as a {@link Limiter}, for example to ask for it {@linkplain Limiter#allOf together} with
     * others. It may be kept: it finds the entry of the key at each call, and keeps none alive.
     *
     * @param key the key
     * @return a view of this limiter
     * @throws NullPointerException if {@code key} is null
     */
    public Limiter forKey(K key) {
        return new KeyLimiter<>(this, requireNonNull(key, "key"));
    }

    /** {@return the number of keys that have an entry, some of which may be idle; useful as a gauge} */
    public int size() {
        return current.get().size();
    }

    /**
     * Evicts every key whose limiter is idle at {@code nanos}, or at the eviction time if that is later. If it evicts
     * any, the eviction time is raised to {@code nanos} unless that is earlier. Useful to release memory when no new
     * keys are added; while keys are added, other calls evict. O(number of entries).
     *
     * @param nanos the current time
     */
    public void evictIdle(long nanos) {
        current.get().evictIdle(nanos);
    }

    /**
     * Resets this limiter to its initial state: removes all keys and the eviction time, and releases their memory.
     * Reservations made before can no longer be adjusted or cancelled. A concurrent call takes effect before or after
     * it. O(1).
     */
    public void clear() {
        // At one moment. While one thread retired the old limiters one by one, another clear() would return although
        // there are reservations that can still be corrected.
        current.set(newMap());
    }

    private LimiterMap<K> newMap() {
        return new LimiterMap<>(new Epoch(() -> current.get().epoch));
    }

    /**
     * Removes {@code key} with all that counts for it: the next call finds it as new. Reservations made for it before
     * can no longer be adjusted or cancelled.
     *
     * @param key the key
     * @throws NullPointerException if {@code key} is null
     */
    public void clear(K key) {
        LimiterMap<K> map = current.get();
        KeyedEntry<K> entry = map.get(requireNonNull(key, "key"));
        if (entry != null) {
            entry.limiter.retire();
            map.remove(key, entry);
        }
    }

    /**
     * Asks for the limits of {@code key} again, and sets them as {@link SlidingWindowLimiter#setLimits} does: what has
     * been granted counts. Does nothing for a key without entry, whose limits are asked for when it is added. When this
     * has returned, the limits of the key are those of an answer given after it was called. A key that has been evicted
     * starts anew: a longer interval does not count what was granted before the eviction.
     *
     * @param key the key
     * @throws NullPointerException if {@code key} is null
     */
    public void updateLimits(K key) {
        requireNonNull(key, "key");
        beginUpdate();
        KeyedEntry<K> entry = current.get().get(key);
        if (entry != null) {
            update(entry);
        }
    }

    /**
     * Asks for the limits of every key again, one after another: see {@link #updateLimits(Object)}. If the function
     * throws, the keys before have been updated.
     */
    public void updateLimits() {
        beginUpdate();
        current.get().forEach(this::update);
    }

    private void beginUpdate() {
        synchronized (updates) { // after this the keys that are being read are found, or not added before being updated
            updates.incrementAndGet();
        }
    }

    private void update(KeyedEntry<K> entry) {
        boolean isDone = false;
        while (!isDone) {
            long before = updates.get();
            List<Limit> limits = limitsOf(entry.key);
            isDone = entry.limiter.setLimits(limits, () -> updates.get() == before, entry::setBusyNanos);
        }
    }

    /** Returns the limits of a key, as the function says now. */
    List<Limit> limitsOf(K key) {
        List<Limit> limits = requireNonNull(limitsOf.apply(key), "limitsOf");
        return limits == description ? limits : SlidingWindowLimiter.checked(limits.toArray(new Limit[0]));
    }

    /** Returns how many updates of limits have begun. */
    long updates() {
        return updates.get();
    }

    /**
     * Writes the keys, what has been granted to each, and the eviction time to {@code out} in a compact binary form,
     * for example to {@linkplain #readFrom read} them after a restart. A key takes its own bytes and at most 20 for
     * three grants of one permit within a second. The limits are not written, and reservations are not either: they
     * belong to this limiter. The project's {@code docs/compact-forms.md} specifies the form.
     *
     * <p>The limiter serves meanwhile. The keys are written one after another, each as of one instant: a copy of what
     * counts for it is made under its lock, and written after the lock is released. Everything that was acquired before
     * this call is included, unless it has expired. What is acquired meanwhile may be included or not, and permits
     * acquired {@linkplain Limiter#allOf together} for several keys may be included for some of them only. Equal states
     * may be written as different bytes, since the keys have no order. Writes the header of a key and its numbers
     * separately, so {@code out} should be buffered.
     *
     * @param out the output
     * @param keys writes a key; called without any lock held
     * @throws IOException if {@code out} or {@code keys} throws it
     * @throws NullPointerException if {@code out} or {@code keys} is null
     */
    public void writeTo(DataOutput out, KeyWriter<? super K> keys) throws IOException {
        new KeyedForm<K>(requireNonNull(out, "out"), requireNonNull(keys, "keys")).write(current.get());
    }

    /**
     * Reads what {@link #writeTo} has written into this limiter, which must have no keys. Every time is {@code
     * shiftNanos} later: with the same limits, a later call at {@code nanos + shiftNanos} returns what it would have
     * returned on the original at {@code nanos}.
     *
     * <p>The limits of this limiter apply: each counts the grants of the original that are within its interval at the
     * latest time of their key, and had not expired for the original. A limit per call counts grants at the same time
     * as one call if the original had no such limit. More may count than a limit allows, and then nothing is granted
     * until enough has expired.
     *
     * <p>The keys are added all at once, when everything has been read. If the call throws, none of them is. The
     * eviction time becomes that of the original, unless this limiter has a later one. Keys that are idle by now have
     * an entry until they are evicted, for example by {@link #evictIdle}.
     *
     * <p>Reads exactly the bytes that were written, if {@code keys} does. Of a key that was written twice the later one
     * is read. Allocates memory in proportion to the bytes read, not to the number of grants that the input declares.
     *
     * @param in the input
     * @param keys reads a key; any exception that it throws propagates unchanged, as does one of the function of limits
     * @param shiftNanos the time of this limiter's clock less that of the original's at the same moment; any value, and
     *     the sums may overflow as all times do
     * @throws IllegalStateException if this limiter has keys, or one is added before everything has been read
     * @throws java.io.EOFException if {@code in} ends too early
     * @throws java.io.StreamCorruptedException if {@link #writeTo} cannot have written the input, or a later version of
     *     this library wrote it in a form that this version cannot read; the message names the reason
     * @throws IOException if {@code in} or {@code keys} throws it
     * @throws NullPointerException if {@code in} or {@code keys} is null, or {@code keys} returns null
     */
    public void readFrom(DataInput in, KeyReader<? extends K> keys, long shiftNanos) throws IOException {
        KeyedFormReader<K> reader =
                new KeyedFormReader<>(requireNonNull(in, "in"), requireNonNull(keys, "keys"), shiftNanos);
        LimiterMap<K> before = current.get();
        long added = before.rotation.added();
        if (before.size() > 0) {
            throw new IllegalStateException("keys: " + before.size() + " (expected: none)");
        }
        LimiterMap<K> read = newMap();
        long asked = updates();
        reader.readInto(read, this::limitsOf);
        while (!install(read, asked, before, added)) {
            asked = updates();
            read.forEach(this::update);
        }
    }

    /**
     * Makes {@code read} the current map, unless an update of limits has begun since its limits were asked for, or this
     * has just been cleared. The map before it must have had {@code added} entries, or none if it is another one.
     */
    private boolean install(LimiterMap<K> read, long asked, LimiterMap<K> before, long added) {
        synchronized (updates) {
            LimiterMap<K> map = current.get();
            return updates() == asked && map.replaceBy(read, current, map == before ? added : 0);
        }
    }

    /**
     * Writes a key in a way that {@link KeyReader} reads.
     *
     * @param <K> the type of the keys
     */
    @FunctionalInterface
    public interface KeyWriter<K> {
        /**
         * Writes a key.
         *
         * @param key the key
         * @param out the output
         * @throws IOException if {@code out} throws it
         */
        void write(K key, DataOutput out) throws IOException;
    }

    /**
     * Reads a key that {@link KeyWriter} has written, and not a byte more.
     *
     * @param <K> the type of the keys
     */
    @FunctionalInterface
    public interface KeyReader<K> {
        /**
         * Reads a key.
         *
         * @param in the input
         * @return the key, not null
         * @throws IOException if {@code in} throws it, or its bytes are no key
         */
        K read(DataInput in) throws IOException;
    }

    /** Returns a string with the limits and the number of keys. */
    @Override
    public String toString() {
        return "KeyedLimiter[limits=" + description + ", size=" + size() + "]";
    }

    /** Throws if an invariant does not hold; no call may be in progress. For tests. */
    void checkInvariants() {
        map().checkInvariants();
    }

    /** Returns the entries; for tests. */
    LimiterMap<K> map() {
        return current.get();
    }
}
