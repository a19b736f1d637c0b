package io.github.hotpath.limit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of {@link SlidingWindowLimiter} in as few lines as possible: a list of all grants that still count under
 * some limit, which every call searches.
 *
 * <p>Times are positions on a line that does not wrap. It begins with the first latest time.
 */
final class NaiveLimiter {
    static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

    /** A wait that never ends. */
    static final BigInteger NEVER = LONGEST.shiftLeft(3);

    private List<Limit> limits;
    private final List<Grant> grants = new ArrayList<>();
    private boolean started;
    private long latest;

    /** The latest time on the line, and the last slot. */
    private BigInteger elapsed = BigInteger.ZERO;

    private BigInteger lastSlot = BigInteger.ZERO;
    private int clears;

    NaiveLimiter(List<Limit> limits) {
        this.limits = limits;
    }

    /** Returns a model under other limits that counts what this one counts; all times are {@code shift} later. */
    NaiveLimiter under(List<Limit> others, long shift) {
        NaiveLimiter other = new NaiveLimiter(others);
        other.started = started;
        other.latest = latest + shift;
        other.lastSlot = lastSlot;
        other.elapsed = elapsed;
        for (Grant grant : grants) {
            if (grant.permits > 0 && !isExpired(grant)) {
                other.grants.add(new Grant(grant.slot, 0, grant.permits));
            }
        }
        return other;
    }

    /** What was granted to one call; or refused, and then without permits. */
    static final class Grant {
        private final BigInteger slot;
        private final long lowBits;
        private final int clears;
        private long permits;
        private boolean isForgotten;
        private String text = "";

