package io.github.hotpath.window;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.Invariants;
import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.internal.StackReserve;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A thread-safe, exact sliding-window event counter: an {@link EventWindow} that threads share.
 *
 * <pre>{@code
 * ConcurrentEventWindow window = ConcurrentEventWindow.of(Duration.ofMinutes(1));
 * window.record(System.nanoTime());                      // from any thread
 * long inTheLastMinute = window.count(System.nanoTime());
 * }</pre>
 *
 * <p>{@link #record} returns nothing, because counting delays the records of other threads; {@link #recordAndCount}
 * returns the count. There is no {@code writeTo} and no {@code readFrom}. All other members are those of {@link
 * EventWindow}.
 *
 * <p><b>Thread-safe and linearizable:</b> every call takes effect at one instant between its invocation and its return,
 * as if all calls were made one after another on a single {@link EventWindow}. A read observes every record that
 * returned before the read began; if it observes a record, it also observes every record that returned before that one
 * began. {@link #tryRecord} never admits more than its limit, however many threads call it.
 *
 * <p><b>Time.</b> The rules are those of {@link EventWindow}. Threads may call in another order than that in which they
 * have read the clock: the count is still exact.
 *
 * <p><b>Cost.</b> Threads that contend in {@link #record} use different stripes, each a window with its own lock, up to
 * two per processor and 64 in all, so records seldom wait for each other. {@link #record} is amortized O(1) and
 * allocates nothing in steady traffic. Every other call locks all stripes, and delays records until it returns. How
 * threads wait for a lock, and what holds after an error such as an {@link OutOfMemoryError}, is in the project's
 * {@code docs/semantics.md}, <i>What happens inside the JVM</i>.
 *
 * <p><b>Memory.</b> A window used by one thread at a time has one stripe and takes a few hundred bytes; each further
 * stripe takes some 300 bytes, costs every read some 15 ns, and is never removed. Calls that lock all stripes release
 * the memory of expired events. Without such a call, the records of a stripe release its expired events at most an
 * interval later. Those of a stripe in which no thread records any more are released by the records of other threads,
 * within another two intervals. {@link #trim} also releases spare memory.
 */
public final class ConcurrentEventWindow {
    /*
     * The events are spread over stripes, each a window and its lock. A record locks one stripe and appends to its log;
     * expired events stay until the chunk is full or an interval has passed. It may use any stripe, since whether an
     * event is in the window is only decided by a read. Every other call locks all stripes, advances their windows to
     * the latest time of all, and adds up their results. These are then the results of one EventWindow: an event is in
     * the window if and only if it is at most the interval older than the latest time, for any order of arrival.
     *
     * A stripe in which no thread records any more is no call's own. So once an interval, a record that does not just
     * append evicts the expired events of all stripes that are unused. The lease of the first stripe, which no record
     * uses once there are others, tells when: every call that locks all stripes renews it, and so does that eviction.
     *
     * Times are compared by their difference, so "latest" means nothing among times that are spread over more than
     * 2^63. In one EventWindow each time is compared with the latest alone. Here each stripe's latest time stays within
     * 2^62 of a common origin: a time more than 2^61 away from it (73 years) is recorded with all stripes locked, and
     * the origin moves. From one check to the next a stripe advances by 2^50 at most.
     */

    /** A call that needs all stripes locked. */
    private interface LockedCall {
        long on(ConcurrentEventWindow window, long nanos, long argument);
    }

    private static final LockedCall RECORD = ConcurrentEventWindow::recordLocked;
    private static final LockedCall RECORD_AND_COUNT = ConcurrentEventWindow::recordAndCountLocked;
    private static final LockedCall TRY_RECORD = ConcurrentEventWindow::tryRecordLocked;
    private static final LockedCall COUNT = ConcurrentEventWindow::countLocked;
    private static final LockedCall NANOS_UNTIL_BELOW = ConcurrentEventWindow::nanosUntilBelowLocked;
    private static final LockedCall TRIM = ConcurrentEventWindow::trimLocked;
    private static final LockedCall CLEAR = ConcurrentEventWindow::clearLocked;

    /**
     * The other stripes; null while no two threads have contended. Assigned with all stripes locked. Each record reads
     * it, so it is the first reference: HotSpot places that in front, far from a stripe behind this object.
     */
    private volatile @Nullable StripeTable table;

    /** The first stripe, which is locked before any other. Once there are others, only calls that lock all use it. */
    private final Stripe base;

    /** Null until two threads contend. Set without a lock: a lost write is harmless. */
    private @Nullable StripeDemand demand;

    /** No stripe's latest time is 2^62 away from it. Changed, rarely, with all stripes locked; read with any. */
    private long origin;

    private ConcurrentEventWindow(long intervalNanos) {
        base = new Stripe(new EventWindow(intervalNanos));
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more; with zero, only events exactly at the time of a read are in the window
     * @return a new, empty window
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code interval} is negative or exceeds {@link Long#MAX_VALUE} nanoseconds
     */
    public static ConcurrentEventWindow of(Duration interval) {
        return new ConcurrentEventWindow(Arguments.nanos(interval, "interval"));
    }

    /**
     * Records an event at {@code nanos}. Unlike {@link EventWindow#record}, does not return the count, which requires
     * locking all stripes: see {@link #recordAndCount}.
     *
     * <p>An out-of-order event, earlier than the latest time, is inserted if it is still in the window at the latest
     * time, and ignored otherwise. Waits only for a call that uses the same stripe or locks all stripes.
     *
     * @param nanos the time of the event
     */
    public void record(long nanos) {
        Stripe stripe = stripe();
        if (!stripe.tryLock(PolledLock.ALONE)) {
            stripe = lockContended(stripe);
        }
        boolean recorded;
        try {
            recorded = stripe.append(nanos) || recordIn(stripe, nanos);
            stripe.unlock();
        } catch (Throwable e) {
            stripe.holder = PolledLock.FREE; // a store: after a stack overflow a call could overflow again
            throw e;
        }
        if (!recorded) {
            withAllLocked(RECORD, nanos, 0);
        }
    }

    /** Returns the stripe in which the current thread records. */
    Stripe stripe() {
        StripeTable table = this.table;
        return table == null ? base : table.of(Thread.currentThread().getId());
    }

    /** Records in a stripe's window; returns false, and has recorded nothing, if that needs all stripes locked. */
    private boolean recordIn(Stripe stripe, long nanos) {
        boolean near = recordNear(stripe, nanos) >= 0;
        if (near) {
            expireUnused(stripe.window.latest());
        }
        return near;
    }

    /** As {@link #recordIn}, in that stripe alone; returns how many events there are in it, or -1. */
    private long recordNear(Stripe stripe, long nanos) {
        EventWindow window = stripe.window;
        long before = window.latest();
        stripe.returnTail();
        long latest = window.latest();
        long count = -1;
        if (window.isStarted() && isNear(latest) && isNear(nanos)) {
            if (latest != before && nanos - latest < 0) { // a record that inserts evicts none, nor did the lease
                window.advance(latest);
            }
            count = window.record(nanos);
        }
        stripe.leaseTail();
        return count;
    }

    /**
     * Evicts what has expired at {@code nanos} in stripes that are unused. The caller holds the lock of its stripe, so
     * no {@link #clear} comes in between, and waits for no other lock.
     */
    private void expireUnused(long nanos) {
        if (base.isUnused(nanos) && base.tryLock(PolledLock.ALONE)) { // false if base is the caller's stripe
            try {
                for (Stripe stripe : others()) {
                    stripe.expireIfUnused(nanos);
                }
                base.expire(nanos);
                base.unlock();
            } catch (Throwable e) {
                base.holder = PolledLock.FREE;
                throw e;
            }
        }
    }

    private boolean isNear(long nanos) {
        return nanos - origin + (1L << 61) >>> 62 == 0;
    }

    /** Locks a stripe for a record that found {@code taken} locked. */
    private Stripe lockContended(Stripe taken) {
        boolean byRecord = taken.holder == PolledLock.ALONE;
        if (!taken.lock(PolledLock.ALONE, base) || !byRecord) {
            return taken;
        }
        taken.holder = PolledLock.FREE; // what follows may fail
        StripeDemand seen = demand;
        if (seen == null) {
            seen = new StripeDemand();
            demand = seen;
        }
        if (seen.shouldAddStripe()) {
            separate(taken);
        }
        Stripe stripe = stripe();
        if (!stripe.tryLock(PolledLock.ALONE)) {
            stripe.lock(PolledLock.ALONE, base);
        }
        return stripe;
    }

    /** Assigns another stripe than {@code taken} to the current thread: a new one, as long as there may be more. */
    void separate(Stripe taken) {
        long thread = Thread.currentThread().getId();
        StripeTable table = this.table;
        if (table != null && table.isComplete()) {
            table.moveToNext(thread, taken);
        } else {
            withAllLocked(
                    new LockedCall() { // a lambda that is first linked when memory is short would fail for ever
                        @Override
                        public long on(ConcurrentEventWindow window, long id, long unused) {
                            window.base.escape = this;
                            window.addStripe(id, taken);
                            window.base.escape = null;
                            return 0;
                        }
                    },
                    thread,
                    0);
        }
    }

    private void addStripe(long thread, Stripe taken) {
        StripeTable old = table;
        Stripe current = old == null ? base : old.of(thread);
        if (current == taken && (old == null || !old.isComplete())) { // unless other threads have been faster
            table = (old == null ? StripeTable.create(lockedStripe()) : old).with(lockedStripe(), thread);
        }
    }

    private Stripe lockedStripe() {
        EventWindow window = new EventWindow(base.window.intervalNanos());
        if (base.window.isStarted()) {
            window.advance(base.window.latest());
        }
        return new Stripe.Padded(window);
    }

    /** Records in the first stripe. */
    private long recordLocked(long nanos, long unused) {
        long inFirst = base.window.record(nanos);
        if (!isNear(base.window.latest())) {
            advanceAll();
        }
        return inFirst;
    }

    /**
     * Records an event at {@code nanos} and returns the number of events in the window at the latest time, as {@link
     * EventWindow#record} does. Takes less time than {@link #record} and {@link #count(long) count} together, and no
     * other call comes between the two. If the count is not needed at each event, {@code record} is faster.
     *
     * @param nanos the time of the event
     * @return the count at the latest time, at least 1 unless the event was ignored
     */
    public long recordAndCount(long nanos) {
        long count = table == null ? recordAndCountInFirst(nanos) : -1;
        return count >= 0 ? count : withAllLocked(RECORD_AND_COUNT, nanos, 0);
    }

    /**
     * Does the same if there is one stripe and the time is near, and otherwise returns -1 and has recorded nothing. Its
     * window's record advances it and returns the count, which saves a third of the time.
     */
    private long recordAndCountInFirst(long nanos) {
        base.lockFirst();
        long count = -1;
        try {
            if (table == null) { // still, and as long as this is locked
                count = recordNear(base, nanos);
            }
            if (count >= 0) {
                countCall();
            }
            base.unlock();
        } catch (Throwable e) {
            base.holder = PolledLock.FREE; // a store: after a stack overflow a call could overflow again
            throw e;
        }
        return count;
    }

    private long recordAndCountLocked(long nanos, long unused) {
        recordLocked(nanos, 0);
        return countWithin(base.window.intervalNanos(), base.window.latest());
    }

    /**
     * Returns the number of events in the window at {@code nanos}, or at the latest time if that is later. For each
     * stripe, O(1) if few events have expired since the latest time; otherwise O(n / 1024) for n events in the window.
     *
     * @param nanos the time of the read
     * @return the number of events that are at most the interval old at that time
     */
    public long count(long nanos) {
        return withAllLocked(COUNT, nanos, base.window.intervalNanos());
    }

    /**
     * Returns the number of events in a window of length {@code span} at {@code nanos}, or at the latest time if that
     * is later. O(n / 1024) for n events in the window.
     *
     * @param nanos the time of the read
     * @param span from zero to the window's interval
     * @return the number of events that are at most {@code span} old at that time
     * @throws NullPointerException if {@code span} is null
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long count(long nanos, Duration span) {
        return withAllLocked(COUNT, nanos, Arguments.nanosUpTo(base.window.intervalNanos(), span, "span"));
    }

    private long countLocked(long nanos, long maxAge) {
        return countWithin(maxAge, base.window.effective(nanos));
    }

    /** Returns how many events of all stripes are at most {@code maxAge} old at {@code nanos}. All are locked. */
    private long countWithin(long maxAge, long nanos) {
        long count = base.window.countWithin(maxAge, nanos);
        for (Stripe stripe : others()) {
            count += stripe.window.countWithin(maxAge, nanos);
        }
        return count;
    }

    /**
     * Records an event at {@code nanos} and returns {@code true} if fewer than {@code limit} events are in the window;
     * otherwise changes nothing and returns {@code false}. If all threads record by this method alone, with one limit,
     * no time span of length {@code interval} ever contains more events than that. Refused attempts do not count. An
     * attempt earlier than the latest time is evaluated and timestamped at the latest time.
     *
     * <p>Events recorded by {@link #record} count as well, and may exceed the limit. The cost is that of {@link
     * #count(long) count} and {@link #record}.
     *
     * @param nanos the time of the attempt
     * @param limit at least 1
     * @return {@code true} if the event was recorded
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public boolean tryRecord(long nanos, int limit) {
        Arguments.checkLimit(limit);
        return withAllLocked(TRY_RECORD, nanos, limit) > 0;
    }

    private long tryRecordLocked(long nanos, long limit) {
        long at = base.window.effective(nanos);
        if (countWithin(base.window.intervalNanos(), at) >= limit) {
            return 0;
        }
        recordLocked(at, 0);
        return 1;
    }

    /**
     * Returns the number of nanoseconds from {@code nanos} until fewer than {@code limit} events are in the window if
     * no more are recorded: 0 if there are fewer already, and {@link Long#MAX_VALUE} if the result does not fit a
     * {@code long}. Without another call in between, a {@link #tryRecord} that much later succeeds; one nanosecond
     * earlier it fails. After a refused {@code tryRecord} the result may be 0, because another thread may have advanced
     * the latest time. O(n / 1024 + s<sup>2</sup> log {@code limit}) for n events in s stripes.
     *
     * @param nanos the time from which the result is measured, even if it is earlier than the latest time
     * @param limit at least 1
     * @return the nanoseconds to wait, zero or more
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public long nanosUntilBelow(long nanos, int limit) {
        Arguments.checkLimit(limit);
        return withAllLockedForLong(NANOS_UNTIL_BELOW, nanos, limit);
    }

    private long nanosUntilBelowLocked(long nanos, long limit) {
        EventWindow window = base.window;
        if (table == null && !window.hasLate()) { // then it needs no RankSearch
            return window.nanosUntilBelow(nanos, (int) limit);
        }
        if (countWithin(window.intervalNanos(), window.effective(nanos)) < limit) {
            return 0;
        }
        RankSearch search = new RankSearch();
        base.escape = search;
        window.accept(search);
        for (Stripe stripe : others()) {
            stripe.window.accept(search);
        }
        long age = search.age(limit, window.latest());
        base.escape = null;
        return window.nanosUntilExpired(nanos, age);
    }

    /**
     * Advances the latest time to {@code nanos} if that is later, evicts expired events, and releases spare memory.
     * Stripes remain. Useful for a window that may not be used for some time.
     *
     * @param nanos the current time
     */
    public void trim(long nanos) {
        withAllLockedForLong(TRIM, nanos, 0);
    }

    private long trimLocked(long nanos, long unused) {
        base.window.trim(nanos);
        for (Stripe stripe : others()) {
            stripe.window.trim(nanos);
        }
        advanceAll();
        return 0;
    }

    /** Removes all events and the latest time, and releases their memory. Stripes remain. */
    public void clear() {
        withAllLockedForLong(CLEAR, 0, 0);
    }

    private long clearLocked(long unused, long unused2) {
        StackReserve.check(); // all or nothing
        for (Stripe stripe : others()) {
            stripe.window.clear();
        }
        base.window.clear();
        return 0;
    }

    /**
     * Returns the times of the events in the window at the latest time, oldest first. O(n log s) for n events in s
     * stripes. Other calls wait while the times are copied, but not while they are merged.
     *
     * @return a new array
     * @throws OutOfMemoryError if there are more events than an array can hold
     */
    public long[] toArray() {
        Copy copy = new Copy();
        long count = withAllLockedForLong(copy, 0, base.window.intervalNanos());
        return copy.merge.newest(count); // takes milliseconds for a million
    }

    /** Copies the times of all stripes, and returns how many of them are in the window. */
    private static final class Copy implements LockedCall {
        Merge merge = new Merge(0);

        @Override
        public long on(ConcurrentEventWindow window, long unused, long interval) {
            window.base.escape = this;
            EventWindow base = window.base.window;
            long size = base.size();
            for (Stripe stripe : window.others()) {
                size += stripe.window.size();
            }
            merge = new Merge(size);
            base.accept(merge);
            for (Stripe stripe : window.others()) {
                stripe.window.accept(merge);
            }
            window.base.escape = null;
            return window.countWithin(interval, base.latest());
        }
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return base.window.interval();
    }

    /** Returns a string with the interval and the count at the latest time. */
    @Override
    public String toString() {
        long count = withAllLocked(
                (window, unused, interval) -> window.countWithin(interval, window.base.window.latest()),
                0,
                base.window.intervalNanos());
        return "ConcurrentEventWindow[interval=" + interval() + ", count=" + count + "]";
    }

    /** Throws if an invariant does not hold; for tests. */
    void checkInvariants() {
        withAllLocked(
                (window, unused, unused2) -> {
                    Invariants.check(base.escape == null, "an object kept after the call that used it");
                    base.window.checkInvariants();
                    for (Stripe stripe : others()) {
                        stripe.window.checkInvariants();
                    }
                    return 0;
                },
                0,
                0);
    }

    /** Makes a call that may take long, and then wakes a thread that waits: its next poll may be far. */
    private long withAllLockedForLong(LockedCall call, long nanos, long argument) {
        long result = withAllLocked(call, nanos, argument);
        base.wake();
        return result;
    }

    /** Locks all stripes, advances them to one latest time, makes {@code call}, and releases the locks in any case. */
    private long withAllLocked(LockedCall call, long nanos, long argument) {
        base.lockFirst();
        long result;
        try {
            countCall();
            for (Stripe stripe : others()) {
                stripe.lockAfterFirst();
            }
            advanceAll();
            result = call.on(this, nanos, argument);
            base.leaseTail();
            for (Stripe stripe : others()) {
                stripe.leaseTail();
                stripe.unlockAfterAll();
            }
            base.holder = PolledLock.FREE; // the last to be released, and the last that can fail: see the handler
        } catch (Throwable e) {
            // Stores alone: after a stack overflow a call could overflow again. While the first stripe is locked no
            // other thread holds one for all, so those that are held so are held by this thread.
            StripeTable table = this.table;
            if (table != null) {
                for (Stripe stripe : table.stripes) {
                    if (stripe.holder == PolledLock.ALL) {
                        stripe.holder = PolledLock.FREE;
                    }
                }
            }
            base.escape = null;
            base.holder = PolledLock.FREE;
            throw e;
        }
        return result;
    }

    /** Counts a call that locks all stripes. */
    private void countCall() {
        StripeDemand seen = demand;
        if (seen != null) {
            seen.countCall();
        }
    }

    /** Returns the stripes but the first, not to be changed. */
    private Stripe[] others() {
        StripeTable table = this.table;
        return table == null ? StripeTable.NONE : table.stripes;
    }

    /** Ends all leases, and advances every window to the latest time of all. All stripes are locked. */
    private void advanceAll() {
        base.returnTail();
        EventWindow ahead = base.window;
        for (Stripe stripe : others()) {
            stripe.returnTail();
            ahead = stripe.window.isAheadOf(ahead) ? stripe.window : ahead;
        }
        if (!ahead.isStarted()) {
            return;
        }
        long latest = ahead.latest();
        base.window.advance(latest);
        for (Stripe stripe : others()) {
            stripe.window.advance(latest);
        }
        if (latest - origin + (1L << 60) >>> 61 != 0) { // rarely, since every record reads its cache line
            origin = latest;
        }
    }
}
