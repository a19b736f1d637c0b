package io.github.hotpath.limit;

import static io.github.hotpath.limit.PermitLog.CALLS;
import static io.github.hotpath.limit.PermitLog.PERMITS;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.internal.Times;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permits granted under some limits, and when more can be granted: slots, grants and corrections. It is the lock
 * that guards it.
 */
final class SlidingLog extends PolledLock {
    /*
     *     expired for every limit | in the window of a limit            |
     *     ------------------------+-------------------------------------+----------> time
     *                             head      cursor       latest         last slot
     *
     * No request overtakes a pending reservation, so every slot granted is at or after the last one, and every request
     * is evaluated there or later. A read computes: it finds where a window begins from the limit's cursor on, and what
     * is in the window from the running sums of the log. What has expired at the latest time is removed; before that,
     * limits may be replaced by longer ones. A cursor that was not moved is only further back: what is counted from it
     * on is never too small.
     *
     * Every change ends in settle(), which finds out when a single permit can be granted, and publishes it. So a request
     * for one permit looks for nothing. Now and then it also moves the cursors to the last slot, and removes what has
     * expired.
     *
     * Requests that must fail are refused without the lock. While a limit is exhausted or a slot is pending, a single
     * permit is refused before the time closedBefore, hence any request. The field closure tells whether that time is
     * valid, since no long means "at no time". A writer stores closedBefore first and closure second; a reader loads
     * closure first and closedBefore second. If the time it finds was stored after it loaded closure, a call stored it
     * that was in progress then or began later, and after which the limiter was exhausted until that time. Otherwise
     * the time was valid when closure was loaded. Either way there was a moment during the reader's call at which the
     * request had to be refused.
     *
     * Requests for several permits may be refused while a single one is granted. So the permits that were refused last,
     * with the lock held, are published in the field refused, and until when in refusedBefore. A grant adds to what is
     * in the windows, so as many permits stay refused until then. When the latest time reaches refusedBefore, settle()
     * forgets the pair, since a late request is evaluated at the latest time. A pair has a number, in refused: a reader
     * that does not find the same number before and after it loads the time asks with the lock.
     *
     * A reservation finds its entry by the time of its slot: permits of the same time are one entry, since they enter
     * and leave every window together. An entry of which all permits are cancelled is removed.
     */

    /** Requests may be granted. */
    static final int OPEN = 0;

    /** Requests before {@link #closedBefore} are refused. */
    static final int CLOSED = 1;

    /** Every request is refused: a single permit is never granted, or 2^63 ns later. */
    static final int CLOSED_FOR_EVER = 2;

    /**
     * The maximum number of limits. Every call goes through all of them, and each may take only three bytes of a
     * compact form: without a maximum, a small file could make a limiter whose calls take milliseconds.
     */
    static final int MAX_LIMITS = 1000;

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** The wait for a slot that is never granted. */
    static final long NEVER = -1;