        private Grant(BigInteger slot, int clears, long permits) {
            this.slot = slot;
            this.lowBits = slot.longValue();
            this.clears = clears;
            this.permits = permits;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    int size() {
        return grants.size();
    }

    long latest() {
        return latest;
    }

    /** Begins with a latest time, as the key of a keyed limiter does after an eviction. */
    void startAt(long nanos) {
        moveTo(nanos);
        lastSlot = elapsed;
    }

    boolean tryAcquire(long nanos, int permits) {
        return tryAcquireOrDelay(nanos, permits) == 0;
    }

    long tryAcquireOrDelay(long nanos, int permits) {
        long delay = delay(nanos, permits);
        if (delay == 0) {
            grant(evaluatedAt(nanos), BigInteger.ZERO, permits);
        }
        return delay;
    }

    /** Returns what {@link #tryAcquireOrDelay} would. */
    long delay(long nanos, int permits) {
        long x = evaluatedAt(nanos);
        return delayIfReached(nanos, x, untilSlot(position(x), permits));
    }

    /** An attempt 2^63 after the latest time, or more, would not be later than that. */
    private long delayIfReached(long nanos, long x, BigInteger wait) {
        boolean never = started && position(x).add(wait).subtract(elapsed).compareTo(LONGEST) > 0;
        return wait.signum() == 0 ? 0 : never ? Long.MAX_VALUE : delay(unsigned(x - nanos), wait);
    }

    Grant reserve(long nanos, int permits, long maxDelayNanos) {
        long x = evaluatedAt(nanos);
        BigInteger wait = untilSlot(position(x), permits);
        long delay = delay(unsigned(x - nanos), wait);
        boolean granted = wait.compareTo(BigInteger.valueOf(maxDelayNanos)) <= 0
                && (delay < Long.MAX_VALUE || wait.signum() == 0);
        Grant grant = granted ? grant(x, wait, permits) : new Grant(elapsed, clears, 0);
        grant.text = reservation(granted, delay);
        return grant;
    }

    static String reservation(boolean granted, long delay) {
        return "Reservation[granted=" + granted + ", delayNanos=" + delay + "]";
    }

    static long delay(BigInteger behind, BigInteger wait) {
        return wait.signum() == 0 ? 0 : wait.add(behind).min(LONGEST).longValueExact();
    }

    static BigInteger unsigned(long number) {
        return new BigInteger(Long.toUnsignedString(number));
    }

    boolean adjust(Grant grant, int permits) {
        if (grant.permits == 0 || grant.clears != clears || isExpired(grant) || grant.isForgotten) {
            return false;
        }
        grant.permits = permits;
        return true;
    }

    void setLimits(List<Limit> limits) {
        forgetExpired();
        this.limits = limits;
    }

    private void forgetExpired() {
        grants.stream().filter(this::isExpired).forEach(grant -> grant.isForgotten = true);
        grants.removeIf(this::isExpired);
    }

    long available(long nanos) {
        BigInteger at = position(evaluatedAt(nanos));
        if (isPending(at)) {
            return 0;
        }
        long available = Long.MAX_VALUE;
        for (Limit limit : limits) {
            long left = left(limit, at);
            available = Math.min(available, limit.isPerCall() && left > 0 ? Long.MAX_VALUE : left);
        }
        return available;
    }

    Decision decide(long nanos, int permits) {
        long delay = tryAcquireOrDelay(nanos, permits);
        return new Decision(delay, quotas(nanos, delay == 0 ? 0 : permits));
    }

    Decision peek(long nanos, int permits) {
        long delay = delay(nanos, permits);
        return new Decision(delay, quotas(nanos, delay == 0 ? 0 : permits));
    }

    /** Returns what is left of each limit when {@code refused} permits have been refused, or 0. */
    List<Quota> quotas(long nanos, int refused) {
        long x = evaluatedAt(nanos);
        BigInteger at = position(x);
        List<Quota> quotas = new ArrayList<>();
        for (Limit limit : limits) {
            BigInteger slot = at.max(orElapsed(lastSlot));
            boolean exceeded = refused > 0 && units(limit, refused) > limit.max() - sum(limit, slot);
            quotas.add(new Quota(limit, grantable(limit, at), nanosUntilMore(limit, nanos, x), exceeded));
        }
        return quotas;
    }

    /** Returns what could be acquired under this limit alone. */
    private long grantable(Limit limit, BigInteger at) {
        return isPending(at) ? 0 : left(limit, at);
    }

    /** Tries every time at which something expires, or is no longer pending. */
    private long nanosUntilMore(Limit limit, long nanos, long x) {
        BigInteger at = position(x);
        long now = grantable(limit, at);
        if (now == limit.max()) {
            return 0;
        }
        BigInteger wait = Stream.concat(
                        Stream.of(lastSlot), grants.stream().map(grant -> grant.slot.add(nanosAfter(limit))))
                .filter(time -> time.compareTo(at) > 0)
                .sorted()
                .filter(time -> grantable(limit, time) > now)
                .findFirst()
                .orElseThrow()
                .subtract(at);
        return delayIfReached(nanos, x, wait);
    }

    void record(long nanos, int permits) {
        long x = evaluatedAt(nanos);
        BigInteger at = position(x);
        grant(x, at.max(orElapsed(lastSlot)).subtract(at), permits);
    }

    void closeFor(long nanos, long durationNanos) {
        long x = evaluatedAt(nanos);
        BigInteger wait = BigInteger.valueOf(durationNanos).subtract(unsigned(x - nanos));
        boolean wasStarted = started;
        moveTo(x);
        BigInteger end = elapsed.add(wait.max(BigInteger.ZERO).min(LONGEST.subtract(BigInteger.ONE)));
        lastSlot = wasStarted ? lastSlot.max(end) : end;
    }

    boolean isIdle(long nanos) {
        BigInteger at = position(evaluatedAt(nanos));
        return !isPending(at) && limits.stream().allMatch(limit -> sum(limit, at) == 0);
    }

    void clear() {
        grants.clear();
        clears++;
        started = false;
    }

    @Override
    public String toString() {
        return "SlidingWindowLimiter[limits=" + limits + ", available=" + available(latest) + "]";
    }

    /** Returns {@code nanos}, or the latest time if that is later. */
    long evaluatedAt(long nanos) {
        return !started || nanos - latest > 0 ? nanos : latest;
    }

    /** Returns where a time is on the line, which is not before the latest one. */
    BigInteger position(long time) {
        return started ? elapsed.add(unsigned(time - latest)) : elapsed;
    }

    /** Whether a position is so far from the latest time that a time there would not be later. */
    private boolean isTooFar(BigInteger at) {
        return started && at.subtract(elapsed).compareTo(LONGEST) > 0;
    }

    private BigInteger orElapsed(BigInteger slot) {
        return started ? slot : elapsed;
    }

    private boolean isPending(BigInteger at) {
        return started && lastSlot.compareTo(at) > 0;
    }

    private void moveTo(long x) {
        elapsed = position(x);
        latest = x;
        started = true;
        forgetExpired();
    }

    /** Counts permits at {@code wait} after {@code x}, which becomes the latest time. */
    Grant grant(long x, BigInteger wait, int permits) {
        moveTo(x);
        lastSlot = elapsed.add(wait);
        Grant grant = new Grant(lastSlot, clears, permits);
        grants.add(grant);
        return grant;
    }

    /** Whether it has expired for every limit at the latest time. */
    private boolean isExpired(Grant grant) {
        return limits.stream().allMatch(limit -> elapsed.compareTo(grant.slot.add(nanosAfter(limit))) >= 0);
    }

    /** Returns how long after {@code at} the slot of {@code permits} is; {@link #NEVER} if there is none. */
    BigInteger untilSlot(BigInteger at, int permits) {
        BigInteger from = at.max(orElapsed(lastSlot));
        BigInteger slot = from;
        for (Limit limit : limits) {
            long units = units(limit, permits);
            if (units > limit.max()) {
                return NEVER;
            }
            long sum = sum(limit, from);
            for (int i = 0; sum > limit.max() - units; i++) { // until enough of the oldest have left
                Grant oldest = grants.get(i);
                if (counts(oldest, limit, from)) {
                    sum -= units(limit, oldest.permits);
                    slot = slot.max(oldest.slot.add(nanosAfter(limit)));
                }
            }
        }
        return slot.subtract(at);
    }

    private long left(Limit limit, BigInteger at) {
        return Math.max(0, limit.max() - sum(limit, at));
    }

    private long sum(Limit limit, BigInteger at) {
        long sum = 0;
        boolean isNear = !isTooFar(at);
        long lowBits = at.longValue();
        long interval = limit.interval().toNanos();
        for (Grant grant : grants) {
            boolean counts = isNear // then no age is 2^64 or more: nothing is older than 2^63 at the latest time
                    ? grant.permits > 0 && Long.compareUnsigned(lowBits - grant.lowBits, interval) <= 0
                    : counts(grant, limit, at);
            sum += counts ? units(limit, grant.permits) : 0;
        }
        return sum;
    }

    private static boolean counts(Grant grant, Limit limit, BigInteger at) {
        return grant.permits > 0 && at.compareTo(grant.slot.add(nanosAfter(limit))) < 0;
    }

    private static long units(Limit limit, long permits) {
        return limit.isPerCall() ? 1 : permits;
    }

    /** Returns after how many nanoseconds a grant does not count any more. */
    private static BigInteger nanosAfter(Limit limit) {
        return BigInteger.valueOf(limit.interval().toNanos()).add(BigInteger.ONE);
    }
}
