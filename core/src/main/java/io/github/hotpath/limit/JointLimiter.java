package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several limiters together, all or nothing. Thread-safe. */
final class JointLimiter implements Limiter {
    /** The maximum number of limiters: each call takes time in proportion to it. */
    private static final int MAX_LIMITERS = 1000;

    /** One or more, none of them joint, and none twice. */
    private final Limiter[] limiters;

    private JointLimiter(Limiter[] limiters) {
        this.limiters = limiters;
    }

    /** Implements {@link Limiter#allOf}. */
    static Limiter allOf(Limiter... limiters) {
        Limiter[] copy = requireNonNull(limiters, "limiters").clone();
        if (copy.length == 0) {
            throw Arguments.rejected("limiters", "[]", "one or more");
        }
        List<Limiter> distinct = new ArrayList<>(copy.length);
        for (int i = 0; i < copy.length; i++) {
            Limiter limiter = requireNonNull(copy[i], "limiters[" + i + "]");
            if (limiter instanceof JointLimiter joint) {
                for (Limiter each : joint.limiters) {
                    addIfAbsent(each, distinct);
                }
            } else {
                addIfAbsent(limiter, distinct);
            }
        }
        return new JointLimiter(distinct.toArray(Limiter[]::new));
    }

    private static void addIfAbsent(Limiter limiter, List<Limiter> limiters) {
        if (limiters.contains(limiter)) {
            return;
        }
        if (limiters.size() == MAX_LIMITERS) {
            throw Arguments.rejected("limiters", "more than " + MAX_LIMITERS, "at most " + MAX_LIMITERS);
        }
        limiters.add(limiter);
    }

    /** Returns the members of a call on a limiter. */
    static Member[] members(Limiter limiter) {
        Limiter[] limiters = limiter instanceof JointLimiter joint ? joint.limiters : new Limiter[] {limiter};
        Member[] members = new Member[limiters.length];
        for (int i = 0; i < limiters.length; i++) {
            members[i] = limiters[i] instanceof KeyLimiter<?> key
                    ? key.member()
                    : new Member((SlidingWindowLimiter) limiters[i]);
        }
        return members;
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        AcquireCall call = new AcquireCall(members(this), nanos, permits);
        return !call.isRefusedByOne() && call.make();
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        return new AcquireCall(members(this), nanos, permits).delayNanos();
    }

    @Override
    public long available(long nanos) {
        return new AvailableCall(members(this), nanos).available();
    }

    /** Returns a string with the limiters. */
    @Override
    public String toString() {
        return "Limiter.allOf" + Arrays.toString(limiters);
    }
}
