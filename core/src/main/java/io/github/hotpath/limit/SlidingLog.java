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
     * is in the window from the running sums of the log. A grant appends, moves the cursors to the last slot, and
     * removes what has expired at the latest time; before that, limits may be replaced by longer ones. A cursor that
     * was not moved is only further back: what is counted from it on is never too small. Quotas move it, too, since
     * they know where it belongs.
     *
     * Most requests come far from every limit. For them a grant keeps how many permits were left at the last slot, and
     * until when it suffices to append.
     *
     * A reservation finds its entry by the time of its slot: permits of the same time are one entry, since they enter
     * and leave every window together. An entry of which all permits are cancelled is removed.
     */

    /**
     * The maximum number of limits: each call takes time in proportion to it, and a form of three bytes for each limit
     * would otherwise make a limiter whose calls take milliseconds.
     */
    static final int MAX_LIMITS = 1000;

    /** The wait for a slot that is never granted. */
    static final long NEVER = -1;

    private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

    /** {@link #FREE} or {@link #HELD}. */
    volatile int holder;

    private PermitLog log = new PermitLog();

    /** The cursor of the first limit; {@code null} if there are no limits, and then the log is empty. */
    private @Nullable LimitCursor first;

    /** The longest interval. */
    private long longestNanos;

    /** Whether there are a latest time and a last slot. If not, the log is empty. */
    private boolean started;

    /** The latest time: the latest that was passed to a call that was granted. */
    private long latest;

    /** The last slot granted, less than 2^63 - 1 after the latest time, and not before it. No entry is later. */
    private long lastSlot;

    /** A reservation of another generation can no longer be adjusted. */
    private int generation;

    /** At least so many permits are left under every limit at the last slot; 0 without a last slot, or if one is pending. */
    private int headroom;

    /** Up to this time permits are granted without removing expired entries. */
    private long deadline;

    /** Whether a grant since {@link #takeWasIdle} may have found nothing that counted. */
    private boolean wasIdle;

    /** Creates an empty log. */
    SlidingLog(List<Limit> limits) {
        setCursors(limits, 0);
    }

    /** Creates a log of some state. */
    SlidingLog(LimiterState state) {
        this(state.limits());
        replace(state.log());
        started = state.started();
        latest = state.latest();
        lastSlot = state.lastSlot();
        removeExpired(); // of the limits, under which some entries may have expired
    }

    /** Sets the limits, with windows that begin at {@code position}. */
    private void setCursors(List<Limit> limits, long position) {
        LimitCursor cursor = null;
        longestNanos = 0;
        for (int i = limits.size() - 1; i >= 0; i--) {
            cursor = new LimitCursor(limits.get(i), position, cursor);
            longestNanos = Math.max(longestNanos, cursor.intervalNanos);
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
        return log.tail() != 0;
    }

    long latest() {
        return latest;
    }

    int generation() {
        return generation;
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

    long longestNanos() {
        return longestNanos;
    }

    /**
     * Returns how long after {@code time}, not before the latest one, the slot of {@code permits} is: 0 if they can be
     * granted at once, and less than 0 if the wait is 2^63 ns or longer, or never ends.
     */
    long waitFor(int permits, long time) {
        long from = orLastSlot(time);
        long refusedFor = -1; // the last nanosecond after from at which a limit refuses, if there is one
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            refusedFor = Math.max(refusedFor, cursor.nanosUntilAllowed(permits, from, log));
        }
        return from - time + refusedFor + 1; // unsigned, below 2^64; for ever adds Long.MAX_VALUE, so it is negative
    }

    /** Returns how long after the latest time a single permit can be granted, as {@link #waitFor}. */
    long waitForOne() {
        return waitFor(1, latest);
    }

    /** Returns how long after {@code nanos} an attempt succeeds, if that is {@code wait} after {@code time}. */
    long delay(long nanos, long time, long wait) {
        boolean isTooFar = wait < 0 || started && time - latest + wait < 0; // and so not later than the latest time
        return wait == 0 ? 0 : isTooFar ? Long.MAX_VALUE : plus(time - nanos, wait);
    }

    /** Returns the sum of two unsigned numbers, or {@link Long#MAX_VALUE} if it is more than that. */
    static long plus(long a, long b) {
        return a < 0 || b < 0 || a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /** Returns whether {@link #grantFarFromLimits} can be called. */
    boolean isFarFromLimits(long nanos, int permits) {
        return permits < headroom && nanos - lastSlot > 0 && deadline - nanos >= 0 && !log.isFull();
    }

    /** Grants permits at {@code nanos}, after which a single permit could still be granted. */
    void grantFarFromLimits(long nanos, int permits) {
        headroom -= permits;
        log.append(nanos, permits, 1);
        latest = nanos;
        lastSlot = nanos;
    }

    /**
     * Grants permits at a slot for which they were found to be available, makes {@code time} the latest time, and
     * returns {@link #waitForOne} after it.
     */
    long grant(long time, long slot, int permits) {
        if (log.isFull()) {
            removeExpired(); // what calls far from every limit have left
        }
        wasIdle |= log.head() == log.tail() || Times.isOlder(log.time(log.tail() - 1), slot, longestNanos);
        if (first != null) { // otherwise nothing counts
            if (slot == lastSlot && log.endsAt(slot)) {
                log.change(log.tail() - 1, permits, 1);
            } else {
                log.append(slot, permits, 1);
            }
        }
        started = true;
        latest = time;
        lastSlot = slot;
        return removeExpired();
    }

    /**
     * Replaces the limits. The new ones hold over what counts toward one of the old ones at the latest time, also if
     * their intervals are longer.
     */
    void setLimits(List<Limit> limits) {
        removeExpired(); // by the old ones
        generation += first == null ? 1 : 0; // what was granted under no limit has no entry
        setCursors(limits, log.head());
        removeExpired();
    }

    /** Makes {@code time} the latest time, and grants nothing for so long, and while a slot is pending. */
    void closeFor(long time, long wait) {
        long slot = time + Math.max(wait, orLastSlot(time) - time);
        wasIdle |= isIdle(time);
        started = true;
        latest = time;
        lastSlot = slot;
        removeExpired();
    }

    /**
     * Moves the cursors to the last slot, removes what can no longer count, and returns {@link #waitForOne}, which is
     * known then.
     */
    private long removeExpired() {
        long oldest = log.tail();
        long least = first == null || !started ? 0 : Integer.MAX_VALUE;
        long refusedFor = -1;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            cursor.moveTo(lastSlot, log);
            oldest = Math.min(oldest, cursor.position);
            long left = cursor.left(cursor.position, log);
            least = Math.min(least, left);
            if (left <= 0) {
                refusedFor = Math.max(refusedFor, cursor.nanosUntilOneIsLeft(left, lastSlot, log));
            }
        }
        long pending = lastSlot - latest;
        headroom = pending == 0 ? (int) Math.max(0, least) : 0;
        deadline = lastSlot + longestNanos / 16; // and so a sixteenth of the entries may have expired
        if (pending != 0) {
            oldest = firstCounted(log, latest); // the limits may be replaced by longer ones before the last slot
        }
        if (oldest != log.head()) {
            log.removeBefore(oldest);
        }
        return pending + refusedFor + 1;
    }

    /**
     * Returns the first entry that counts at {@code time}, not before the latest one, or can count later, under limits
     * to be set then.
     */
    private long firstCounted(PermitLog log, long time) {
        if (first == null) {
            return log.tail();
        }
        long slot = orLastSlot(time);
        return log.firstWithin(log.head(), slot, Math.min(plus(longestNanos, slot - time), Limit.LONGEST_NANOS));
    }

    /**
     * Returns whether a reservation of {@code from} permits, made in a {@code generation}, can be changed to {@code
     * to}: it may be too late. Rejects permits that are too many.
     */
    boolean canAdjust(long slot, int generation, int from, int to) {
        if (from == 0 || generation != this.generation || first == null || latest - slot > longestNanos) {
            return false;
        }
        if (isOutOfReach(slot)) {
            return true;
        }
        long at = positionOf(slot);
        if (at == log.tail() || log.time(at) != slot) {
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
        return log.endsAt(slot) ? log.tail() - 1 : log.firstWithin(log.head(), lastSlot, lastSlot - slot);
    }

    /** Changes a reservation that can be. */
    void adjust(long slot, int from, int to) {
        headroom = 0;
        if (isOutOfReach(slot)) {
            return;
        }
        long at = positionOf(slot);
        if (log.valueOf(PERMITS, at) - from + to != 0) {
            log.change(at, to - (long) from, to == 0 ? -1 : 0);
            return;
        }
        log.remove(at);
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            cursor.position -= cursor.position > at ? 1 : 0;
        }
    }

    /**
     * Rejects {@code permits} in place of {@code before} if with them more than {@link Limit#MOST} would count at
     * {@code time}, not before the latest one, or later.
     */
    void checkSum(int permits, int before, long time) {
        long most = Math.max(0, Limit.MOST - (log.sumFrom(PERMITS, firstCounted(log, time)) - before));
        if (permits > most) {
            throw Arguments.rejected("permits", permits, "at most " + most + ", so that at most 2^62 count");
        }
    }

    private void replace(PermitLog other) {
        headroom = 0;
        log = other;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            cursor.position = 0; // the head of a new log
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
            available = Math.min(available, cursor.available(time, log));
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
            long begin = cursor.firstAt(from, log);
            if (from == lastSlot) {
                cursor.position = begin; // since a grant far from every limit does not look for it
            }
            long left = cursor.left(begin, log);
            long remaining = from == time ? Math.max(0, left) : 0;
            long more = cursor.limit.max() - remaining - 1;
            long wait = more < 0 ? 0 : from - time + cursor.nanosUntilAtMost(more, from, begin, log) + 1;
            boolean exceeded = refused != 0 && cursor.needed(refused) > left;
            quotas[next++] = new Quota(cursor.limit, remaining, delay(nanos, time, wait), exceeded);
        }
        return next;
    }

    boolean isIdle(long nanos) {
        long time = evaluatedAt(nanos);
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            if (cursor.left(cursor.firstAt(orLastSlot(time), log), log) != cursor.limit.max()) {
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
        started = true;
        latest = nanos;
        lastSlot = nanos;
    }

    /** Returns whether a grant since the last such call may have found nothing that counted. Needs no lock. */
    boolean takeWasIdle() {
        boolean was = wasIdle;
        if (was) {
            wasIdle = false;
        }
        return was;
    }

    /** Notes that this may have been idle. */
    void setWasIdle() {
        wasIdle = true;
    }

    /** Removes all entries, and the latest time. */
    void clear() {
        replace(new PermitLog());
        started = false;
        generation++;
    }

    /** Returns the state that determines the results of all later calls, except those on reservations. */
    LimiterState state() {
        long from = started ? firstCounted(log, latest) : log.head();
        return new LimiterState(
                limits(),
                started,
                latest,
                lastSlot,
                log.timesFrom(from),
                log.valuesFrom(PERMITS, from),
                log.valuesFrom(CALLS, from));
    }
}
