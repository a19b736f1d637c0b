package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The rules of {@link Limiter#allOf} in as few lines as possible, over the models of its limiters. */
final class NaiveJoint {
    /** None of them twice. */
    private final List<NaiveLimiter> members;

    NaiveJoint(List<NaiveLimiter> members) {
        this.members = members;
    }

    /** A reservation in each of several limiters; in none if it was refused. */
    record Reserved(List<NaiveLimiter> members, List<NaiveLimiter.Grant> grants, String text) {
        boolean adjust(int permits) {
            boolean isAny = false;
            for (int i = 0; i < grants.size(); i++) {
                isAny |= members.get(i).adjust(grants.get(i), permits);
            }
            return isAny;
        }
    }

    boolean tryAcquire(long nanos, int permits) {
        return tryAcquireOrDelay(nanos, permits) == 0;
    }

    long tryAcquireOrDelay(long nanos, int permits) {
        long delay = delay(nanos, permits);
        if (delay == 0) {
            members.forEach(member -> member.grant(nanos, member.behind(nanos), permits));
        }
        return delay;
    }

    long delay(long nanos, int permits) {
        return longest(member -> member.delay(nanos, permits));
    }

    private long longest(ToLongFunction<NaiveLimiter> delay) {
        return members.stream().mapToLong(delay).max().orElse(0);
    }

    Reserved reserve(long nanos, int permits, long maxDelayNanos) {
        if (delay(nanos, permits) == 0) {
            List<NaiveLimiter.Grant> grants = new ArrayList<>();
            members.forEach(member -> grants.add(member.grant(nanos, member.behind(nanos), permits)));
            return new Reserved(members, grants, reservation(true, 0));
        }
        long behind = longest(member -> member.behind(nanos));
        // what suits a limiter at one time does so later, too
        long delay = Math.max(behind, longest(member -> member.untilSlot(nanos, permits)));
        List<NaiveLimiter.Grant> grants = new ArrayList<>();
        boolean isGranted = delay < NaiveLimiter.NEVER && delay - behind <= maxDelayNanos;
        if (isGranted) {
            members.forEach(member -> grants.add(member.grant(nanos, delay, permits)));
        }
        return new Reserved(members, grants, reservation(isGranted, delay));
    }

    private static String reservation(boolean isGranted, long delay) {
        return "Reservation[granted=" + isGranted + ", delayNanos=" + delay + "]";
    }

    long available(long nanos) {
        return members.stream()
                .mapToLong(member -> member.available(nanos))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    boolean isIdle(long nanos) {
        return members.stream().allMatch(member -> member.isIdle(nanos));
    }

    Decision decide(long nanos, int permits) {
        long delay = tryAcquireOrDelay(nanos, permits);
        return new Decision(delay, quotas(nanos, delay == 0 ? 0 : permits));
    }

    Decision peek(long nanos, int permits) {
        long delay = delay(nanos, permits);
        return new Decision(delay, quotas(nanos, delay == 0 ? 0 : permits));
    }

    private Quota[] quotas(long nanos, int refused) {
        return members.stream()
                .flatMap(member -> member.quotas(nanos, refused).stream())
                .toArray(Quota[]::new);
    }

    void record(long nanos, int permits) {
        members.forEach(member -> member.record(nanos, permits));
    }

    void closeFor(long nanos, long durationNanos) {
        members.forEach(member -> member.closeFor(nanos, durationNanos));
    }
}
