package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of {@link SlidingWindowLimiter} in as few lines as possible: a list of all grants, which every call searches.
 *
 * <p>Times are compared by their differences, and those that are used together are within 2^61 of each other. An age,
 * the difference to a grant that is not later, is unsigned, since a slot may be nearly 2^63 ahead.
 */
final class NaiveLimiter {
    /** A delay that never ends, or does not fit. */
    static final long NEVER = Long.MAX_VALUE;

    private List<Limit> limits;

    /** What has been granted and not expired, in the order of the slots. */
    private final List<Grant> grants = new ArrayList<>();

    private boolean isStarted;
    private long latest;

    /** No later slot is granted before this one; not before the latest time. */
    private long lastSlot;

    NaiveLimiter(List<Limit> limits) {
        this.limits = limits;
    }

    /** Returns a model under other limits that counts what this one counts; all times are {@code shift} later. */
    NaiveLimiter under(List<Limit> others, long shift) {
        NaiveLimiter other = new NaiveLimiter(others);
        other.isStarted = isStarted;
        other.latest = latest + shift;
        other.lastSlot = lastSlot + shift;
        grants.forEach(grant -> other.grants.add(new Grant(grant.slot + shift, grant.permits)));
        other.removeExpired();
        return other;
    }

    /** What was granted to one call. */
    static final class Grant {
        private final long slot;

        /** 0 once it can no longer be adjusted. */
        private long permits;

        private Grant(long slot, long permits) {
            this.slot = slot;
            this.permits = permits;
        }
    }

    long latest() {
        return latest;
    }

    boolean isStarted() {
        return isStarted;
    }

    /** Begins with a latest time, as the key of a keyed limiter does after an eviction. */
    void startAt(long nanos) {
        advanceTo(nanos);
    }

    /** Returns 0 if the permits can be acquired at once, or how long after {@code nanos} they can. */
    long delay(long nanos, int permits) {
        long delay = untilSlot(nanos, permits);
        return nanos + delay == evaluatedAt(nanos) ? 0 : canBeReached(nanos + delay) ? delay : NEVER;
    }

    /** A time 2^63 or more after the latest one is not later. */
    private boolean canBeReached(long time) {
        return !isStarted || time - latest > 0;
    }

    boolean adjust(Grant grant, int permits) {
        boolean isAdjusted = grant.permits > 0;
        if (isAdjusted) {
            grant.permits = permits;
            grants.removeIf(each -> each.permits == 0);
        }
        return isAdjusted;
    }

    void setLimits(List<Limit> limits) {
        this.limits = limits; // what had expired for all of the old ones has been removed
        removeExpired();
    }

    long available(long nanos) {
        return limits.stream()
                .mapToLong(limit -> limit.isPerCall() && left(limit, nanos) > 0 ? Long.MAX_VALUE : left(limit, nanos))
                .min()
                .orElse(isPending(evaluatedAt(nanos)) ? 0 : Long.MAX_VALUE);
    }

    /** Returns what is left of each limit when {@code refused} permits have been refused, or 0. */
    List<Quota> quotas(long nanos, int refused) {
        return limits.stream()
                .map(limit -> new Quota(
                        limit,
                        left(limit, nanos),
                        nanosUntilMore(limit, nanos),
                        refused > 0 && units(limit, refused) > limit.max() - sum(limit, noEarlierSlot(nanos))))
                .toList();
    }

    /** Tries every time at which something expires, or is no longer pending. */
    private long nanosUntilMore(Limit limit, long nanos) {
        long x = evaluatedAt(nanos);
        long left = left(limit, x);
        return left == limit.max()
                ? 0
                : Stream.concat(Stream.of(lastSlot), grants.stream().map(grant -> grant.slot + interval(limit) + 1))
                        .filter(time -> time - x > 0 && left(limit, time) > left)
                        .map(time -> time - nanos > 0 && canBeReached(time) ? time - nanos : NEVER)
                        .min(Long::compare)
                        .orElse(NEVER);
    }

