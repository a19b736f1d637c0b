package io.github.hotpath.limit;

/** Grants nothing for some time. */
final class CloseCall extends JointCall<Member> {
    private final long durationNanos;

    CloseCall(Member[] members, long nanos, long durationNanos) {
        super(members, nanos);
        this.durationNanos = durationNanos;
    }

    @Override
    boolean isToChange() {
        boolean isAny = false;
        for (Member member : members) {
            member.time = member.limiter.log.evaluatedAt(nanos);
            long behind = member.time - nanos; // unsigned
            boolean isLater = Long.compareUnsigned(durationNanos, behind) > 0;
            member.wait = isLater ? Math.min(durationNanos - behind, Long.MAX_VALUE - 1) : 0;
            member.isAffected = isLater || !member.isNew(); // no key is added for nothing
            isAny |= member.isAffected;
        }
        return isAny;
    }

    @Override
    void change(Member member) {
        member.limiter.log.closeFor(member.time, member.wait);
    }

    @Override
    boolean isRevocable() {
        return true;
    }
}
