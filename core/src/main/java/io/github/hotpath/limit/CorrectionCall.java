package io.github.hotpath.limit;

/** Sets the permits of a {@link Reservation}, in each limiter in which it is not too late. */
final class CorrectionCall extends JointCall<CorrectionCall.Claimed> {
    private final int permits;

    CorrectionCall(Claim[] claims, int permits) {
        super(members(claims), 0);
        this.permits = permits;
    }

    /** The limiter of a claim. */
    static final class Claimed extends Member {
        final Claim claim;

        Claimed(Claim claim) {
            super(claim.limiter);
            this.claim = claim;
        }
    }

    private static Claimed[] members(Claim[] claims) {
        Claimed[] members = new Claimed[claims.length];
        for (int i = 0; i < claims.length; i++) {
            members[i] = new Claimed(claims[i]);
        }
        return members;
    }

    @Override
    boolean isToChange() {
        boolean isAny = false;
        for (Claimed member : members) {
            Claim claim = member.claim;
            member.isAffected = !claim.limiter.isRetired()
                    && claim.epoch.isCurrent()
                    && claim.limiter.log.canAdjust(claim.slot, claim.halfTurns, claim.permits, permits);
            isAny |= member.isAffected;
        }
        return isAny;
    }

    @Override
    void change(Claimed member) {
        Claim claim = member.claim;
        SlidingLog log = claim.limiter.log;
        log.adjust(claim.slot, claim.permits, permits);
        claim.permits = permits;
        log.removeCancelled();
    }
}
