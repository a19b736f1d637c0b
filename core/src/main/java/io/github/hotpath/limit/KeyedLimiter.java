package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * An exact, thread-safe sliding-window rate limiter per key, such as a client: each key has a {@link
 * SlidingWindowLimiter} of its own, which is evicted when it is idle.
 *
 * <pre>{@code
 * KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(60, Duration.ofMinutes(1)));
 *
 * long waitNanos = limiter.forKey(address).tryAcquireOrDelay(System.nanoTime(), 1);
 * if (waitNanos == 0) {
 *     send();
 * } else {
 *     retryAfter(waitNanos);
 * }
 * }</pre>
 *
 * <p>Limits may {@linkplain #of(Function) differ by key}, and {@linkplain #updateAllLimits change}.
 *
 * <p><b>Exact.</b> A limiter is <i>idle</i> when nothing counts toward any limit and no slot is pending. Only idle ones
 * are evicted, so eviction never resets a limit.
 *
 * <p><b>Untrusted keys.</b> A caller that can invent keys is never refused. So ask for the key together with one
 * limiter for all keys, by {@link Limiter#allOf}, which such callers can use up; and choose a key that cannot be
 * invented, such as an account.
 *
 * <p><b>Time.</b> The rules are those of {@link SlidingWindowLimiter}, for each key. Evicting an entry in which
 * a call was granted, recorded or closed raises the <i>eviction time</i> to the time of the call, and a key added
 * afterwards has that as its latest time. So calls earlier than the eviction time may be refused although permits are
 * available, and never exceed a limit. After a single time too far in the future, {@link #clear} is the remedy.
 *
 * <p><b>Memory</b> follows the number of keys that are not idle, not of those ever used: there are at most four times
 * as many entries as keys were in use at one time lately, and 64. An entry takes about 300 bytes, with the map, and 8
 * bytes for each grant. No thread or timer evicts, but calls that add a key, or acquire permits for an idle one; while
 * there are none, call {@link #evictIdle}.
 *
 * <p><b>Cost.</b> That of the limiter's call, and of a lookup in a {@link java.util.concurrent.ConcurrentHashMap}; a
 * refusal without a lock stays one. Eviction is amortized O(1) per call; after many keys have become idle, a few calls
 * evict up to an eighth of them each.
 *
 * <p><b>Thread-safe.</b> The calls of each key are linearizable, and so is {@link #clear()}. Calls with different keys
 * wait for each other only while a key is added or evicted.
 *
 * @param <K> the type of the keys
 */
public final class KeyedLimiter<K> {
    final Keys<K> keys;

    private KeyedLimiter(Keys<K> keys) {
        this.keys = keys;
    }

    /**
     * Returns a new limiter without keys. One or more limits apply to each key.
     *
     * @param <K> the type of the keys
     * @param first a limit
     * @param more the other limits; the array is copied
     * @return a new limiter
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public static <K> KeyedLimiter<K> of(Limit first, Limit... more) {
        return of(List.of(Arguments.array(first, more, Limit[]::new)));
    }

    /**
     * Returns what {@link #of(Limit, Limit...)} does for the elements of a list. Without limits each key is granted
     * everything.
     *
     * @param <K> the type of the keys
     * @param limits zero or more; the list is copied
     * @return a new limiter
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public static <K> KeyedLimiter<K> of(List<Limit> limits) {
        List<Limit> checked = Gate.checked(limits);
        return new KeyedLimiter<>(new Keys<>(checked, key -> checked));
    }

    /**
     * Returns a new limiter without keys, whose limits differ by key, for example by the plan of a client.
     *
     * <pre>{@code
     * KeyedLimiter<String> limiter = KeyedLimiter.of(client -> isPro(client) ? pro : free);
     * }</pre>
     *
     * <p>The function is asked when a call finds no entry for its key, perhaps more than once, while no lock is held. A
     * key with a limit of 0 is idle, and may be evicted at any time, and one without limits a minute after it was used:
     * so cache what is slow to find. What it throws is thrown by the call, and no key is added.
     *
     * @param <K> the type of the keys
     * @param limitsOf returns the limits of a key: none of them null, at most 1000. Without limits a key is granted
     *     everything
     * @return a new limiter
     */
    public static <K> KeyedLimiter<K> of(Function<? super K, ? extends List<Limit>> limitsOf) {
        return new KeyedLimiter<>(new Keys<>(null, requireNonNull(limitsOf, "limitsOf")));
    }

    /**
     * Returns the limiter of {@code key}. Cheap: make it for each call, or keep it, which keeps no entry alive. Keys
     * are compared by {@code equals}, as in any map, and must not change; so an array is no key. {@code equals} and
     * {@code hashCode} must not use a limiter.
     *
     * <p>A call that acquires permits or tries to, that records or that closes, adds an entry if there is none, and
     * reads do not. The limiters of equal keys of the same {@code KeyedLimiter} are equal.
     *
     * @param key the key
     * @return a view of this limiter
     */
    public Limiter forKey(K key) {
        return new KeyLimiter<>(keys, requireNonNull(key, "key"));
    }

    /** {@return the number of keys that have an entry, some of which may be idle; useful as a gauge} */
    public int size() {
        return keys.map().size();
    }

    /**
     * Evicts every key that is idle at {@code nanos}, or at the eviction time if that is later, unless its latest time
     * is later still: to release memory when no new keys are added. O(number of entries).
     *
     * @param nanos the current time
     */
    public void evictIdle(long nanos) {
        keys.map().evictIdle(nanos);
    }

    /**
     * Removes all keys and the eviction time, at one instant. O(number of entries), but no call that begins after it
     * waits.
     */
    public void clear() {
        keys.clear();
    }

    /**
     * Removes {@code key} with all that counts for it: the next call finds it as new.
     *
     * @param key the key
     */
    public void remove(K key) {
        keys.map().remove(requireNonNull(key, "key"));
    }

    /**
     * Asks for the limits of {@code key} again, and sets them as {@link SlidingWindowLimiter#setLimits} does: what has
     * been granted counts, but not what was before the key was evicted. When this has returned, the key has, or gets,
     * limits that the function returned during or after this call.
     *
     * @param key the key
     */
    public void updateLimits(K key) {
        keys.updateLimits(requireNonNull(key, "key"));
    }

    /** Does {@link #updateLimits} for every key, one after another. If it throws, the keys before have been updated. */
    public void updateAllLimits() {
        keys.updateAllLimits();
    }

    /**
     * Writes the keys, what has been granted to each, and the eviction time to {@code out} in a compact binary form. A
     * key takes its own bytes and at most 24 right after three grants of one permit within a second, if none has a
     * delay. Limits and reservations are not written.
     *
     * <p>The limiter serves meanwhile: the keys are written one after another, each as of one instant, with no lock
     * held. What was acquired before this call is included, unless it has expired; what is acquired meanwhile may be,
     * and permits acquired {@linkplain Limiter#allOf together} for several keys may be included for some of them only.
     * {@code out} should be buffered.
     *
     * @param out the output
     * @param keys writes a key; called without any lock held
     * @throws IOException if {@code out} or {@code keys} throws it
     */
    public void writeTo(DataOutput out, KeyWriter<? super K> keys) throws IOException {
        requireNonNull(out, "out");
        requireNonNull(keys, "keys");
        KeyedForm.write(this.keys.map(), out, keys);
    }

    /**
     * Reads what {@link #writeTo} has written. Every time is {@code shiftNanos} later: with the same limits, a later
     * call at {@code nanos + shiftNanos} returns what it would have returned on the original at {@code nanos}. Other
     * limits count the grants within their intervals that had not expired for the original.
     *
     * <p>Reads exactly the bytes that were written, if {@code keys} does; {@code in} should be buffered. Allocates
     * memory in proportion to the bytes read.
     *
     * @param <K> the type of the keys
     * @param in the input
     * @param keys reads a key
     * @param shiftNanos the time of the reader's clock less that of the original's at the same moment; may overflow
     * @param limitsOf returns the limits of a key, now and later, as for {@link #of(Function)}
     * @return a new limiter
     * @throws java.io.EOFException if {@code in} ends too early
     * @throws java.io.StreamCorruptedException if the input is malformed, or of a later version; the message says why
     * @throws IOException if {@code in} or {@code keys} throws it
     */
    public static <K> KeyedLimiter<K> readFrom(
            DataInput in,
            KeyReader<? extends K> keys,
            long shiftNanos,
            Function<? super K, ? extends List<Limit>> limitsOf)
            throws IOException {
        KeyedLimiter<K> limiter = of(limitsOf);
        requireNonNull(in, "in");
        requireNonNull(keys, "keys");
        KeyedForm.readInto(limiter.keys, in, keys, shiftNanos);
        return limiter;
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
        return keys.toString();
    }
}
