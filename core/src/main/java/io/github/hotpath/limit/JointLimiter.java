package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several limiters together, all or nothing. Thread-safe. */
final class JointLimiter implements Limiter {
    /** The maximum number of limiters: each call takes time in proportion to it. */
    private static final int MAX_LIMITERS = 1000;

    /** None of them twice. Of the type {@code Gate[]} if there are no keys. */
    private final Member[] members;

    private JointLimiter(Member[] members) {
        this.members = members;
    }

    static Limiter allOf(List<? extends Limiter> limiters) {
        List<Member> distinct = new ArrayList<>(limiters.size());
        boolean hasKeys = false;
        for (Limiter limiter : limiters) {
            for (Member member : members(limiter)) {
                if (!distinct.contains(member)) {
                    distinct.add(member);
                    hasKeys |= !(member instanceof Gate);
                }
            }
            if (distinct.size() > MAX_LIMITERS) { // before all are compared with each other
                throw Arguments.rejected("limiters", distinct.size() + " limiters or more", "at most " + MAX_LIMITERS);
            }
        }
        return new JointLimiter(distinct.toArray(hasKeys ? new Member[0] : new Gate[0]));
    }

    /** Returns the members of a call on a limiter. */
    static Member[] members(Limiter limiter) {
        if (limiter instanceof JointLimiter joint) {
            return joint.members;
        }
        return limiter instanceof Gate gate ? new Gate[] {gate} : new Member[] {(Member) limiter};
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return Requests.TRY_ACQUIRE.run(members, nanos, permits) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return Requests.ACQUIRE.run(members, nanos, permits);
    }

    /** Returns a string with the limiters. */
    @Override
    public String toString() {
        return "Limiter.allOf" + Arrays.toString(members);
    }
}
