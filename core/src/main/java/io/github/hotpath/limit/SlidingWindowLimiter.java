package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * An exact, thread-safe sliding-window rate limiter: it grants at most the permits of each {@link Limit} in every time
 * span of the limit's interval, wherever the span begins. Several limits apply all or nothing, and a call acquires any
 * number of permits.
 *
 * <pre>{@code
 * SlidingWindowLimiter limiter = SlidingWindowLimiter.of(
 *         Limit.of(60, Duration.ofMinutes(1)), Limit.of(1000, Duration.ofHours(1)));
 *
 * if (!limiter.tryAcquire(System.nanoTime(), 1)) {
 *     refuse();
 * }
 * }</pre>
 *
 * <p>or, to tell a refused caller when to come back:
 *
 * <pre>{@code
 * long waitNanos = limiter.tryAcquireOrDelay(System.nanoTime(), 1);   // 0 if granted
 * if (waitNanos > 0) {
 *     retryAfter(waitNanos);
 * }
 * }</pre>
 *
 * <p>{@link #reserve} grants permits at a later time, their <i>slot</i>, and {@link #decide} tells what is left of each
 * limit. To wait for permits, take a {@link BlockingLimiter}.
 *
 * <p><b>Exact.</b> The limiter keeps the time of every grant: there are no buckets, no refill, and no bursts of twice
 * the limit. The window is closed at both ends: permits exactly as old as the interval still count. Refused requests do
 * not. Two methods may exceed a limit: {@link #record}, and {@link Reservation#adjustTo} with more permits than were
 * reserved.
 *
 * <p><b>Time.</b> Pass the current time to every call, in nanoseconds of one clock, usually {@link System#nanoTime()}.
 * Times may have any origin, be negative and overflow, and must be within 2<sup>61</sup> ns (73 years) of each other.
 * The <i>latest time</i> is the latest one passed to a granted call, to {@link #record} or to {@link Limiter#closeFor}.
 * It never moves back, and refused requests and reads do not change it. A request at an earlier time is evaluated, and
 * its permits count, at the latest time. After one too far in the future, nothing expires until {@link #clear}.
 *
 * <p><b>Cost.</b> While a limit is exhausted or a slot is {@linkplain #reserve pending}, {@link #tryAcquire} of any
 * number of permits and {@link #tryAcquireOrDelay} of one permit refuse without a lock, for little more than reading
 * the clock costs. So does {@code tryAcquire} of as many permits as were refused last, until they can be granted. A
 * grant is amortized O(number of limits), however many permits are in the windows and slots pending; a refusal with the
 * lock, a delay and a read take O(log n) steps for each limit, where n is the number of grants that have not expired; a
 * correction O(k) for k later ones. In steady traffic {@code tryAcquire} and {@code tryAcquireOrDelay} allocate
 * nothing. A grant of one permit takes 8 bytes until it has expired for every limit; with other grants 16 or 24.
 * Refused and cancelled requests keep nothing.
 *
 * <p><b>Thread-safe and linearizable.</b> Every call takes effect at one instant between its invocation and its return.
 * Waiting for the lock is not interruptible, and not fair.
 *
 * @see KeyedLimiter
 * @see Limiter#allOf
 */
public final class SlidingWindowLimiter extends Gate implements Limiter {
    SlidingWindowLimiter(SlidingLog log) {
        super(log);
    }

    /**
     * Returns a new limiter with no permits acquired, under one or more limits, all of which apply.
     *
     * @param first a limit
     * @param more the other limits; the array is copied
     * @return a new limiter
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public static SlidingWindowLimiter of(Limit first, Limit... more) {
        return of(List.of(Arguments.array(first, more, Limit[]::new)));
    }

    /**
     * Returns what {@link #of(Limit, Limit...)} does for the elements of a list. Without limits it grants everything
     * and counts nothing, unless limits are set later.
     *
     * @param limits zero or more; the list is copied
     * @return a new limiter
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public static SlidingWindowLimiter of(List<Limit> limits) {
        return new SlidingWindowLimiter(new SlidingLog(checked(limits)));
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return !log.refuses(nanos, permits) && acquire(nanos, permits) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        long known = log.knownDelay(nanos, permits);
        return known != 0 ? known : acquire(nanos, permits);
    }

    /**
     * Resets the limiter to its initial state: removes all permits, slots and the latest time.
     */
    public void clear() {
        locked(log -> {
            log.clear();
            return null;
        });
    }

    /**
     * Writes the state of the limiter, including its limits, to {@code out} in a compact binary form, usually 1 to 4
     * bytes per grant of one permit. Equal states are written as equal bytes. The state is that of one instant: a copy,
     * of up to 24 bytes per grant, is made under the lock and written after its release.
     *
     * @param out the output
     * @throws IOException if {@code out} throws it
     */
    public void writeTo(DataOutput out) throws IOException {
        requireNonNull(out, "out");
        LimiterForm.write(locked(SlidingLog::state), out);
    }

    /**
     * Reads a limiter as {@link #readFrom(DataInput, long)} does, without a shift.
     *
     * @param in the input
     * @return a new limiter
     * @throws IOException in the same cases
     */
    public static SlidingWindowLimiter readFrom(DataInput in) throws IOException {
        return readFrom(in, 0);
    }

    /**
     * Reads a limiter written by {@link #writeTo}, perhaps with another clock. Every time is {@code shiftNanos} later,
     * so a later call at {@code nanos + shiftNanos} returns what the original would have returned at {@code nanos}. The
     * {@link Reservation}s of the original do not adjust the copy. Reads exactly the bytes that were written; {@code
     * in} should be buffered. Allocates memory in proportion to the bytes read, up to 64 bytes for each. If the input
     * is not trusted, bound its length, and check the {@link #limits} of the result.
     *
     * @param in the input
     * @param shiftNanos the time of the reader's clock less that of the writer's at the same moment; may overflow
     * @return a new limiter
     * @throws java.io.EOFException if {@code in} ends too early
     * @throws java.io.StreamCorruptedException if the input is malformed, or of a later version; the message says why
     * @throws IOException if {@code in} throws it
     */
    public static SlidingWindowLimiter readFrom(DataInput in, long shiftNanos) throws IOException {
        return new SlidingWindowLimiter(new SlidingLog(LimiterForm.read(in, shiftNanos)));
    }

    /**
     * Replaces the limits, for every call from now on. The new ones count every grant that counts toward one of the old
     * ones at the latest time: a lower limit refuses until that fits; a longer interval is exact as soon as it does not
     * reach further back than the longest old one did at the change. Slots that have been granted do not move.
     *
     * @param first a limit
     * @param more the other limits; the array is copied
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public void setLimits(Limit first, Limit... more) {
        setLimits(List.of(Arguments.array(first, more, Limit[]::new)));
    }

    /**
     * Replaces the limits as {@link #setLimits(Limit, Limit...)} does.
     *
     * @param limits zero or more, all of which apply; the list is copied
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public void setLimits(List<Limit> limits) {
        List<Limit> checked = checked(limits);
        locked(log -> {
            log.setLimits(checked);
            return null;
        });
    }

    /** {@return the limits, in the order given} */
    public List<Limit> limits() {
        return locked(SlidingLog::limits);
    }

    /** Returns a string with the limits and the permits available at the latest time. */
    @Override
    public String toString() {
        Map.Entry<List<Limit>, Long> seen = locked(log -> Map.entry(log.limits(), log.available(log.latest())));
        return "SlidingWindowLimiter[limits=" + seen.getKey() + ", available=" + seen.getValue() + "]";
    }
}
