package io.github.hotpath.limit;

/** Counts permits that have been used without asking. */
final class RecordCall extends JointCall<Member> {
    private final int permits;

    RecordCall(Member[] members, long nanos, int permits) {
        super(members, nanos);
        this.permits = permits;
    }

    @Override
    boolean isToChange() {
        for (Member member : members) {
            SlidingLog log = member.limiter.log;
            member.time = log.evaluatedAt(nanos);
            log.checkSum(permits, log.orLastSlot(member.time));
        }
        return true;
    }

    @Override
    void change(Member member) {
        SlidingLog log = member.limiter.log;
        log.grant(member.time, log.orLastSlot(member.time), permits);
    }
}
