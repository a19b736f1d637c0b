package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets the permits of a {@link Reservation}, in each limiter in which it is not too late. */
final class CorrectionCall extends JointCall<CorrectionCall.Reserved> {
    private final int permits;
    private boolean isReleasing;

    CorrectionCall(Reservation reservation, int permits) {
        super(members(reservation), 0);
        this.permits = permits;
    }

    /** A limiter, and the reservation in it. */
    static final class Reserved extends Member {
        final Reservation reservation;

        Reserved(Reservation reservation) {
            super(reservation.limiter);
            this.reservation = reservation;
        }
    }

    private static Reserved[] members(@Nullable Reservation first) {
        List<Reserved> members = new ArrayList<>(1);
        for (Reservation each = first; each != null; each = each.next()) {
            members.add(new Reserved(each));
        }
        return members.toArray(Reserved[]::new);
    }

    /** Returns whether the call, which has been made, has released permits. */
    boolean isReleasing() {
        return isReleasing;
    }

    @Override
    boolean isToChange() {
        boolean isAny = false;
        for (Reserved member : members) {
            Reservation reserved = member.reservation;
            member.isAffected = !reserved.limiter.isRetired()
                    && (reserved.epoch == null || reserved.epoch.isCurrent())
                    && reserved.limiter.log.canAdjust(
                            reserved.slot, reserved.halfTurns, Math.abs(reserved.permits), permits);
            isAny |= member.isAffected;
        }
        return isAny;
    }

    @Override
    void change(Reserved member) {
        Reservation reserved = member.reservation;
        SlidingLog log = reserved.limiter.log;
        int before = reserved.permits;
        isReleasing |= permits < Math.abs(before);
        log.adjust(reserved.slot, Math.abs(before), permits, before > 0);
        reserved.permits = before > 0 ? permits : -permits;
        log.removeCancelled();
    }
}
