package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link SlidingWindowLimiter} for one thread at a time: the permits granted, and when more can be granted. */
final class Ledger extends PermitLog {
    /*
     * No request overtakes a pending reservation, so every slot granted is at or after the last one, and every request
     * is evaluated there or later. Entries that have expired for every limit at the last slot are removed, and after a
     * grant the windows of the limits end at the last slot.
     *
     * Most grants are in order of time, with more permits left than they need: these only append an entry and add to
     * the sums. So the sums may include entries that have expired since the windows were last moved; they are never too
     * small. Every other call first moves the windows to the last slot, and removes expired entries.
     *
     * A reservation finds its entry by the time of its slot: permits of the same time are one entry, since they enter
     * and leave every window together. The same time recurs when the clock has wrapped around, so half turns are
     * counted.
     */

    /** A single permit would be granted at the latest time. */
    static final int OPEN = 0;

    /** It would not. */
    static final int CLOSED = 1;

    static final int REFUSED = -1;

    /** The longest time for which slots are granted without a search for expired entries: 13 days. */
    private static final long MAX_REACH = 1L << 50;

    /** The tally of the first limit. */
    final Tally first;

    /** Whether there are a latest time and a last slot. If not, the log is empty. */
    private boolean started;

    /** The latest time: the latest that was passed to a call that was granted. */
    private long latest;

    /** The last slot granted, less than 2^63 - 1 after the latest time, and not before it. No entry is later. */
    private long lastSlot;

    /**
     * The last slot that is granted, in an open log, by appending alone: not so late that expired entries stay for
     * long, or that its age does not fit a {@code long}.
     */
    private long deadline;

    /** Whether the windows end at the last slot, and entries expired there have been removed. */
    private boolean settled;

    /** How often the latest time has passed 0 or 2^63, and three more for each {@link #reset}. */
    private long halfTurns;

    /**
     * Whether a call has failed at a point where the entries are right, but values derived from them may be wrong.
     */
    boolean broken;

    private Ledger(Tally first, boolean countsCalls) {
        super(countsCalls);
        this.first = first;
    }

    /** Returns an empty ledger for one limit or more. */
    static Ledger of(Limit... limits) {
        boolean countsCalls = false;
        Tally tally = null;
        for (int i = limits.length - 1; i >= 0; i--) {
            countsCalls |= limits[i].perCall();
            tally = new Tally(limits[i], tally);
        }
        if (tally == null) {
            throw new IllegalArgumentException();
        }
        return new Ledger(tally, countsCalls);
    }

