package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.util.Arrays;

/** Several limiters together, all or nothing. Thread-safe. */
final class JointLimiter implements Limiter {
    /** The maximum number of limiters: each call takes time in proportion to it. */
    private static final int MAX_LIMITERS = 1000;

    /** Keys and single limiters, none of them twice. Of the type {@code SlidingWindowLimiter[]} if there are no keys. */
    private final Limiter[] members;

    private JointLimiter(Limiter[] members) {
        this.members = members;
    }

    /** Returns {@code limiters} together; the array belongs to the result from now on. */
    static Limiter allOf(Limiter[] limiters) {
        Limiter[] distinct = limiters;
        int size = 0;
        boolean hasKeys = false;
        for (int i = 0; i < limiters.length; i++) {
            Limiter one = limiters[i];
            Limiter[] several = one instanceof JointLimiter joint ? joint.members : null;
            for (int j = 0; j < (several == null ? 1 : several.length); j++) {
                Limiter member = several == null ? one : several[j];
                if (!contains(distinct, size, member)) {
                    if (size > i || size == distinct.length) { // several members have taken the place of one
                        distinct = Arrays.copyOf(distinct, size + 1);
                    }
                    distinct[size++] = member;
                    hasKeys |= member instanceof KeyLimiter;
                }
            }
            if (size > MAX_LIMITERS) { // before all are compared with each other
                throw Arguments.rejected("limiters", size + " limiters or more", "at most " + MAX_LIMITERS);
            }
        }
        if (size < distinct.length || !hasKeys) {
            distinct = Arrays.copyOf(distinct, size, hasKeys ? Limiter[].class : SlidingWindowLimiter[].class);
        }
        return new JointLimiter(distinct);
    }

    private static boolean contains(Limiter[] limiters, int size, Limiter limiter) {
        for (int i = 0; i < size; i++) {
            if (limiters[i].equals(limiter)) {
                return true;
            }
        }
        return false;
    }

    /** Makes a call on a limiter, of whatever kind. A key without entry gets one, unless the call only reads. */
    static <R> R run(Transaction<R> call, Limiter limiter, long nanos, int permits) {
        if (limiter instanceof JointLimiter joint) {
            return run(call, joint.members, nanos, permits);
        }
        Limiter[] alone = limiter instanceof SlidingWindowLimiter one
                ? new SlidingWindowLimiter[] {one}
                : new Limiter[] {limiter};
        return run(call, alone, nanos, permits);
    }

    private static <R> R run(Transaction<R> call, Limiter[] members, long nanos, int permits) {
        R result;
        do {
            Gate[] gates = members instanceof SlidingWindowLimiter[] same ? same : new Gate[members.length];
            for (int i = 0; i < gates.length; i++) {
                Gate gate = members[i] instanceof KeyLimiter<?> key ? key.find() : (Gate) members[i];
                R known = gate == null ? null : call.knownResult(gate, nanos);
                if (known != null) {
                    return known;
                }
                if (gate != null && gates != members) { // all threads have the same members
                    gates[i] = gate;
                }
            }
            for (int i = 0; i < gates.length; i++) {
                if (gates[i] == null) {
                    gates[i] = ((KeyLimiter<?>) members[i]).findOrMake(call.onlyReads());
                }
            }
            try {
                result = call.runOnce(gates, nanos, permits);
            } finally {
                for (int i = 0; !call.onlyReads() && i < gates.length; i++) {
                    gates[i].rotate(nanos);
                }
            }
        } while (result == null);
        return result;
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return run(Requests.TRY_ACQUIRE, members, nanos, permits);
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return run(Requests.ACQUIRE, members, nanos, permits);
    }

    /** Returns a string with the limiters. */
    @Override
    public String toString() {
        return "Limiter.allOf" + Arrays.toString(members);
    }
}
