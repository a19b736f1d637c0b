package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several limiters together, all or nothing. Thread-safe. */
final class JointLimiter implements Limiter {
    /** The maximum number of limiters: each call takes time in proportion to it. */
    private static final int MAX_LIMITERS = 1000;

    /** None of them twice. Of the type {@code SlidingWindowLimiter[]} if there are no keys. */
    private final Limiter[] members;

    private JointLimiter(Limiter[] members) {
        this.members = members;
    }

    static Limiter allOf(List<? extends Limiter> limiters) {
        List<Limiter> distinct = new ArrayList<>(limiters.size());
        boolean hasKeys = false;
        for (Limiter limiter : limiters) {
            for (Limiter member : members(limiter)) {
                if (!distinct.contains(member)) {
                    distinct.add(member);
                    hasKeys |= member instanceof KeyLimiter<?>;
                }
            }
            if (distinct.size() > MAX_LIMITERS) { // before all are compared with each other
                throw Arguments.rejected("limiters", distinct.size() + " limiters or more", "at most " + MAX_LIMITERS);
            }
        }
        return new JointLimiter(distinct.toArray(hasKeys ? new Limiter[0] : new SlidingWindowLimiter[0]));
    }

    /** Returns the members of a call on a limiter. */
    static Limiter[] members(Limiter limiter) {
        if (limiter instanceof JointLimiter joint) {
            return joint.members;
        }
        return limiter instanceof SlidingWindowLimiter one ? new SlidingWindowLimiter[] {one} : new Limiter[] {limiter};
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return Requests.TRY_ACQUIRE.run(this, nanos, permits) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return Requests.ACQUIRE.run(this, nanos, permits);
    }

    /** Returns a string with the limiters. */
    @Override
    public String toString() {
        return "Limiter.allOf" + Arrays.toString(members);
    }
}
