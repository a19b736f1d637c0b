package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several limiters together, all or nothing. Thread-safe. */
final class JointLimiter implements Limiter {
    /** The maximum number of limiters: each call takes time in proportion to it. */
    private static final int MAX_LIMITERS = 1000;

    /** One or more, none of them joint, and none twice. */
    private final Limiter[] limiters;

    /** The members of every {@link UncontendedAcquire}; {@code null} if there are keys. */
    private final Member @Nullable [] plain;

    private JointLimiter(Limiter[] limiters, boolean hasKeys) {
        this.limiters = limiters;
        this.plain = hasKeys ? null : members(limiters);
    }

    /** Implements {@link Limiter#allOf}. */
    static Limiter allOf(List<? extends Limiter> limiters) {
        Limiter[] distinct = new Limiter[limiters.size()];
        int length = 0;
        boolean hasKeys = false;
        for (Limiter limiter : limiters) {
            Limiter[] parts = limiter instanceof JointLimiter joint ? joint.limiters : null;
            for (int part = 0; part < (parts == null ? 1 : parts.length); part++) {
                Limiter each = parts == null ? limiter : parts[part];
                if (!contains(distinct, length, each)) {
                    distinct = length < distinct.length ? distinct : Arrays.copyOf(distinct, 2 * length);
                    distinct[length++] = each;
                    hasKeys |= each instanceof KeyLimiter;
                }
            }
        }
        if (length == 0 || length > MAX_LIMITERS) {
            throw Arguments.rejected("limiters", length + " limiters", "from 1 to " + MAX_LIMITERS);
        }
        return new JointLimiter(length == distinct.length ? distinct : Arrays.copyOf(distinct, length), hasKeys);
    }

    private static boolean contains(Limiter[] limiters, int length, Limiter limiter) {
        for (int i = 0; i < length; i++) {
            if (limiters[i] == limiter || limiter instanceof KeyLimiter && limiter.equals(limiters[i])) {
                return true;
            }
        }
        return false;
    }

    /** Returns the members of a call on a limiter. */
    static Member[] members(Limiter limiter) {
        return limiter instanceof JointLimiter joint ? members(joint.limiters) : new Member[] {member(limiter)};
    }

    private static Member[] members(Limiter[] limiters) {
        Member[] members = new Member[limiters.length];
        for (int i = 0; i < members.length; i++) {
            members[i] = member(limiters[i]);
        }
        return members;
    }

    private static Member member(Limiter limiter) {
        return limiter instanceof SlidingWindowLimiter single ? new Member(single) : ((KeyLimiter<?>) limiter).member();
    }

    @Override
    public boolean tryAcquire(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        Member[] members = plain == null ? members(limiters) : plain;
        for (Member member : members) {
            if (member.limiter.refuses(nanos)) {
                return false;
            }
        }
        return delayNanos(members, nanos, permits) == 0;
    }

    @Override
    public long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return delayNanos(plain == null ? members(limiters) : plain, nanos, permits);
    }

    private long delayNanos(Member[] members, long nanos, int permits) {
        long delay = UncontendedAcquire.delayNanos(members, nanos, permits);
        return delay == UncontendedAcquire.UNDECIDED
                ? new AcquireCall(plain == null ? members : members(limiters), nanos, permits).delayNanos()
                : delay;
    }

    @Override
    public long available(long nanos) {
        return new AvailableCall(members(limiters), nanos).available();
    }

    @Override
    public boolean isIdle(long nanos) {
        for (Limiter limiter : limiters) {
            if (!limiter.isIdle(nanos)) {
                return false;
            }
        }
        return true;
    }

    /** Returns a string with the limiters. */
    @Override
    public String toString() {
        return "Limiter.allOf" + Arrays.toString(limiters);
    }
}
