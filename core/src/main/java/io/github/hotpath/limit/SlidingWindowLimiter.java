package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An exact, thread-safe sliding-window rate limiter: it grants at most the permits of each {@link Limit} in every time
 * span of the limit's interval, wherever the span begins. It applies several limits at once, all or nothing, and
 * acquires any number of permits per call.
 *
 * <pre>{@code
 * SlidingWindowLimiter limiter = SlidingWindowLimiter.of(
 *         Limit.of(60, Duration.ofMinutes(1)), Limit.of(1000, Duration.ofHours(1)));
 *
 * if (!limiter.tryAcquire(System.nanoTime(), 1)) {
 *     refuse();
 * }
 *
 * long waitNanos = limiter.tryAcquireOrDelay(System.nanoTime(), 1);   // 0 if granted
 * if (waitNanos > 0) {
 *     retryAfter(waitNanos);
 * }
 * }</pre>
 *
 * <p>{@link #tryAcquire} and {@link #tryAcquireOrDelay} grant now or not at all. {@link #reserve} grants permits ahead
 * of time, at a later time that is called their <i>slot</i>; such a reservation can be {@linkplain Reservation#adjustTo
 * adjusted} to the permits used. {@link #decide} tells what is left of each limit. No method waits for permits: that is
 * what {@link BlockingLimiter} is for.
 *
 * <p><b>Exact.</b> The limiter retains the time of every grant, to the nanosecond, until it has expired for every
 * limit. There are no buckets, no refill, and no bursts of twice the limit. The window is closed at both ends: permits
 * exactly as old as the interval still count. Refused requests do not count. Two methods may exceed a limit, and then
 * delay later requests: {@link #record}, and {@link Reservation#adjustTo} with more permits than were reserved.
 *
 * <p><b>Time.</b> Pass the current time to every call, in nanoseconds of one clock, usually {@link System#nanoTime()}.
 * Times may have any origin, may be negative, and may overflow: {@code a} is later than {@code b} when {@code a - b >
 * 0}. The <i>latest time</i> is the latest of the times passed to granted calls, to {@link #record} or to {@link
 * #closeFor}, since the limiter was created or cleared. It never moves back; refused requests and reads do not change
 * it. A request at an earlier time is evaluated, and its permits count, at the latest time.
 *
 * <p>Times in another unit, such as those of {@link System#currentTimeMillis()}, are not detected. After a single grant
 * at a time too far in the future, nothing expires until the clock catches up; call {@link #clear} to recover.
 *
 * <p><b>Thread-safe and linearizable.</b> Every call takes effect at one instant between its invocation and its return,
 * as if the calls of all threads were made one after another. Threads that wait for the lock spin for a short time, and
 * then park for short times that double. After an error such as an {@link OutOfMemoryError} or {@link
 * StackOverflowError}, no lock is held; the call that threw it may have taken effect or not.
 *
 * <p><b>Cost.</b> While a limit is exhausted or a slot is {@linkplain #reserve pending}, {@link #tryAcquire} of any
 * number of permits and {@link #tryAcquireOrDelay} of one permit refuse without a lock, which costs little more than
 * reading the clock. Other calls acquire a lock. A grant is amortized O(number of limits), independent of the number of
 * permits in the windows and of pending slots. A refusal with the lock, a delay and a read take O(log n) steps for each
 * limit, where n is the number of grants that have not expired. In steady traffic {@code tryAcquire} and {@code
 * tryAcquireOrDelay} allocate nothing.
 *
 * <p><b>Memory.</b> A grant of one permit takes 8 bytes until it has expired for every limit; with other grants 16 or
 * 24. Grants at the same time share an entry. The number of grants is at most what the limits allow in the longest
 * interval, plus what {@link #record} adds, plus the pending reservations, which only the {@code maxDelay} passed to
 * {@link #reserve} bounds. Refused requests retain nothing. Memory of expired permits is released by later calls. At
 * most {@link Long#MAX_VALUE} permits count at a time: a request beyond is refused until enough of them have expired.
 *
 * @see KeyedLimiter
 * @see Limiter#allOf
 */
public final class SlidingWindowLimiter implements Limiter {
    /*
     * Every access to the log holds its lock. An exception handler releases it by an assignment, which cannot fail as a
     * call can when the stack overflows.
     *
     * Requests that must fail are refused without the lock, by two fields. While a limit is exhausted or a slot is
     * pending, a single permit is refused before some time, hence any request. No long means "at no time", since
     * times are compared by their difference; so another field tells whether the time is valid. A reader reads
     * that first and the time after it; a writer writes the time first. If the time read was written after the other
     * field was read, it is that of a call in progress or of a later one, after which the limiter was exhausted until
     * then; otherwise it was valid when the other field was read. Either way there was a moment during the call at
     * which the request had to be refused.
     *
     * The comparison with the time is by its difference to that of the request, which holds for requests up to 2^63 ns
     * before it. Others acquire the lock.
     *
     * HotSpot can replace an object that does not escape by its fields. If memory ends while it leaves such code, and
     * has to create the object after all, it drops the frames without running their handlers, and the lock stays held.
     * So each object that a call makes with the lock held is reachable from a field meanwhile.
     */

    /** Requests may be granted. */
    static final int OPEN = 0;

    /** Requests before {@link #closedBefore} are refused. */
    static final int CLOSED = 1;

    /** Every request is refused: a single permit would be granted 2^63 ns after the latest time or more. */
    static final int CLOSED_FOR_EVER = 2;

    /** Every call is refused, because a {@link KeyedLimiter} has evicted this. */
    static final int RETIRED = 3;

    /** A call has thrown an error: what has been published may not be right any more. */
    static final int UNKNOWN = 4;

    private static final LockedCall ACQUIRE = SlidingWindowLimiter::acquire;
    private static final LockedCall AVAILABLE = (limiter, nanos, unused) -> limiter.log.available(nanos);
    private static final LockedCall IS_IDLE = (limiter, nanos, unused) -> limiter.log.isIdle(nanos) ? 1 : 0;

    /** Its own lock, which guards it. */
    final SlidingLog log;

    /** One of the constants above. Written with the lock held. */
    volatile int state;

    /** The slot of a single permit, if the state is {@link #CLOSED}. Written before the state, read after it. */
    private volatile long closedBefore;

    /** The call that is made with the lock held, and with it the objects that it makes. Never read. */
    @Nullable
    Object inUse;

    private SlidingWindowLimiter(SlidingLog log) {
        this.log = log;
    }

    /** Creates a limiter with limits that have been checked. */
    SlidingWindowLimiter(List<Limit> limits) {
        this(new SlidingLog(limits));
        publish(); // a limit of 0 refuses every request
    }

    /**
     * Returns a new limiter with no permits acquired, under one or more limits, all of which apply.
     *
     * @param first a limit
     * @param more the other limits; the array is copied
     * @return a new limiter
     * @throws NullPointerException if {@code first}, {@code more} or one of its elements is null
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public static SlidingWindowLimiter of(Limit first, Limit... more) {
        return of(Elements.list(first, more));
    }

    /**
     * Returns a new limiter with no permits acquired, under several limits, all of which apply.
     *
     * @param limits the limits; the list is copied
     * @return a new limiter
     * @throws NullPointerException if {@code limits} or one of its elements is null
     * @throws IllegalArgumentException if {@code limits} is empty, or has more than 1000 elements
     */
    public static SlidingWindowLimiter of(List<Limit> limits) {
        return new SlidingWindowLimiter(checked(limits));
    }

    /** Returns a copy of the limits, if they are valid. */
    static List<Limit> checked(List<Limit> limits) {
        List<Limit> copy = Elements.copyOf(limits, "limits");
        if (copy.isEmpty()) {
            throw Arguments.rejected("limits", "[]", "one or more");
        }
        if (copy.size() > SlidingLog.MAX_LIMITS) {
            throw Arguments.rejected("limits", copy.size() + " limits", "at most " + SlidingLog.MAX_LIMITS);
        }
        return copy;
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return !refuses(nanos) && locked(ACQUIRE, nanos, permits) == 0;
    }

    /** Returns whether it is known without the lock that any request at {@code nanos} is refused. */
    boolean refuses(long nanos) {
        int seen = state;
        return seen == CLOSED ? nanos - closedBefore < 0 : seen == CLOSED_FOR_EVER;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        int seen = state;
        if (seen == CLOSED_FOR_EVER) {
            return Long.MAX_VALUE;
        }
        if (seen == CLOSED && permits == 1) {
            long ahead = nanos - closedBefore;
            if (ahead < 0) {
                return ahead == Long.MIN_VALUE ? Long.MAX_VALUE : -ahead;
            }
        }
        return locked(ACQUIRE, nanos, permits);
    }

    /** Acquires permits and returns 0, or returns the delay until an attempt succeeds. */
    private long acquire(long nanos, int permits) {
        long time = log.evaluatedAt(nanos);
        long wait = log.waitFor(permits, time);
        if (wait == 0) {
            publish(log.grant(time, time, permits));
        }
        return log.delay(nanos, time, wait);
    }

    @Override
    public long available(long nanos) {
        return locked(AVAILABLE, nanos, 0);
    }

    @Override
    public boolean isIdle(long nanos) {
        return locked(IS_IDLE, nanos, 0) == 1;
    }

    /**
     * Resets the limiter to its initial state: removes all permits, slots and the latest time. Reservations made before
     * can no longer be adjusted or cancelled.
     */
    public void clear() {
        lockedWithResult(unused -> {
            log.clear();
            return this;
        });
    }

    /**
     * Writes the state of the limiter, including its limits, to {@code out} in a compact binary form, usually 1 to 4
     * bytes per grant of one permit, for files, checkpoints, caches and messages. Equal states are written as equal
     * bytes. Does not change the limiter. The state is that of one instant: a copy, of 16 bytes per grant or 24 if a
     * per-call limit applies, is made under the lock and written after its release.
     *
     * <p>The times are written unchanged. Times of {@link System#nanoTime()} have no meaning in another JVM, so a
     * reader there has to {@linkplain #readFrom(DataInput, long) shift} them.
     *
     * @param out the output
     * @throws IOException if {@code out} throws it
     * @throws NullPointerException if {@code out} is null
     * @throws OutOfMemoryError if there are more grants than an array can hold
     */
    public void writeTo(DataOutput out) throws IOException {
        requireNonNull(out, "out");
        LimiterForm.write(copyState(), out);
    }

    /** Returns a copy of the state, made with the lock held. */
    LimiterState copyState() {
        return lockedWithResult(unused -> log.state());
    }

    /**
     * Reads a limiter written by {@link #writeTo}. It has the same limits, and every later call returns what it would
     * have returned on the original: the latest time, pending slots and the last slot granted, even if it was
     * cancelled, are the same. A {@link Reservation} of the original does not adjust the copy. Reads exactly the bytes
     * that were written. Allocates memory in proportion to the bytes read, not to the number of limits and grants that
     * the input declares: a grant takes a byte or more of the form, and up to 32 bytes while it is read. If the input
     * is not trusted, bound its length, and check the {@link #limits} of the result.
     *
     * @param in the input
     * @return a new limiter
     * @throws java.io.EOFException if {@code in} ends too early
     * @throws java.io.StreamCorruptedException if {@link #writeTo} cannot have written the input, or a later version of
     *     this library wrote it in a form that this version cannot read; the message names the reason
     * @throws IOException if {@code in} throws it
     * @throws NullPointerException if {@code in} is null
     */
    public static SlidingWindowLimiter readFrom(DataInput in) throws IOException {
        return readFrom(in, 0);
    }

    /**
     * Reads a limiter written by {@link #writeTo} with another clock. Every time is {@code shiftNanos} later, so a
     * later call at {@code nanos + shiftNanos} returns what the original would have returned at {@code nanos}.
     * Everything else is as for {@link #readFrom(DataInput)}.
     *
     * @param in the input
     * @param shiftNanos the time of the reader's clock less that of the writer's at the same moment; any value, and the
     *     sums may overflow as all times do
     * @return a new limiter
     * @throws java.io.EOFException if {@code in} ends too early
     * @throws java.io.StreamCorruptedException if {@link #writeTo} cannot have written the input, or a later version of
     *     this library wrote it in a form that this version cannot read; the message names the reason
     * @throws IOException if {@code in} throws it
     * @throws NullPointerException if {@code in} is null
     */
    public static SlidingWindowLimiter readFrom(DataInput in, long shiftNanos) throws IOException {
        SlidingWindowLimiter limiter = new SlidingWindowLimiter(LimiterForm.read(in, shiftNanos));
        limiter.lockedWithResult(unused -> limiter); // publishes until when requests are refused
        return limiter;
    }

    /**
     * Replaces the limits, for every call from now on. The new limits count every grant that counts toward one of the
     * old ones at the latest time. So a lower limit counts what was granted before, and refuses until that fits. A
     * longer interval is exact as soon as it does not reach further back than the longest old one did at the change. A
     * higher limit takes effect at once, but slots that have been granted do not move, and what is pending stays
     * pending.
     *
     * <p>A per-call limit that is set where there was none counts earlier grants as one call for each distinct time.
     * Reservations can be adjusted as before, except those that had expired for every limit at the change. O(n) in the
     * number n of grants if the first per-call limit is set or the last one is removed.
     *
     * @param first a limit
     * @param more the other limits; the array is copied
     * @throws NullPointerException if {@code first}, {@code more} or one of its elements is null
     * @throws IllegalArgumentException if there are more than 1000 limits
     */
    public void setLimits(Limit first, Limit... more) {
        setLimits(Elements.list(first, more));
    }

    /**
     * Replaces the limits, for every call from now on, as {@link #setLimits(Limit, Limit...)} does.
     *
     * @param limits the limits, all of which apply; the list is copied
     * @throws NullPointerException if {@code limits} or one of its elements is null
     * @throws IllegalArgumentException if {@code limits} is empty, or has more than 1000 elements
     */
    public void setLimits(List<Limit> limits) {
        setLimits(checked(limits), () -> true, () -> {});
    }

    /**
     * Replaces the limits, if they are valid still and this is not retired, and runs {@code onceSet}, with the lock
     * held; returns whether they are valid.
     */
    boolean setLimits(List<Limit> limits, BooleanSupplier areValid, Runnable onceSet) {
        return lockedWithResult(unused -> {
            boolean valid = areValid.getAsBoolean();
            if (valid && state != RETIRED) {
                log.setLimits(limits);
                onceSet.run();
            }
            return valid;
        });
    }

    /** {@return the limits, in the order given} */
    public List<Limit> limits() {
        return lockedWithResult(unused -> log.limits());
    }

    /** Returns a string with the limits and the permits available at the latest time. */
    @Override
    public String toString() {
        return lockedWithResult(unused ->
                "SlidingWindowLimiter[limits=" + log.limits() + ", available=" + log.available(log.latest()) + "]");
    }

    /**
     * Retires the limiter if it is idle at {@code nanos} and its latest time is not later, and then returns {@code
     * true}. The eviction time is raised before.
     */
    boolean retireIfIdle(long nanos, EvictionTime evictionTime) {
        return lockedWithResult(unused -> {
            if (state == RETIRED || !log.isIdleSince(nanos)) {
                return false;
            }
            evictionTime.raiseTo(nanos);
            state = RETIRED;
            return true;
        });
    }

    /** Retires the limiter, whatever counts. */
    void retire() {
        lockedWithResult(unused -> {
            state = RETIRED;
            return this;
        });
    }

    /** Returns whether a request, or a reservation, may have been refused for the limiter being retired. */
    boolean isRetired() {
        return state == RETIRED;
    }

    /** Returns whether a call holds the lock at this moment. */
    boolean isInUse() {
        return log.holder != PolledLock.FREE;
    }

    /** A call that needs the lock. */
    private interface LockedCall {
        long on(SlidingWindowLimiter limiter, long nanos, int permits);
    }

    /** A call that needs the lock, and what it returns. */
    private static final class WithResult<T> implements LockedCall {
        private final Function<WithResult<T>, T> call;

        @Nullable
        T value;

        WithResult(Function<WithResult<T>, T> call) {
            this.call = call;
        }

        @Override
        public long on(SlidingWindowLimiter unused, long nanos, int permits) {
            value = call.apply(this);
            return 0;
        }
    }

    private <T> T lockedWithResult(Function<WithResult<T>, T> call) {
        WithResult<T> withResult = new WithResult<>(call);
        locked(withResult, 0, 0);
        return requireNonNull(withResult.value);
    }

    /** Runs {@code call} with the lock held, and publishes its changes. Allocates nothing. */
    private long locked(LockedCall call, long nanos, int permits) {
        SlidingLog log = this.log;
        if (!log.tryLock(PolledLock.ALONE)) {
            log.lock(PolledLock.ALONE, log);
        }
        try {
            long result = 0;
            if (call == ACQUIRE && isAvailableByFar(nanos, permits)) {
                log.acquireByFar(nanos, permits);
            } else {
                result = run(call, nanos, permits);
            }
            log.unlock();
            return result;
        } catch (Throwable e) {
            inUse = null; // stores alone: after a stack overflow a call could overflow again
            state = state == RETIRED ? RETIRED : UNKNOWN;
            log.holder = PolledLock.FREE;
            throw e;
        }
    }

    private long run(LockedCall call, long nanos, int permits) {
        if (call == ACQUIRE) {
            long delay = state == RETIRED ? Long.MAX_VALUE : acquire(nanos, permits);
            if (state == UNKNOWN) {
                publish();
            }
            return delay;
        }
        inUse = call;
        long result = call.on(this, nanos, permits);
        publish();
        inUse = null;
        return result;
    }

    /** Returns whether permits can be acquired by far, after which there is nothing to publish. */
    boolean isAvailableByFar(long nanos, int permits) {
        return state == OPEN && log.isAvailableByFar(nanos, permits);
    }

    /** Takes back what has been published, before the log changes: until it is published again, requests wait. */
    void retract() {
        if (state == CLOSED || state == CLOSED_FOR_EVER) {
            state = UNKNOWN;
        }
    }

    /** Publishes until when a single permit is refused, after the log has changed. */
    void publish() {
        publish(log.waitForOne());
    }

    /** The same if it is known that a single permit can be granted so long after the latest time. */
    void publish(long wait) {
        int seen = state;
        if (seen == RETIRED) {
            return;
        }
        int next = wait == 0 ? OPEN : wait < 0 ? CLOSED_FOR_EVER : CLOSED;
        if (next == CLOSED) {
            closedBefore = log.latest() + wait;
        }
        if (next != seen) {
            state = next;
        }
    }

    /** Throws if an invariant does not hold; for tests. */
    void checkInvariants() {
        lockedWithResult(unused -> {
            log.checkInvariants();
            long wait = log.waitForOne();
            boolean right = wait == 0
                    ? state == OPEN
                    : wait < 0 ? state == CLOSED_FOR_EVER : state == CLOSED && closedBefore == log.latest() + wait;
            if (!right && state != RETIRED && state != UNKNOWN) {
                throw new AssertionError("refuses what it should not, or not what it should");
            }
            return this;
        });
    }
}
