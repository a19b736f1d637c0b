package io.github.hotpath.limit;

/** Tells how many permits all limiters would grant. */
final class AvailableCall extends JointCall<Member> {
    private long available;

    AvailableCall(Member[] members, long nanos) {
        super(members, nanos);
    }

    long available() {
        make();
        return available;
    }

    @Override
    boolean isToChange() {
        available = Long.MAX_VALUE;
        for (Member member : members) {
            available = Math.min(available, member.limiter.log.available(nanos));
        }
        return false;
    }

    @Override
    void change(Member member) {
        throw new AssertionError("a read that changes something");
    }
}
