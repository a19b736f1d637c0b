package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** Acquires permits at the earliest time that suits all limiters, if that is early enough. */
final class SlotCall extends AcquireCall {
    /** The maximum delay if the permits are to be acquired at once, or not at all. */
    static final long AT_ONCE = -1;

    private final long maxDelayNanos;

    /** To be woken when the reservation releases permits; {@code null} if there is none. */
    private final @Nullable WaitingLine line;

    private @Nullable Reservation reservation;

    SlotCall(Member[] members, long nanos, int permits, long maxDelayNanos) {
        this(members, nanos, permits, maxDelayNanos, null);
    }

    SlotCall(Member[] members, long nanos, int permits, long maxDelayNanos, @Nullable WaitingLine line) {
        super(members, nanos, permits);
        this.maxDelayNanos = maxDelayNanos;
        this.line = line;
    }

    /** Makes the call, and returns the reservation, granted or refused. */
    Reservation reservation() {
        make();
        return requireNonNull(reservation);
    }

    @Override
    boolean isToChange() {
        boolean isGranted = super.isToChange() || maxDelayNanos != AT_ONCE && findSlot();
        reservation = isGranted ? granted() : Reservation.refused(delay, members[0].limiter);
        return isGranted;
    }

    /** Finds the slot, and the delay until then; returns whether it is early enough. */
    private boolean findSlot() {
        long behind = 0; // unsigned: how long after nanos the latest of the times is at which the limiters evaluate
        for (Member member : members) {
            long other = member.time - nanos;
            behind = Long.compareUnsigned(other, behind) > 0 ? other : behind;
        }
        long from = nanos + behind;
        long wait = 0;
        for (Member member : members) {
            SlidingLog log = member.limiter.log;
            long own = log.isTooFar(from, 0) ? SlidingLog.NEVER : log.waitFor(permits, from);
            wait = wait < 0 || own < 0 ? SlidingLog.NEVER : Math.max(wait, own);
        }
        delay = SlidingLog.plus(behind, wait);
        for (Member member : members) {
            member.wait = from + wait - member.time;
        }
        return wait >= 0 && wait <= maxDelayNanos && delay < Long.MAX_VALUE;
    }

    /**
     * Returns the reservation of a slot. Its delay is measured from the time passed in, also if the slot is the latest
     * of the members' times: the permits count at that time, so they may be used then.
     */
    private Reservation granted() {
        Object granted = line;
        for (int i = members.length - 1; i >= 0; i--) {
            Member member = members[i];
            long slot = member.time + member.wait;
            SlidingLog log = member.limiter.log;
            int turns = log.halfTurnsOf(slot, member.time);
            int counted = log.countsCalls() ? permits : -permits;
            granted = new Reservation(delay, member.limiter, member.epoch(), slot, turns, counted, granted);
        }
        return (Reservation) requireNonNull(granted);
    }

    @Override
    boolean isRevocable() {
        return true;
    }
}
