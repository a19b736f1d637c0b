package io.github.hotpath.limit;

import static io.github.hotpath.internal.Invariants.check;
import static io.github.hotpath.limit.PermitLog.CALLS;
import static io.github.hotpath.limit.PermitLog.PERMITS;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.internal.Times;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

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
     * was not moved, because an error was thrown, or because there was no need, is only further back: what is counted
     * from it on is never too small.
     *
     * A reservation finds its entry by the time of its slot: permits of the same time are one entry, since they enter
     * and leave every window together. Cancelled ones leave entries of no permits. Those that are the newest are
     * removed at once; when the others are more than half of the log, it is compacted.
     */

    /**
     * The maximum number of limits: each call takes time in proportion to it, and a form of three bytes for each limit
     * would otherwise make a limiter whose calls take milliseconds.
     */
    static final int MAX_LIMITS = 1000;

    /** The wait for a slot that is never granted. */
    static final long NEVER = -1;

    /** The least number of cancelled entries for which the log is compacted. */
    private static final int FEW = 8;

    private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

    /** {@link #FREE} or {@link #ALONE}. */
    volatile int holder;

    private PermitLog log = new PermitLog();

    /** The cursor of the first limit. */
    private LimitCursor first;

    /** Whether a limit counts calls. If not, every entry is one call. */
    private boolean countsCalls;

    /** Whether there are a latest time and a last slot. If not, the log is empty. */
    private boolean started;

    /** The latest time: the latest that was passed to a call that was granted. */
    private long latest;

    /** The last slot granted, less than 2^63 - 1 after the latest time, and not before it. No entry is later. */
    private long lastSlot;

    /** Up to this time permits are granted without removing expired entries. */
    private long deadline;

    /**
     * How often the latest time has passed 0 or 2^63, and three more for each {@link #clear}: tells the time of a slot
     * from the same time after the clock has wrapped around, and from one that was cleared.
     */
    private int halfTurns;

    /** How many entries have been cancelled since the log was compacted, and are not known to be removed. */
    private int cancelled;

    /**
     * So many permits, at most, are known to be left at the last slot. What changes a sum or a limit sets it to 0
     * before, so that it is right after an error too. A short, because the object has two bytes left.
     */
    private short spare;

    /** Creates an empty log under one limit or more. */
    SlidingLog(List<Limit> limits) {
        first = cursors(limits, 0);
        countsCalls = countCalls(limits);
    }

    /** Returns the first of new cursors, all at {@code position}. */
    private static LimitCursor cursors(List<Limit> limits, long position) {
        LimitCursor cursor = null;
        for (int i = limits.size() - 1; i >= 0; i--) {
            cursor = new LimitCursor(limits.get(i), position, cursor);
        }
        if (cursor == null) {
            throw new IllegalArgumentException("no limits");
        }
        return cursor;
    }

    private static boolean countCalls(List<Limit> limits) {
        boolean perCall = false;
        for (Limit limit : limits) {
            perCall |= limit.isPerCall();
        }
        return perCall;
    }

    @Override
    public boolean tryLock(int as) {
        return HOLDER.weakCompareAndSetAcquire(this, FREE, as);
    }

    @Override
    public void unlock() {
        HOLDER.setRelease(this, FREE);
    }

    @Override
    protected int holder() {
        return holder;
    }

    boolean countsCalls() {
        return countsCalls;
    }

    List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            limits.add(cursor.limit);
        }
        return List.copyOf(limits);
    }

    long latest() {
        return latest;
    }

    /** Returns the half turns of a slot that is granted at {@code time}. */
    int halfTurnsOf(long slot, long time) {
        return halfTurnsAt(time) + (int) ((time ^ slot) >>> 63);
    }

    private int halfTurnsAt(long time) {
        return halfTurns + (int) ((latest ^ time) >>> 63);
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

    /** Returns the longest interval. Without the lock it may be that of earlier limits. */
    long longestNanos() {
        long longest = 0;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            longest = Math.max(longest, cursor.intervalNanos);
        }
        return longest;
    }

    /**
     * Returns how long after {@code time}, not before the latest one, the slot of {@code permits} is: 0 if they can be
     * granted at once, and less than 0 if the wait is 2^63 ns or longer, or {@link #NEVER} ends.
     */
    long waitFor(int permits, long time) {
        long from = orLastSlot(time);
        long refusedFor = refusesOverflowFor(permits, from);
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            if (!cursor.canAllow(permits)) {
                return NEVER;
            }
            refusedFor = Math.max(refusedFor, cursor.refusesFor(permits, from, log));
        }
        return from - time + refusedFor + 1; // less than 2^64
    }

    /** The same as of a limit on {@link Long#MAX_VALUE} permits in the longest interval: no sum overflows. */
    private long refusesOverflowFor(int permits, long from) {
        if (log.hasRoomFor(permits) || sumAt(from) <= Long.MAX_VALUE - permits) {
            return -1;
        }
        long longest = longestNanos();
        long oldest = log.firstWithin(log.head(), from, longest);
        long expiring = log.firstFollowedBy(Long.MAX_VALUE - permits, PERMITS, oldest);
        return longest - (from - log.time(expiring));
    }

    /** Returns the permits that have not expired for every limit at a time not before the last slot. */
    private long sumAt(long time) {
        return log.sumFrom(PERMITS, log.firstWithin(log.head(), time, longestNanos()));
    }

    /** Returns how long after the latest time a single permit can be granted, as {@link #waitFor}. */
    long waitForOne() {
        return started && spare > 0 && lastSlot == latest ? 0 : waitFor(1, latest);
    }

    /** Returns whether a slot that is so long after {@code time} is 2^63 ns after the latest time, or later. */
    boolean isTooFar(long time, long wait) {
        return wait < 0 || started && time - latest + wait < 0;
    }

    /** Returns how long after {@code nanos} an attempt succeeds, if that is {@code wait} after {@code time}. */
    long delay(long nanos, long time, long wait) {
        return wait == 0 ? 0 : isTooFar(time, wait) ? Long.MAX_VALUE : plus(time - nanos, wait);
    }

    /** Returns the sum of two unsigned numbers, or {@link Long#MAX_VALUE} if it is more than that. */
    static long plus(long a, long b) {
        return a < 0 || b < 0 || a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /**
     * Returns whether {@link #acquireByFar} can be called: the permits are available at {@code nanos}, a single one is
     * before and after, and to acquire them takes no more than stores.
     */
    boolean isAvailableByFar(long nanos, int permits) {
        boolean isLater = nanos - lastSlot > 0;
        if (!started || (isLater ? (deadline - nanos | nanos ^ latest) < 0 : lastSlot != latest)) {
            return false; // for an earlier time there is the latest; a half turn has to be counted
        }
        if (permits >= spare && (permits == 1 || !hasMoreThan(permits))) {
            return false; // where a limit counts calls, or permits are many, there can be more than to spare
        }
        return isLater ? log.canPut(permits) : log.endsAt(lastSlot) && log.canAddToNewest(permits, countsCalls ? 1 : 0);
    }

    /** Returns whether more than {@code permits} are left under every limit, and keeps how many. */
    private boolean hasMoreThan(int permits) {
        long least = Short.MAX_VALUE;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            long left = cursor.left(log);
            if (cursor.needed(permits) >= left) {
                return false;
            }
            least = Math.min(least, left); // of calls, of which there are at most as many as permits
        }
        spare = (short) least;
        return true;
    }

    /** Acquires permits at {@code nanos} that are available by far. */
    void acquireByFar(long nanos, int permits) {
        spare = (short) Math.max(0, spare - permits);
        if (nanos - lastSlot > 0) {
            log.put(nanos, permits, 1);
            latest = nanos;
            lastSlot = nanos;
        } else {
            log.addToNewest(permits, countsCalls ? 1 : 0);
        }
    }

    /**
     * Grants permits at a slot for which they were found to be available, makes {@code time} the latest time, and
     * returns {@link #waitForOne} after it.
     */
    long grant(long time, long slot, int permits) {
        if (slot != time && isTooFar(time, slot - time)) {
            moveTo(time, orLastSlot(time)); // otherwise an age at the slot might not fit
        }
        int turns = halfTurnsAt(time);
        if (log.isFull()) {
            removeExpired();
        }
        spare = 0;
        if (slot == lastSlot && log.endsAt(slot)) {
            log.change(log.tail() - 1, permits, countsCalls ? 1 : 0);
        } else {
            log.append(slot, permits, 1);
        }
        // It is granted now; until the next call nothing can fail.
        started = true;
        halfTurns = turns;
        latest = time;
        lastSlot = slot;
        deadline = slot;

        long wait = removeExpired();
        log.rebase();
        return wait;
    }

    /**
     * Replaces the limits. The new ones hold over what counts toward one of the old ones at the latest time, also if
     * their intervals are longer.
     */
    void setLimits(List<Limit> limits) {
        removeExpired(); // by the old ones
        boolean perCall = countCalls(limits);
        boolean isOther = perCall != countsCalls;
        PermitLog kept = isOther ? log.compacted(false) : log;
        LimitCursor cursors = cursors(limits, kept.head());

        spare = 0;
        if (isOther) {
            log = kept;
            cancelled = 0;
        }
        first = cursors;
        countsCalls = perCall;
        deadline = lastSlot;

        removeExpired();
    }

    /** Makes {@code time} the latest time, and grants nothing for so long, and while a slot is pending. */
    void closeFor(long time, long wait) {
        long from = orLastSlot(time);
        if (isTooFar(time, wait)) {
            moveTo(time, from);
        }
        moveTo(time, time + Math.max(wait, from - time));
    }

    /** Makes {@code time} the latest time, and {@code slot} the last slot. */
    private void moveTo(long time, long slot) {
        int turns = halfTurnsAt(time);
        started = true;
        halfTurns = turns;
        latest = time;
        lastSlot = slot;
        deadline = slot;
        removeExpired();
    }

    /**
     * Moves the cursors to the last slot, removes what has expired for every limit at the latest time, and returns
     * {@link #waitForOne}, which is known then.
     */
    private long removeExpired() {
        long oldest = log.tail();
        long longest = 0;
        long least = Short.MAX_VALUE;
        long exhaustedFor = -1;
        boolean isNever = false;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            cursor.moveTo(lastSlot, log);
            oldest = Math.min(oldest, cursor.position);
            longest = Math.max(longest, cursor.intervalNanos);
            long left = cursor.left(log);
            least = Math.min(least, left);
            if (!cursor.canAllow(1)) {
                isNever = true;
            } else if (left <= 0) {
                exhaustedFor = Math.max(exhaustedFor, cursor.exhaustedFor(lastSlot, log));
            }
        }
        spare = (short) (log.hasRoomFor(Short.MAX_VALUE) ? Math.max(0, least) : 0);
        long pending = lastSlot - latest;
        if (pending != 0) {
            oldest = oldestCounted(); // the limits may be replaced by longer ones before the last slot
        }
        if (oldest != log.head()) {
            log.removeBefore(oldest);
            compactIfNeeded();
        }
        // An age that is read up to 2^63 ns later has to fit an unsigned long.
        long untilTooOld = Long.MAX_VALUE - longest - pending;
        deadline = lastSlot + Math.min(log.nanosToNextChunk(lastSlot, longest), untilTooOld);
        if (isNever) {
            return NEVER;
        }
        return log.hasRoomFor(1) ? pending + exhaustedFor + 1 : waitForOne();
    }

    /** Returns the first entry that has not expired for every limit at the latest time. */
    private long oldestCounted() {
        return log.firstWithin(log.head(), lastSlot, countedNanos(longestNanos()));
    }

    /** Returns how long before the last slot the oldest entry can be that has not expired at the latest time. */
    private long countedNanos(long longest) {
        return plus(longest, lastSlot - latest); // no limit is longer than the most that is returned
    }

    /** Returns whether a reservation of {@code from} permits can be changed to {@code to}: it may be too late. */
    boolean canAdjust(long slot, int turnsOfSlot, int from, int to) {
        long longest = longestNanos();
        if (from == 0 || hasExpired(slot, halfTurns - turnsOfSlot, longest)) {
            return false;
        }
        if (Times.isOlder(slot, lastSlot, Long.MAX_VALUE)) {
            return true; // its entry never counts again
        }
        long at = positionOf(slot);
        if (at == log.tail() || log.time(at) != slot) {
            return false; // it had expired when longer limits were set
        }
        if (!Times.isOlder(slot, lastSlot, longest)) {
            checkSum(to - (long) from, lastSlot);
        }
        return true;
    }

    /** Returns the position of the entry at {@code slot}, if there is one. */
    private long positionOf(long slot) {
        return log.endsAt(slot) ? log.tail() - 1 : log.firstWithin(log.head(), lastSlot, lastSlot - slot);
    }

    /**
     * Changes a reservation that can be. {@link #removeCancelled} is to be called when this has been noted.
     *
     * @param isCounted whether calls were counted when it was made: if not, all of one time are one call
     */
    void adjust(long slot, int from, int to, boolean isCounted) {
        spare = 0;
        if (Times.isOlder(slot, lastSlot, Long.MAX_VALUE)) {
            return;
        }
        long at = positionOf(slot);
        long left = log.valueOf(PERMITS, at) - from + to;
        long calls = log.valueOf(CALLS, at);
        long callsLeft = Math.min(left, to == 0 && isCounted ? Math.max(calls - 1, 1) : calls);
        log.change(at, to - (long) from, countsCalls ? callsLeft - calls : 0);
        cancelled += left == 0 ? 1 : 0;
    }

    /** Returns whether a slot, so many half turns ago, has expired for every limit at the latest time. */
    private boolean hasExpired(long slot, int turns, long longest) {
        long age = latest - slot; // right if turns are 0, and as unsigned if 1; less than 0 if pending
        return turns > 1 || turns == 1 && age < 0 || turns >= 0 && age > longest;
    }

    /**
     * Rejects so many more permits if more than {@link Long#MAX_VALUE} would count at a time not before the last slot.
     */
    void checkSum(long more, long time) {
        long left = Long.MAX_VALUE - sumAt(time);
        if (more > left) {
            throw Arguments.rejected("permits", more + " more than before", "at most " + left + " more");
        }
    }

    /** Removes cancelled entries, if they are the newest or too many. */
    void removeCancelled() {
        spare = 0;
        while (cancelled != 0 && log.head() != log.tail() && log.valueOf(PERMITS, log.tail() - 1) == 0) {
            for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
                cursor.position = Math.min(cursor.position, log.tail() - 1);
            }
            log.removeNewest();
            cancelled--;
        }
        log.fit();
        compactIfNeeded();
        log.rebase();
    }

    private void compactIfNeeded() {
        if (cancelled > FEW && cancelled > (log.tail() - log.head()) / 2) {
            replace(log.compacted(countsCalls));
        }
    }

    private void replace(PermitLog other) {
        spare = 0;
        log = other;
        cancelled = 0;
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
        boolean isNearlyFull = refusesOverflowFor(Integer.MAX_VALUE, time) >= 0;
        long available = isNearlyFull ? Long.MAX_VALUE - sumAt(time) : Long.MAX_VALUE;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            long left = Math.max(0, cursor.limit.max() - cursor.used(time, log));
            available = Math.min(available, cursor.limit.isPerCall() && left > 0 ? Long.MAX_VALUE : left);
        }
        return available;
    }

    /**
     * Adds the quota of each limit at {@code nanos}.
     *
     * @param refused the permits of a request that has been refused, or 0
     */
    void addQuotas(long nanos, int refused, List<Quota> quotas) {
        long time = evaluatedAt(nanos);
        long from = orLastSlot(time);
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            long remaining = from == time ? Math.max(0, cursor.limit.max() - cursor.used(from, log)) : 0;
            long more = cursor.limit.max() - remaining - 1;
            long wait = more < 0 ? 0 : from - time + cursor.holdsMoreFor(more, from, log) + 1;
            boolean exceeded = refused != 0 && !cursor.allows(refused, from, log);
            quotas.add(new Quota(cursor.limit, remaining, delay(nanos, time, wait), exceeded));
        }
    }

    boolean isIdle(long nanos) {
        long time = evaluatedAt(nanos);
        long used = 0;
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            used |= cursor.used(orLastSlot(time), log);
        }
        return used == 0 && !isPending(time);
    }

    /** Returns whether it is idle at {@code nanos}, and the latest time is not later. */
    boolean isIdleSince(long nanos) {
        return evaluatedAt(nanos) == nanos && isIdle(nanos);
    }

    /** Sets the latest time of an empty log. */
    void startAt(long nanos) {
        start(log, nanos, nanos);
    }

    /** Sets the state of a new log. */
    void start(PermitLog log, long latest, long lastSlot) {
        spare = 0;
        this.log = log;
        this.latest = latest;
        this.lastSlot = lastSlot;
        deadline = lastSlot;
        started = true;
    }

    /** Removes all entries, and the latest time. */
    void clear() {
        replace(new PermitLog());
        started = false;
        halfTurns += 3; // a slot may be a half turn ahead of the latest time
    }

    /** Returns the state that determines the results of all later calls, except those on reservations. */
    LimiterState state() {
        if (!started) {
            return new LimiterState(limits(), false, 0, 0, new long[0], new long[0], LimiterState.ALL_ONE);
        }
        long from = oldestCounted();
        long[] calls = countsCalls ? log.valuesFrom(CALLS, from) : LimiterState.ALL_ONE;
        return new LimiterState(
                limits(), true, latest, lastSlot, log.timesFrom(from), log.valuesFrom(PERMITS, from), calls);
    }

    /** Throws if an invariant does not hold; for tests. */
    void checkInvariants() {
        log.checkInvariants();
        long empty = 0;
        for (long at = log.head(); at != log.tail(); at++) {
            empty += log.valueOf(PERMITS, at) == 0 ? 1 : 0;
            check(lastSlot - log.time(at) >= 0 || longestNanos() > Long.MAX_VALUE / 2, "an entry after the last slot");
            check(!countsCalls || log.valueOf(PERMITS, at) >= log.valueOf(CALLS, at), "more calls than permits");
        }
        check(empty <= cancelled, "entries without permits that were not cancelled");
        check(cancelled <= FEW || cancelled <= (log.tail() - log.head()) / 2, "too many cancelled");
        check(started || log.head() == log.tail(), "entries without a latest time");
        check(!started || lastSlot - latest >= 0, "a last slot before the latest time");
        for (LimitCursor cursor = first; cursor != null; cursor = cursor.next) {
            cursor.checkInvariants(lastSlot, log);
            check(spare == 0 || spare <= cursor.left(log), "more to spare than is left");
        }
    }
}
