package io.github.hotpath.limit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of {@link Limiter#allOf} in as few lines as possible, over the models of its limiters. */
final class NaiveJoint {
    /** None of them twice. */
    private final List<NaiveLimiter> members;

    NaiveJoint(List<NaiveLimiter> members) {
        this.members = members;
    }

    /** A reservation in each of several limiters. */
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
            members.forEach(member -> member.tryAcquire(nanos, permits));
        }
        return delay;
    }

    long delay(long nanos, int permits) {
        return members.stream()
                .mapToLong(member -> member.delay(nanos, permits))
                .max()
                .orElseThrow();
    }

    Reserved reserve(long nanos, int permits, long maxDelayNanos) {
        if (delay(nanos, permits) == 0) {
            return reserved(nanos, permits, null, 0);
        }
        BigInteger behind = members.stream()
                .map(member -> NaiveLimiter.unsigned(member.evaluatedAt(nanos) - nanos))
                .max(BigInteger::compareTo)
                .orElseThrow();
        BigInteger wait = members.stream()
                .map(member -> wait(member, nanos, behind, permits))
                .max(BigInteger::compareTo)
                .orElseThrow();
        long delay = behind.add(wait).min(NaiveLimiter.LONGEST).longValueExact();
        boolean granted = wait.compareTo(BigInteger.valueOf(maxDelayNanos)) <= 0 && delay < Long.MAX_VALUE;
        return granted
                ? reserved(nanos, permits, behind.add(wait), delay)
                : new Reserved(members, List.of(), NaiveLimiter.reservation(false, delay));
    }

    /** Returns how long after {@code nanos + behind}, the latest of all their times, the slot of one limiter is. */
    private static BigInteger wait(NaiveLimiter member, long nanos, BigInteger behind, int permits) {
        long own = member.evaluatedAt(nanos);
        BigInteger from = member.position(own).add(behind.subtract(NaiveLimiter.unsigned(own - nanos)));
        return member.untilSlot(from, permits);
    }

    /** Grants at {@code slot} nanoseconds after {@code nanos}, or each at its own time. */
    private Reserved reserved(long nanos, int permits, @Nullable BigInteger slot, long delay) {
        List<NaiveLimiter.Grant> grants = new ArrayList<>();
        for (NaiveLimiter member : members) {
            long own = member.evaluatedAt(nanos);
            BigInteger wait = slot == null ? BigInteger.ZERO : slot.subtract(NaiveLimiter.unsigned(own - nanos));
            grants.add(member.grant(own, wait, permits));
        }
        return new Reserved(members, grants, NaiveLimiter.reservation(true, delay));
    }

    long available(long nanos) {
        return members.stream()
                .mapToLong(member -> member.available(nanos))
                .min()
                .orElseThrow();
    }

    Decision decide(long nanos, int permits) {
        long delay = tryAcquireOrDelay(nanos, permits);
        return new Decision(delay, quotas(nanos, delay == 0 ? 0 : permits));
    }

    Decision peek(long nanos, int permits) {
        long delay = delay(nanos, permits);
        return new Decision(delay, quotas(nanos, delay == 0 ? 0 : permits));
    }

    private List<Quota> quotas(long nanos, int refused) {
        return members.stream()
                .flatMap(member -> member.quotas(nanos, refused).stream())
                .toList();
    }

    void record(long nanos, int permits) {
        members.forEach(member -> member.record(nanos, permits));
    }

    void closeFor(long nanos, long durationNanos) {
        members.forEach(member -> member.closeFor(nanos, durationNanos));
    }
}