    List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        for (Tally tally = first; tally != null; tally = tally.next) {
            limits.add(tally.limit());
        }
        return List.copyOf(limits);
    }

    long latest() {
        return latest;
    }

    /**
     * Acquires permits as {@link #acquire} if they are available by far and that takes no more than stores; returns
     * {@code false}, and has changed nothing, otherwise. A single permit would be granted then, before and after.
     */
    boolean acquireIfOpen(long nanos, int permits) {
        boolean isLater = nanos - lastSlot > 0;
        if (isLater ? (deadline - nanos | nanos ^ latest) < 0 : lastSlot != latest) { // too late, or a half turn
            return false;
        }
        for (Tally tally = first; tally != null; tally = tally.next) {
            if (!tally.allowsOneMore(permits)) {
                return false;
            }
        }
        if (isLater) {
            if (!appendIfOpen(nanos, permits)) {
                return false;
            }
            latest = nanos;
            lastSlot = nanos;
            settled = false;
        } else if (!addIfOpen(permits)) { // the newest entry of an open log is that of the last slot
            return false;
        }
        for (Tally tally = first; tally != null; tally = tally.next) {
            tally.add(permits);
        }
        return true;
    }

    /**
     * Acquires permits at {@code nanos}, or at the latest time if that is later, if they are available. Returns {@link
     * #REFUSED}, or whether a single permit would be granted now: {@link #OPEN} or {@link #CLOSED}.
     */
    int acquire(long nanos, int permits) {
        if (broken || !settled) {
            settle();
        }
        close();
        settled = false;
        long time = evaluatedAt(nanos);
        if (isPending(time)) {
            return REFUSED;
        }
        for (Tally tally = first; tally != null; tally = tally.next) {
            tally.moveTo(time, this);
            if (!tally.allows(permits)) {
                return REFUSED;
            }
        }
        return grant(time, time, permits);
    }

    /** Returns how long after {@code nanos} an attempt that was refused there succeeds. */
    long delay(long nanos, int permits) {
        settle();
        long time = evaluatedAt(nanos);
        long wait = waitAt(time, permits);
        // A later attempt is evaluated at its own time only if that is less than 2^63 after the latest one.
        return wait < 0 || started && time - latest + wait < 0 ? Long.MAX_VALUE : delay(nanos, time, wait);
    }

    /** Acquires permits at the slot of {@link SlidingWindowLimiter#reserve}, if that is near enough. */
    Reservation reserve(SlidingWindowLimiter limiter, long nanos, int permits, long maxDelayNanos) {
        settle();
        long time = evaluatedAt(nanos);
        long wait = waitAt(time, permits);
        long delay = delay(nanos, time, wait);
        if (wait < 0 || wait > maxDelayNanos || delay == Long.MAX_VALUE) {
            return new Reservation(limiter, delay, 0, 0, 0);
        }
        long slot = time + wait;
        long turns = halfTurnsAt(time) + ((time ^ slot) >>> 63);
        Reservation reservation = new Reservation(limiter, delay, permits, slot, turns);
        moveTo(slot);
        grant(time, slot, permits);
        return reservation;
    }

    private static long delay(long nanos, long time, long wait) {
        long behind = time - nanos;
        long delay = behind + wait;
        return wait == 0 ? 0 : wait < 0 || behind < 0 || delay < 0 ? Long.MAX_VALUE : delay;
    }

    /**
     * Returns how long after the latest time a single permit has to wait: 0 if not at all, negative if 2^63 or more.
     */
    long waitForOne() {
        return started ? waitAt(latest, 1) : 0;
    }

    /** Returns how long after {@code time} the slot of {@code permits} is: negative if 2^63 or more, or never. */
    private long waitAt(long time, int permits) {
        long from = isPending(time) ? lastSlot : time;
        long refusedFor = -1;
        for (Tally tally = first; tally != null; tally = tally.next) {
            if (!tally.canAllow(permits)) {
                return -1;
            }
            tally.moveTo(from, this);
            refusedFor = Math.max(refusedFor, tally.refusedFor(permits, from, this));
        }
        return from - time + refusedFor + 1; // less than 2^64
    }

    /** Grants a slot at which the windows end, and returns whether a single permit would be granted immediately. */
    private int grant(long time, long slot, int permits) {
        long turns = halfTurnsAt(time);
        add(slot, permits);
        // It is granted now; until the next call nothing can fail.
        halfTurns = turns;
        latest = time;
        lastSlot = slot;
        started = true;

        int result = slot == time ? OPEN : CLOSED;
        long longest = 0;
        for (Tally tally = first; tally != null; tally = tally.next) {
            longest = Math.max(longest, tally.intervalNanos());
            if (!tally.add(permits)) {
                result = CLOSED;
            }
        }
        removeExpired();
        deadline = slot + Math.min(reach(slot, longest), MAX_REACH);
        open();
        settled = true;
        return result;
    }

    /** Returns for how long after {@code slot} no chunk expires as a whole. */
    private long reach(long slot, long longest) {
        long lastOfChunk = head() | LONGEST - 1;
        return lastOfChunk < tail() ? longest - (slot - time(lastOfChunk)) : longest;
    }

    /** Removes the entries that are in no window. */
    private void removeExpired() {
        long oldest = Long.MAX_VALUE;
        for (Tally tally = first; tally != null; tally = tally.next) {
            oldest = Math.min(oldest, tally.cursor());
        }
        if (oldest != head()) {
            removeBefore(oldest);
        }
    }

    /** Closes the log, moves the windows to the last slot, and removes entries expired there. */
    void settle() {
        close();
        settled = false;
        repair();
        moveTo(lastSlot);
        removeExpired();
    }

    /** Sets the permits of a reservation; returns {@code false} if it is too late for that. */
    boolean adjust(Reservation reservation, int permits) {
        settle();
        if (reservation.permits == 0 || isExpired(reservation)) {
            return false;
        }
        if (Long.compareUnsigned(lastSlot - reservation.slot, longest()) > 0) {
            reservation.permits = permits; // its entry has expired for every later slot
            return true;
        }
        if (permits == reservation.permits) {
            return true;
        }
        long at = position(reservation.slot, lastSlot);
        long more = (long) permits - reservation.permits;
        long calls = permits == 0 ? -1 : 0;
        change(at, more, calls);
        // It is changed now; until the next call nothing can fail.
        reservation.permits = permits;

        for (Tally tally = first; tally != null; tally = tally.next) {
            tally.change(at, more, calls);
        }
        if (permits == 0 && value(at, PERMITS) == 0) {
            removeCancelled(at);
        }
        return true;
    }

    private void removeCancelled(long at) {
        boolean moved = cancel(at);
        for (Tally tally = first; tally != null; tally = tally.next) {
            if (moved) {
                tally.reset(this);
            } else {
                tally.clampTo(tail());
            }
        }
    }

    /** Whether a reservation has expired for every limit at the latest time, or was made before {@link #reset}. */
    private boolean isExpired(Reservation reservation) {
        long turns = halfTurns - reservation.halfTurns;
        long age = latest - reservation.slot; // right if turns are 0, and as unsigned if 1
        return turns > 1 || turns == 1 && age < 0 || turns >= 0 && age > longest();
    }

    /** Returns the longest interval. */
    long longest() {
        long longest = 0;
        for (Tally tally = first; tally != null; tally = tally.next) {
            longest = Math.max(longest, tally.intervalNanos());
        }
        return longest;
    }

    long available(long nanos) {
        settle();
        long time = evaluatedAt(nanos);
        if (isPending(time)) {
            return 0;
        }
        moveTo(time);
        long available = Long.MAX_VALUE;
        for (Tally tally = first; tally != null; tally = tally.next) {
            available = Math.min(available, tally.available());
        }
        return available;
    }

    boolean isIdle(long nanos) {
        settle();
        long time = evaluatedAt(nanos);
        if (isPending(time)) {
            return false;
        }
        moveTo(time);
        long used = 0;
        for (Tally tally = first; tally != null; tally = tally.next) {
            used |= tally.sum();
        }
        return used == 0;
    }

    /** Whether it is idle at {@code nanos}, and the latest time is not later. */
    boolean isIdleSince(long nanos) {
        return evaluatedAt(nanos) == nanos && isIdle(nanos);
    }

    /** Sets the latest time of a new ledger. */
    void startAt(long nanos) {
        latest = nanos;
        lastSlot = nanos;
        started = true;
    }

    /** Removes all entries, and the latest time. */
    void reset() {
        close();
        broken = true;
        clear();
        started = false;
        halfTurns += 3; // a slot may be a half turn ahead of the latest time

        fit();
        repair();
    }

    /** Returns the state that determines the results of all later calls, except those on reservations. */
    LedgerState state() {
        settle();
        long[] calls = countsCalls ? copy(CALLS) : LedgerState.ALL_ONE;
        return new LedgerState(limits(), started, latest, lastSlot, copy(TIMES), copy(PERMITS), calls);
    }

    /** Takes over a latest time and a last slot, when this has been given the entries and is new otherwise. */
    void start(long latest, long lastSlot) {
        this.latest = latest;
        this.lastSlot = lastSlot;
        started = true;
        broken = true; // nothing is derived from the entries yet
        settle();
    }

    private void moveTo(long time) {
        for (Tally tally = first; tally != null; tally = tally.next) {
            tally.moveTo(time, this);
        }
    }

    private long evaluatedAt(long nanos) {
        return started && nanos - latest < 0 ? latest : nanos; // a difference of 2^63 is below zero too, and not later
    }

    private boolean isPending(long time) {
        return started && lastSlot - time > 0;
    }

    private long halfTurnsAt(long time) {
        return halfTurns + ((latest ^ time) >>> 63);
    }

    /** Computes the values that are derived from the entries, if they may be wrong. */
    private void repair() {
        if (broken) {
            recount();
            for (Tally tally = first; tally != null; tally = tally.next) {
                tally.reset(this);
            }
            broken = false;
        }
    }

    /** Throws if an invariant does not hold; for tests. */
    void checkInvariants() {
        checkOpen(lastSlot);
        if (!broken) {
            checkTallies();
        }
        settle();
        checkInvariants(lastSlot, longest());
        checkTallies();
        if (!started && head() != tail() || started && lastSlot - latest < 0) {
            throw new AssertionError("entries without a latest time, or a last slot before it");
        }
    }

    private void checkTallies() {
        for (@Nullable Tally tally = first; tally != null; tally = tally.next) {
            tally.checkInvariants(this);
        }
    }
}
