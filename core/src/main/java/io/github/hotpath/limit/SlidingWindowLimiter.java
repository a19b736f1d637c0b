package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An exact, thread-safe sliding-window rate limiter: it grants at most the permits of each {@link Limit} in every time
 * span of the limit's interval, wherever the span begins. It applies several limits at once, all or nothing, and
 * acquires any number of permits per call. It can also {@linkplain #reserve reserve} permits ahead of time, and
 * {@linkplain Reservation#adjustTo adjust} a reservation to the permits used. No method waits for permits; {@link
 * #tryAcquireOrDelay} returns the time to wait.
 *
 * <pre>{@code
 * SlidingWindowLimiter limiter = SlidingWindowLimiter.of(
 *         Limit.of(60, Duration.ofMinutes(1)), Limit.of(1000, Duration.ofHours(1)));
 * if (!limiter.tryAcquire(System.nanoTime(), 1)) {
 *     refuse();
 * }
 * }</pre>
 *
 * <p><b>Exact.</b> The limiter retains the time of every grant, to the nanosecond, until it has expired for every
 * limit. There are no buckets, no refill, and no bursts of twice the limit. The window is closed at both ends: permits
 * exactly as old as the interval still count. Refused requests do not count. Only {@link Reservation#adjustTo} with
 * more permits than were reserved may exceed a limit.
 *
 * <p><b>Cost.</b> While a limit is exhausted or a slot is {@linkplain #reserve pending}, {@link #tryAcquire} of any
 * number of permits and {@link #tryAcquireOrDelay} of one permit refuse without a lock, which costs little more than
 * reading the clock. Other calls acquire a lock. A grant is amortized O(number of limits), independent of the number of
 * permits in the windows and of pending slots. In steady traffic {@code tryAcquire} and {@code tryAcquireOrDelay}
 * allocate nothing. A delay takes one step per 1024 of the grants that must expire first, and at most 2048 steps more
 * for each limit.
 *
 * <p><b>Memory.</b> Grants at the same time share an entry. An entry takes 8 bytes if each has one permit, otherwise
 * 16, or 24 if a per-call limit applies and grants share an entry. The number of grants is at most what the limits
 * allow in the longest interval, plus the pending reservations; only the {@code maxDelay} passed to {@link #reserve}
 * bounds these. Refused requests retain nothing. Memory of expired permits is released by later calls.
 *
 * <p><b>Time.</b> The caller passes in every time, in nanoseconds of one clock of its choice, usually {@link
 * System#nanoTime()}. Times may have any origin, may be negative, and may overflow: {@code a} is later than {@code b}
 * when {@code a - b > 0}. The <i>latest time</i> is the latest of the times passed to granted calls since the limiter
 * was created or cleared. It never moves back; refused requests and reads do not change it. A request at an earlier
 * time is evaluated, and its permits count, at the latest time. After a single grant at a time too far in the future,
 * nothing expires until the clock catches up, and once the limits are exhausted every request is refused; call {@link
 * #clear} to recover. Times in another unit, such as those of {@link System#currentTimeMillis()}, are not detected.
 *
 * <p><b>Thread-safe and linearizable.</b> Every call takes effect at one instant between its invocation and its return,
 * as if the calls of all threads were made one after another. The lock is unfair: under constant contention a thread
 * may wait for milliseconds. Waiting is not interruptible; the interrupt status is preserved. Before JDK 24 a virtual
 * thread that waits pins its carrier. If a call throws an error, such as a {@link StackOverflowError} or an {@link
 * OutOfMemoryError}, the lock is released and no limit is exceeded.
 */
public final class SlidingWindowLimiter {
    /*
     * Every access to the ledger holds its lock. An exception handler releases it by an assignment, which cannot fail
     * as a call can when the stack overflows. If such an error leaves derived values of the ledger inconsistent, the
     * next call repairs them.
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
     * before it. Others take the lock.
     *
     * HotSpot can replace an object that does not escape by its fields. If memory ends while it leaves such code, and
     * has to create the object after all, it drops the frames without running their handlers, and the lock stays held.
     * So no such object is alive with the lock held: a call that is made with it is stored in a tally meanwhile, and
     * with it all that it refers to and returns.
     */

    /** Requests may be granted. */
    private static final int OPEN = Ledger.OPEN;

    /** Requests before {@link #closedBefore} are refused. */
    private static final int CLOSED = Ledger.CLOSED;

    /** Every request is refused: a single permit would be granted 2^63 ns after the latest time or more. */
    private static final int CLOSED_FOR_EVER = 2;

    private static final LockedCall AVAILABLE = Ledger::available;
    private static final LockedCall IS_IDLE = (ledger, nanos) -> ledger.isIdle(nanos) ? 1 : 0;

    /** Its own lock, which guards it. */
    private final Ledger ledger;

    private volatile int state;

    /** The slot of a single permit, if that is valid. Written before {@link #state}, read after it. */
    private volatile long closedBefore;

    /**
     * Whether nothing is granted any more, because a {@link KeyedLimiter} has evicted this. Guarded by the lock. Then
     * the log is closed, and stays so.
     */
    private boolean retired;

    private SlidingWindowLimiter(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Creates a limiter with limits that have been checked, which it does not keep. */
    SlidingWindowLimiter(Limit[] limits) {
        this(Ledger.of(limits));
    }

    /**
     * Returns a new limiter with no permits acquired.
     *
     * @param limits one or more limits, all of which apply; the array is copied
     * @return a new limiter
     * @throws NullPointerException if {@code limits} or one of them is null
     * @throws IllegalArgumentException if {@code limits} is empty
     */
    public static SlidingWindowLimiter of(Limit... limits) {
        Limit[] copy = requireNonNull(limits, "limits").clone();
        if (copy.length == 0) {
            throw Arguments.rejected("limits", "[]", "one or more");
        }
        for (int i = 0; i < copy.length; i++) {
            requireNonNull(copy[i], "limits[" + i + "]");
        }
        return new SlidingWindowLimiter(copy);
    }

    /**
     * Acquires {@code permits} immediately if every limit allows it and no slot is {@linkplain #reserve pending};
     * otherwise changes nothing. A request for more permits than a limit allows is always refused. A request earlier
     * than the latest time is evaluated at the latest time.
     *
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return {@code true} if the permits were acquired
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        int seen = state;
        if (seen != OPEN && (seen == CLOSED_FOR_EVER || nanos - closedBefore < 0)) {
            return false;
        }
        return acquire(nanos, permits, false) == 0;
    }

    /**
     * Acquires {@code permits} immediately if every limit allows it and no slot is {@linkplain #reserve pending};
     * otherwise changes nothing and returns the delay until they would be available, for example for a {@code
     * Retry-After} header. The refusal and the delay are one atomic operation, which reserves nothing: another call may
     * acquire the permits first.
     *
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the delay in nanoseconds: the least {@code d} such that an
     *     attempt at {@code nanos + d} succeeds if nothing else is acquired until then (one nanosecond earlier it is
     *     refused), or {@link Long#MAX_VALUE} if no attempt ever succeeds or the delay does not fit a {@code long}
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
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
        return acquire(nanos, permits, true);
    }

    /** Acquires permits and returns 0, or returns the delay, if that is wanted, or -1; always -1 if it is retired. */
    private long acquire(long nanos, int permits, boolean wantsDelay) {
        Ledger ledger = this.ledger;
        if (!ledger.tryLock(PolledLock.ALONE)) {
            ledger.lock(PolledLock.ALONE, ledger);
        }
        try {
            long answer = 0;
            if (state != OPEN || !ledger.acquireIfOpen(nanos, permits)) {
                answer = acquireLocked(nanos, permits, wantsDelay);
            }
            ledger.unlock();
            return answer;
        } catch (Throwable e) {
            state = OPEN; // stores alone: after a stack overflow a call could overflow again
            ledger.broken = true;
            ledger.stop = Ledger.CLOSED_LOG;
            ledger.holder = PolledLock.FREE;
            throw e;
        }
    }

    /** The same where the windows have to be moved, or something has to be published. */
    private long acquireLocked(long nanos, int permits, boolean wantsDelay) {
        if (retired) {
            return -1;
        }
        int result = ledger.acquire(nanos, permits);
        if (result == Ledger.REFUSED) {
            return wantsDelay ? ledger.delay(nanos, permits) : -1;
        }
        if (result != state || result != OPEN) {
            publish();
        }
        return 0;
    }

    /**
     * Acquires {@code permits} at the earliest time that every limit allows, their <i>slot</i>, which may be in the
     * future; or acquires nothing if the slot is more than {@code maxDelay} away. Returns immediately: the caller waits
     * for {@link Reservation#delayNanos} and then uses the permits, which count at their slot.
     *
     * <p>A slot is <i>pending</i> for every call at an earlier time: {@link #tryAcquire} is then refused, and {@code
     * reserve} grants the same slot or a later one, even if permits are available. So slots are granted in order, and
     * requests for many permits are not starved by requests for few. Cancelling a reservation releases its permits, but
     * its slot stays pending.
     *
     * @param nanos the time of the call
     * @param permits at least 1
     * @param maxDelay zero or more: the maximum delay of the slot from {@code nanos}, or from the latest time if that
     *     is later. More than {@link Long#MAX_VALUE} nanoseconds are treated as that many. A slot {@link
     *     Long#MAX_VALUE} nanoseconds or more after {@code nanos} is never granted
     * @return the reservation, granted or refused
     * @throws NullPointerException if {@code maxDelay} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1, or {@code maxDelay} is negative
     */
    public Reservation reserve(long nanos, int permits, Duration maxDelay) {
        Arguments.checkAtLeast(1, permits, "permits");
        long maxDelayNanos = Arguments.saturatedNanos(maxDelay, "maxDelay");
        return locked(ledger -> retired
                ? new Reservation(this, Long.MAX_VALUE, 0, 0, 0)
                : ledger.reserve(this, nanos, permits, maxDelayNanos));
    }

    /** Implements {@link Reservation#adjustTo}. */
    boolean adjust(Reservation reservation, int permits) {
        return locked(ledger -> !retired && ledger.adjust(reservation, permits));
    }

    /**
     * Returns the number of permits that {@link #tryAcquire} would grant at {@code nanos}, or at the latest time if
     * that is later. Changes nothing.
     *
     * @param nanos the time to evaluate at
     * @return the maximum number of permits that one call would be granted; {@link Long#MAX_VALUE} if only per-call
     *     limits apply and at least one call is left; 0 while a slot is pending
     */
    public long available(long nanos) {
        return locked(AVAILABLE, nanos);
    }

    /**
     * Returns whether nothing counts toward any limit at {@code nanos}, or at the latest time if that is later, and no
     * slot is pending. An idle limiter can be discarded and recreated without observable effect for calls that are not
     * earlier than {@code nanos}. Changes nothing.
     *
     * @param nanos the time to evaluate at
     * @return {@code true} if the limiter is idle
     */
    public boolean isIdle(long nanos) {
        return locked(IS_IDLE, nanos) == 1;
    }

    /**
     * Resets the limiter to its initial state: removes all permits, slots and the latest time. Reservations made before
     * can no longer be adjusted or cancelled.
     */
    public void clear() {
        locked(ledger -> {
            ledger.reset();
            return ledger;
        });
    }

    /**
     * Writes the state of the limiter, including its limits, to {@code out} in a compact binary form, usually 1 to 4
     * bytes per grant of one permit, for files, checkpoints, caches and messages. Equal states are written as equal
     * bytes. Does not change the limiter. The project's {@code docs/semantics.md} specifies the form. The state is that
     * of one instant: a copy, of 16 bytes per grant or 24 if a per-call limit applies, is made under the lock and
     * written after its release.
     *
     * <p>The times are written unchanged, so a reader has to use the same clock. Times of {@link System#nanoTime()}
     * have no meaning in another JVM.
     *
     * @param out the output
     * @throws IOException if {@code out} throws it
     * @throws NullPointerException if {@code out} is null
     * @throws OutOfMemoryError if there are more grants than an array can hold
     */
    public void writeTo(DataOutput out) throws IOException {
        requireNonNull(out, "out");
        CompactForm.write(locked(Ledger::state), out);
    }

    /**
     * Reads a limiter written by {@link #writeTo}. It has the same limits, and every later call returns what it would
     * have returned on the original: the latest time, pending slots and the last slot granted, even if it was
     * cancelled, are the same. A {@link Reservation} of the original does not adjust the copy. Reads exactly the bytes
     * that were written. Allocates memory in proportion to the bytes read, not to the number of limits and grants that
     * the input declares.
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
        SlidingWindowLimiter limiter = new SlidingWindowLimiter(CompactForm.read(in));
        limiter.locked(ledger -> ledger); // publishes until when requests are refused
        return limiter;
    }

    /** {@return the limits, in the order given} */
    public List<Limit> limits() {
        return ledger.limits();
    }

    /** Returns a string with the limits and the permits available at the latest time. */
    @Override
    public String toString() {
        long available = locked(ledger -> ledger.available(ledger.latest()));
        return "SlidingWindowLimiter[limits=" + limits() + ", available=" + available + "]";
    }

    /** Sets the latest time. Nothing has been acquired yet, and no other thread references the limiter. */
    void startAt(long nanos) {
        ledger.startAt(nanos);
    }

    /**
     * Retires the limiter if it is idle at {@code nanos} and its latest time is not later, and then returns {@code
     * true}. The eviction time is raised before.
     */
    boolean retireIfIdle(long nanos, EvictionTime evictionTime) {
        return locked(ledger -> {
            if (retired || !ledger.isIdleSince(nanos)) {
                return false;
            }
            evictionTime.raiseTo(nanos);
            retired = true;
            return true;
        });
    }

    /** Retires the limiter, idle or not. */
    void retire() {
        locked(ledger -> {
            ledger.settle();
            retired = true;
            return ledger;
        });
    }

    /**
     * Returns whether a request, or a reservation, may have been refused for the limiter being retired. Without the
     * lock: a thread that was refused for that has seen it under the lock.
     */
    boolean isRetired() {
        return retired;
    }

    /** Returns whether a call holds the lock at this moment. */
    boolean isInUse() {
        return ledger.holder != PolledLock.FREE;
    }

    /** A call that needs the lock and returns a number. */
    private interface LockedCall {
        long on(Ledger ledger, long nanos);
    }

    /** The same with any result. */
    private static final class WithResult<T> implements LockedCall {
        private final Function<Ledger, T> call;
        private @Nullable T result;

        WithResult(Function<Ledger, T> call) {
            this.call = call;
        }

        @Override
        public long on(Ledger ledger, long unused) {
            result = call.apply(ledger);
            return 0;
        }
    }

    private <T> T locked(Function<Ledger, T> call) {
        WithResult<T> withResult = new WithResult<>(call);
        locked(withResult, 0);
        return requireNonNull(withResult.result);
    }

    /** Runs {@code call} with the lock held, and publishes its changes. Allocates nothing. */
    private long locked(LockedCall call, long nanos) {
        Ledger ledger = this.ledger;
        if (!ledger.tryLock(PolledLock.ALONE)) {
            ledger.lock(PolledLock.ALONE, ledger);
        }
        try {
            ledger.first.call = call;
            long result = call.on(ledger, nanos);
            publish();
            ledger.first.call = null;
            ledger.unlock();
            return result;
        } catch (Throwable e) {
            ledger.first.call = null;
            state = OPEN; // stores alone: after a stack overflow a call could overflow again
            ledger.broken = true;
            ledger.stop = Ledger.CLOSED_LOG;
            ledger.holder = PolledLock.FREE;
            throw e;
        }
    }

    /** Publishes until when a single permit is refused, after the ledger has changed. */
    private void publish() {
        long wait = ledger.waitForOne();
        int next = wait == 0 ? OPEN : wait < 0 ? CLOSED_FOR_EVER : CLOSED;
        if (next == CLOSED) {
            closedBefore = ledger.latest() + wait;
        }
        if (next != state) {
            state = next;
        }
    }

    /** Throws if an invariant does not hold; for tests. */
    void checkInvariants() {
        locked(ledger -> {
            boolean broken = ledger.broken;
            ledger.checkInvariants();
            long wait = ledger.waitForOne();
            boolean right = wait == 0
                    ? state == OPEN
                    : wait < 0 ? state == CLOSED_FOR_EVER : state == CLOSED && closedBefore == ledger.latest() + wait;
            if (!right && !(broken && state == OPEN)) {
                throw new AssertionError("refuses what it should not, or not what it should");
            }
            return ledger;
        });
    }
}
