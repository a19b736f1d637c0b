package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Several limiters together, all or nothing. Thread-safe. */
final class JointLimiter implements Limiter {
    /** The maximum number of limiters: each call takes time in proportion to it. */
    private static final int MAX_LIMITERS = 1000;

    /** Keys and single limiters, none of them twice. */
    private final Member[] members;

    /** The same if there are no keys, otherwise null: then a call need not make an array of gates. */
    private final Gate @Nullable [] gates;

    private JointLimiter(Member[] members, Gate @Nullable [] gates) {
        this.members = members;
        this.gates = gates;
    }

    /** Returns {@code limiters} together. */
    static Limiter allOf(Limiter[] limiters) {
        Member[] distinct = new Member[limiters.length];
        int size = 0;
        boolean hasKeys = false;
        for (Limiter limiter : limiters) {
            Member[] several = limiter instanceof JointLimiter joint ? joint.members : null;
            for (int i = 0;
                    i < (several == null ? 1 : several.length);
                    i++) { // no array for one: this is made for each call
                Member member = several == null ? (Member) limiter : several[i];
                if (!contains(distinct, size, member)) {
                    if (size == distinct.length) { // several members have taken the place of one
                        distinct = Arrays.copyOf(distinct, 2 * size);
                    }
                    distinct[size++] = member;
                    hasKeys |= !(member instanceof Gate);
                }
            }
            if (size > MAX_LIMITERS) { // before all are compared with each other
                throw Arguments.rejected("limiters", size + " limiters or more", "at most " + MAX_LIMITERS);
            }
        }
        if (hasKeys) {
            return new JointLimiter(size == distinct.length ? distinct : Arrays.copyOf(distinct, size), null);
        }
        Gate[] gates = Arrays.copyOf(distinct, size, Gate[].class);
        return new JointLimiter(gates, gates);
    }

    private static boolean contains(Member[] members, int size, Member member) {
        for (int i = 0; i < size; i++) {
            if (members[i].equals(member)) {
                return true;
            }
        }
        return false;
    }

    /** Returns what a limiter of whatever kind consists of. */
    static Member[] members(Limiter limiter) {
        return limiter instanceof JointLimiter joint ? joint.members : new Member[] {(Member) limiter};
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return run(Requests.TRY_ACQUIRE, nanos, permits);
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return run(Requests.ACQUIRE, nanos, permits);
    }

    private <R> R run(Transaction<R> call, long nanos, int permits) {
        return gates == null ? call.run(members, nanos, permits) : call.runOnGates(gates, nanos, permits);
    }

    /** Returns a string with the limiters. */
    @Override
    public String toString() {
        return "Limiter.allOf" + Arrays.toString(members);
    }
}