    void record(long nanos, int permits) {
        grant(nanos, noEarlierSlot(nanos) - nanos, permits);
    }

    void closeFor(long nanos, long durationNanos) {
        long behind = behind(nanos);
        advanceTo(nanos);
        long end = latest + Math.min(Math.max(0, durationNanos - behind), Long.MAX_VALUE - 1);
        lastSlot = later(lastSlot, end);
    }

    boolean isIdle(long nanos) {
        long x = evaluatedAt(nanos);
        return !isPending(x) && limits.stream().allMatch(limit -> sum(limit, x) == 0);
    }

    void clear() {
        grants.forEach(grant -> grant.permits = 0);
        grants.clear();
        isStarted = false;
    }

    /** Returns {@code nanos}, or the latest time if that is later. */
    long evaluatedAt(long nanos) {
        return isStarted ? later(latest, nanos) : nanos;
    }

    /** Returns how long before the latest time {@code nanos} is, or 0. */
    long behind(long nanos) {
        return evaluatedAt(nanos) - nanos;
    }

    private static long later(long time, long other) {
        return other - time > 0 ? other : time;
    }

    private long noEarlierSlot(long nanos) {
        long x = evaluatedAt(nanos);
        return isPending(x) ? lastSlot : x;
    }

    private boolean isPending(long x) {
        return isStarted && lastSlot - x > 0;
    }

    private void advanceTo(long nanos) {
        latest = evaluatedAt(nanos);
        lastSlot = isPending(latest) ? lastSlot : latest;
        isStarted = true;
        removeExpired();
    }

    /** What has expired at the latest time for every limit counts never again, and cannot be adjusted. */
    private void removeExpired() {
        long longest = limits.stream().mapToLong(NaiveLimiter::interval).max().orElse(-1);
        grants.removeIf(grant -> {
            boolean isExpired = longest < 0 || latest - grant.slot > longest;
            grant.permits = isExpired ? 0 : grant.permits;
            return isExpired;
        });
    }

    /** Counts permits at a slot {@code delay} after {@code nanos}, which was found to be right. */
    Grant grant(long nanos, long delay, int permits) {
        advanceTo(nanos);
        lastSlot = nanos + delay;
        Grant grant = new Grant(lastSlot, permits);
        grants.add(grant);
        removeExpired();
        return grant;
    }

    /** Returns how long after {@code nanos} the slot of {@code permits} is, or {@link #NEVER}. */
    long untilSlot(long nanos, int permits) {
        long from = noEarlierSlot(nanos);
        long wait = 0;
        for (Limit limit : limits) {
            if (units(limit, permits) > limit.max()) {
                return NEVER;
            }
            long sum = sum(limit, from);
            for (int i = 0; sum > limit.max() - units(limit, permits); i++) { // until enough of the oldest have left
                Grant oldest = grants.get(i);
                if (isCounting(oldest, limit, from)) {
                    sum -= units(limit, oldest.permits);
                    wait = Math.max(wait, oldest.slot + interval(limit) + 1 - from);
                }
            }
        }
        long delay = from - nanos + wait;
        return from - nanos < 0 || delay < 0 ? NEVER : delay;
    }

    /** Returns what could be acquired under this limit alone. */
    private long left(Limit limit, long nanos) {
        long x = evaluatedAt(nanos);
        return isPending(x) ? 0 : Math.max(0, limit.max() - sum(limit, x));
    }

    /** Sums up what counts at a time, which is no earlier than the last slot. */
    private long sum(Limit limit, long at) {
        long sum = 0;
        for (Grant grant : grants) {
            sum += isCounting(grant, limit, at) ? units(limit, grant.permits) : 0;
        }
        return sum;
    }

    private static boolean isCounting(Grant grant, Limit limit, long at) {
        return Long.compareUnsigned(at - grant.slot, interval(limit)) <= 0;
    }

    private static long units(Limit limit, long permits) {
        return limit.isPerCall() ? 1 : permits;
    }

    private static long interval(Limit limit) {
        return limit.interval().toNanos();
    }
}