    private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());
    private static final VarHandle CLOSURE = field(MethodHandles.lookup(), "closure", int.class);
    private static final VarHandle REFUSED = field(MethodHandles.lookup(), "refused", long.class);
    private static final VarHandle REFUSED_BEFORE = field(MethodHandles.lookup(), "refusedBefore", long.class);
    private static final VarHandle CLOSED_BEFORE = field(MethodHandles.lookup(), "closedBefore", long.class);

    /** {@link #FREE} or {@link #HELD}. */
    volatile int holder;

    /** {@link #OPEN}, {@link #CLOSED} or {@link #CLOSED_FOR_EVER}. Written with the lock held, as {@link #closedBefore}. */
    private volatile int closure;

    /** The slot of a single permit, if that is {@link #CLOSED}. Written before the closure, read after it. */
    private volatile long closedBefore;

    /** In the lower half the permits refused last, 0 if that is forgotten; in the upper one how often it was set. */
    volatile long refused;

    /** Before this time as many permits are refused. Written while {@link #refused} has none. */
    private volatile long refusedBefore;

    private PermitLog entries = new PermitLog();

    /** The cursor of the first limit; {@code null} if there are no limits, and then the log is empty. */
    private @Nullable LimitCursor first;

    /** Whether there are a latest time and a last slot. If not, the log is empty. */
    private boolean started;

    /** The latest time: the latest that was passed to a call that was granted. */
    private long latest;

    /** The last slot granted, less than 2^63 - 1 after the latest time, and not before it. No entry is later. */
    private long lastSlot;

    /** A reservation of another generation can no longer be adjusted. */
    private int generation;

    /**
     * When the last slot is after this time, {@link #settle} removes expired entries. Where nothing counts at the last
     * slot, this is a nanosecond before it: so the next change does that too, and notes that the log was idle.
     */
    private long deadline;

    /** Whether a grant since {@link #takeWasIdle} may have found nothing that counted. */
    private boolean wasIdle;

    /** Creates an empty log. */
    SlidingLog(List<Limit> limits) {
        setCursors(limits, 0);
        settle();
    }

    /** Creates a log of some state. */
    SlidingLog(LimiterState state) {
        setCursors(state.limits(), 0);
        entries = state.entries();
        started = state.started();
        latest = state.latest();
        lastSlot = state.lastSlot();
        settleAll(); // some entries may have expired under the limits
    }

    /** Sets the limits, with windows that begin at {@code position}. */
    private void setCursors(List<Limit> limits, long position) {
        LimitCursor cursor = null;
        for (int i = limits.size() - 1; i >= 0; i--) {
            cursor = new LimitCursor(limits.get(i), position, cursor);
        }
        first = cursor;
    }

    @Override
    public boolean tryLock() {
        return HOLDER.weakCompareAndSetAcquire(this, FREE, HELD);
    }

    @Override
    public void unlock() {
        HOLDER.setRelease(this, FREE);
    }

    @Override
    protected int holder() {
        return holder;
    }

    List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            limits.add(cursor.limit);
        }
        return List.copyOf(limits);
    }

    boolean isStarted() {
        return started;
    }

    /** Returns whether anything has ever counted, unless all of it was cancelled. */
    boolean hasCounted() {
        return entries.tail() != 0;
    }

    long latest() {
        return latest;
    }

    int generation() {
        return generation;
    }

    /** Returns how many entries there are, those included that have expired and are not removed yet. */
    long numberOfEntries() {
        return entries.tail() - entries.head();
    }

    /** Returns {@code nanos}, or the latest time if that is later. */
    long evaluatedAt(long nanos) {
        return started ? Times.later(latest, nanos) : nanos;
    }

    private boolean isPending(long time) {
        return started && lastSlot - time > 0;
    }

    /** Returns {@code time}, or the last slot if that is later. */
    long orLastSlot(long time) {
        return isPending(time) ? lastSlot : time;
    }

    /** Returns the longest interval. */
    long longestNanos() {
        long longest = 0;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            longest = Math.max(longest, cursor.intervalNanos);
        }
        return longest;
    }

    /**
     * Returns how long after {@code time}, not before the latest one, the slot of {@code permits} is: 0 if they can be
     * granted at once, and less than 0 if the wait is 2^63 ns or longer, or never ends.
     */
    long waitFor(int permits, long time) {
        int seen = closure;
        if (permits == 1 && seen != CLOSED_FOR_EVER) {
            return seen == OPEN ? 0 : Math.max(0, closedBefore - time);
        }
        long from = orLastSlot(time);
        // Unsigned, below 2^64. To wait for ever adds Long.MAX_VALUE, so it is negative.
        return from - time + refusedFor(permits, from) + 1;
    }

    /** Returns for how long after {@code from}, not before the last slot, the limits refuse permits; -1 if they do not. */
    private long refusedFor(int permits, long from) {
        long refusedFor = -1;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            refusedFor = Math.max(refusedFor, cursor.nanosUntilAllowed(permits, from, entries));
        }
        return refusedFor;
    }

    /** Returns how long after {@code nanos} an attempt succeeds; 0 if at once. */
    long delay(long nanos, int permits) {
        long time = evaluatedAt(nanos);
        return delay(nanos, time, waitFor(permits, time));
    }

    /** Returns how long after {@code nanos} an attempt succeeds, if that is {@code wait} after {@code time}. */
    private long delay(long nanos, long time, long wait) {
        boolean isTooFar = wait < 0 || started && time - latest + wait < 0; // and so not later than the latest time
        return wait == 0 ? 0 : isTooFar ? Long.MAX_VALUE : plus(time - nanos, wait);
    }

    /** Returns the sum of two unsigned numbers, or {@link Long#MAX_VALUE} if it is more than that. */
    static long plus(long a, long b) {
        return a < 0 || b < 0 || a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /** Acquires permits and returns 0; or changes nothing and returns the delay until an attempt succeeds. */
    long acquire(long nanos, int permits) {
        long time = evaluatedAt(nanos);
        long wait = waitFor(permits, time);
        if (wait == 0) {
            grant(time, time, permits);
            return 0;
        }
        if (wait > 0 && permits > 1) {
            publishRefusal(permits, time + wait);
        }
        return delay(nanos, time, wait);
    }

    /** Grants permits that were found to be available at once. */
    void grant(long nanos, int permits) {
        long time = evaluatedAt(nanos);
        grant(time, time, permits);
    }

    /** Grants permits at a slot, and makes {@code time} the latest time. */
    void grant(long time, long slot, int permits) {
        if (entries.isFull()) {
            expire(); // before the log grows
        }
        if (first != null) { // otherwise nothing counts
            if (slot == lastSlot && entries.endsAt(slot)) {
                entries.change(entries.tail() - 1, permits, 1);
            } else {
                entries.append(slot, permits, 1);
            }
        }
        advance(time, slot);
        settle();
    }

    /**
     * Replaces the limits. The new ones hold over what counts toward one of the old ones at the latest time, also if
     * their intervals are longer.
     */
    void setLimits(List<Limit> limits) {
        settleAll(); // by the old ones
        generation += first == null ? 1 : 0; // what was granted under no limit has no entry
        setCursors(limits, entries.head());
        settleAll();
    }

    /** Makes {@code time} the latest time, and grants nothing for so long, and while a slot is pending. */
    void closeFor(long time, long wait) {
        advance(time, time + Math.max(wait, orLastSlot(time) - time));
        settleAll();
    }

    /** Moves the latest time and the last slot. */
    private void advance(long time, long slot) {
        if (!started) {
            started = true;
            deadline = slot - 1;
        }
        latest = time;
        lastSlot = slot;
    }

    /** Ends a change that may have moved, or changed, anything. */
    private void settleAll() {
        deadline = lastSlot - 1;
        forgetRefusal(); // the change may have released permits
        settle();
    }

    /** Ends every change: publishes when a single permit can be granted, and now and then removes what has expired. */
    void settle() {
        if (lastSlot - deadline > 0) {
            expire();
        }
        if (latest - refusedBefore >= 0) {
            forgetRefusal();
        }
        long refusedFor = -1; // the last nanosecond after the last slot at which a limit refuses, if there is one
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            refusedFor = Math.max(refusedFor, cursor.nanosUntilOneIsLeft(lastSlot, entries));
        }
        long wait = lastSlot - latest + refusedFor + 1;
        publish(wait == 0 ? OPEN : wait < 0 ? CLOSED_FOR_EVER : CLOSED, latest + wait);
    }

    /**
     * Stores what is published. What refuses more than before may be seen later: then a request decides with the lock.
     * So it needs no volatile store, which takes as long as the lock. What refuses less is stored with one: a request
     * that begins after this call must not be refused by the old value.
     */
    private void publish(int closure, long before) {
        int seen = this.closure;
        if (closure == CLOSED) {
            if (seen == CLOSED && before - closedBefore < 0) {
                closedBefore = before;
            } else {
                CLOSED_BEFORE.setRelease(this, before);
            }
        }
        if (closure < seen) {
            this.closure = closure;
        } else if (closure > seen) {
            CLOSURE.setRelease(this, closure);
        }
    }

    /** Publishes that so many permits are refused before some time. */
    private void publishRefusal(int permits, long before) {
        long next = (refused >>> 32) + 1 << 32;
        REFUSED.setRelease(this, next);
        REFUSED_BEFORE.setRelease(this, before);
        REFUSED.setRelease(this, next | permits);
    }

    private void forgetRefusal() {
        long known = refused;
        if ((int) known != 0) {
            refused = known >>> 32 << 32;
        }
    }

    /** Takes back what has been published, before several logs change: until each is settled, requests wait. */
    void retract() {
        if (closure != OPEN) {
            closure = OPEN;
        }
        forgetRefusal();
    }

    /** Returns whether a request is refused, as far as that is known without the lock. */
    boolean refuses(long nanos, int permits) {
        int seen = closure;
        if (seen != OPEN && (seen == CLOSED_FOR_EVER || nanos - closedBefore < 0)) {
            return true;
        }
        long known = refused;
        int last = (int) known;
        return last != 0 && permits >= last && nanos - refusedBefore < 0 && refused == known;
    }

    /** Returns the delay of a request if it is known without the lock, otherwise 0. */
    long knownDelay(long nanos, int permits) {
        int seen = closure;
        if (seen == CLOSED && permits == 1) {
            long ahead = nanos - closedBefore;
            return ahead < 0 ? -ahead : 0;
        }
        return seen == CLOSED_FOR_EVER ? Long.MAX_VALUE : 0;
    }

    /** Moves the cursors to the last slot, and removes what can no longer count. */
    private void expire() {
        long oldest = entries.tail();
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            cursor.moveTo(lastSlot, entries);
            oldest = Math.min(oldest, cursor.position);
        }
        // But for the newest entry, which may be that of a grant just made. Without limits a log is always idle.
        wasIdle |= first != null && oldest - entries.tail() >= -1;
        deadline = oldest == entries.tail()
                ? lastSlot - 1
                : lastSlot + longestNanos() / 16; // a sixteenth may have expired
        if (lastSlot != latest) {
            oldest = firstCounted(latest); // the limits may be replaced by longer ones before the last slot
        }
        if (oldest != entries.head()) {
            entries.removeBefore(oldest);
        }
    }

    /**
     * Returns the first entry that counts at {@code time}, not before the latest one, or can count later, under limits
     * to be set then.
     */
    private long firstCounted(long time) {
        if (first == null) {
            return entries.tail();
        }
        long slot = orLastSlot(time);
        return entries.firstWithin(
                entries.head(), slot, Math.min(plus(longestNanos(), slot - time), Limit.LONGEST_NANOS));
    }

    /**
     * Returns whether a reservation of {@code from} permits, made in a {@code generation}, can be changed to {@code
     * to}: it may be too late. Rejects permits that are too many.
     */
    boolean canAdjust(long slot, int generation, int from, int to) {
        if (from == 0 || generation != this.generation || first == null || latest - slot > longestNanos()) {
            return false;
        }
        if (isOutOfReach(slot)) {
            return true;
        }
        long at = positionOf(slot);
        if (at == entries.tail() || entries.time(at) != slot) {
            return false; // it had expired when longer limits were set
        }
        if (to > from) {
            checkSum(to, from, latest);
        }
        return true;
    }

    /** Returns whether what was granted at a slot counts at none that will be granted. */
    private boolean isOutOfReach(long slot) {
        return Times.isOlder(slot, lastSlot, Limit.LONGEST_NANOS);
    }

    /** Returns the position of the entry at {@code slot}, if there is one. */
    private long positionOf(long slot) {
        return entries.endsAt(slot)
                ? entries.tail() - 1
                : entries.firstWithin(entries.head(), lastSlot, lastSlot - slot);
    }

    /** Changes a reservation that can be. */
    void adjust(long slot, int from, int to) {
        if (!isOutOfReach(slot)) {
            long at = positionOf(slot);
            if (entries.valueOf(PERMITS, at) - from + to != 0) {
                entries.change(at, to - (long) from, to == 0 ? -1 : 0);
            } else {
                entries.remove(at);
                for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
                    cursor.position -= cursor.position > at ? 1 : 0;
                }
            }
        }
        settleAll();
    }

    /**
     * Rejects {@code permits} in place of {@code before} if with them more than {@link Limit#MOST} would count at
     * {@code time}, not before the latest one, or later.
     */
    void checkSum(int permits, int before, long time) {
        long most = Math.max(0, Limit.MOST - (entries.sumFrom(PERMITS, firstCounted(time)) - before));
        if (permits > most) {
            throw Arguments.rejected("permits", permits, "at most " + most + ", so that at most 2^62 count");
        }
    }

    /** Returns the permits that can be acquired at {@code nanos}. */
    long available(long nanos) {
        long time = evaluatedAt(nanos);
        if (isPending(time)) {
            return 0;
        }
        long available = Long.MAX_VALUE;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            available = Math.min(available, cursor.available(time, entries));
        }
        return available;
    }

    int numberOfLimits() {
        int number = 0;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            number++;
        }
        return number;
    }

    /**
     * Sets the quota of each limit at {@code nanos}, from an index on, and returns the index behind them.
     *
     * @param refused the permits of a request that has been refused, or 0
     */
    int setQuotas(long nanos, int refused, Quota[] quotas, int index) {
        int next = index;
        long time = evaluatedAt(nanos);
        long from = orLastSlot(time);
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            long begin = cursor.firstAt(from, entries);
            if (from == lastSlot) {
                cursor.position = begin; // found, and kept: the next search begins here
            }
            long left = cursor.left(begin, entries);
            long remaining = from == time ? Math.max(0, left) : 0;
            long more = cursor.limit.max() - remaining - 1;
            long wait = more < 0 ? 0 : from - time + cursor.nanosUntilAtMost(more, from, entries) + 1;
            boolean exceeded = refused != 0 && cursor.needed(refused) > left;
            quotas[next++] = new Quota(cursor.limit, remaining, delay(nanos, time, wait), exceeded);
        }
        return next;
    }

    boolean isIdle(long nanos) {
        long time = evaluatedAt(nanos);
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            if (cursor.left(cursor.firstAt(orLastSlot(time), entries), entries) != cursor.limit.max()) {
                return false;
            }
        }
        return !isPending(time);
    }

    /** Returns whether it is idle at {@code nanos}, and the latest time is not later. */
    boolean isIdleSince(long nanos) {
        return evaluatedAt(nanos) == nanos && isIdle(nanos);
    }

    /** Sets the latest time of an empty log. */
    void startAt(long nanos) {
        advance(nanos, nanos);
        settleAll();
    }

    boolean wasIdle() {
        return wasIdle;
    }

    /** Returns whether a grant since the last such call may have found nothing that counted. Needs no lock. */
    boolean takeWasIdle() {
        boolean was = wasIdle;
        if (was) {
            wasIdle = false;
        }
        return was;
    }

    /** Returns whether there are no limits, and the latest time is less than a minute before {@code nanos}. */
    boolean isUsedWithoutLimits(long nanos) {
        return first == null && started && nanos - latest < MINUTE_NANOS;
    }

    /** Notes that this may have been idle. */
    void setWasIdle() {
        wasIdle = true;
    }

    /** Removes all entries, and the latest time. */
    void clear() {
        setCursors(limits(), 0); // the head of a new log
        entries = new PermitLog();
        started = false;
        lastSlot = latest;
        generation++;
        settleAll();
    }

    /** Returns the state that determines the results of all later calls, except those on reservations. */
    LimiterState state() {
        long from = started ? firstCounted(latest) : entries.head();
        return new LimiterState(
                limits(),
                started,
                latest,
                lastSlot,
                entries.timesFrom(from),
                entries.valuesFrom(PERMITS, from),
                entries.valuesFrom(CALLS, from));
    }
}
