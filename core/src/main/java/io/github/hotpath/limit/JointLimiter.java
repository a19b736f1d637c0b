package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several limiters together, all or nothing. Thread-safe. */
final class JointLimiter implements Limiter {
    /** The maximum number of limiters: each call takes time in proportion to it. */
    private static final int MAX_LIMITERS = 1000;

    /** None of them twice. */
    private final Member[] members;

    /** Runs {@link #tryAcquire}; {@code null} if there are keys, whose gates are looked up for each call. */
    private final Requests.@Nullable Acquire acquire;

    private JointLimiter(List<Member> distinct) {
        boolean areGates = true;
        for (int i = 0; i < distinct.size(); i++) {
            areGates &= distinct.get(i) instanceof Gate;
        }
        members = distinct.toArray(areGates ? new Gate[0] : new Member[0]);
        acquire = areGates ? new Requests.Acquire(members) : null;
    }

    static Limiter allOf(List<? extends Limiter> limiters) {
        List<Member> distinct = new ArrayList<>(limiters.size());
        for (Limiter limiter : limiters) {
            for (Member member : members(limiter)) {
                if (!distinct.contains(member)) {
                    distinct.add(member);
                }
            }
            if (distinct.size() > MAX_LIMITERS) { // before all are compared with each other
                throw Arguments.rejected("limiters", distinct.size() + " limiters or more", "at most " + MAX_LIMITERS);
            }
        }
        return new JointLimiter(distinct);
    }

    /** Returns the members of a call on a limiter. */
    static Member[] members(Limiter limiter) {
        if (limiter instanceof JointLimiter joint) {
            return joint.members;
        }
        return limiter instanceof Gate gate ? new Gate[] {gate} : new Member[] {(Member) limiter};
    }

    private Requests.Acquire acquire() {
        return acquire == null ? new Requests.Acquire(members) : acquire;
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        Requests.Acquire acquire = acquire();
        return !acquire.isRefused(nanos) && acquire.run(nanos, permits) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return acquire().run(nanos, permits);
    }

    /** Returns a string with the limiters. */
    @Override
    public String toString() {
        return "Limiter.allOf" + Arrays.toString(members);
    }
}
