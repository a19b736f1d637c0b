package io.github.hotpath.limit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules of {@link SlidingWindowLimiter} in as few lines as possible: a list of all grants that still count under
 * some limit, which every call searches.
 *
 * <p>Ages are read as unsigned. That is exact, for a grant in the list is less than 2^63 ns before the latest time, and
 * the time of a read less than 2^63 ns after that.
 */
final class NaiveLimiter {
    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private List<Limit> limits;
    private final List<Grant> grants = new ArrayList<>();
    private boolean started;
    private long latest;
    private long lastSlot;

    /** The latest time on a line that does not wrap. */
    private BigInteger elapsed = BigInteger.ZERO;

    private int clears;

    /** The calls of each slot from before calls were counted: one, and another for each grant there since. */
    private final Map<Long, Long> uncounted = new HashMap<>();

    NaiveLimiter(List<Limit> limits) {
        this.limits = limits;
    }

    /** What was granted to one call; or refused, and then without permits. */
    static final class Grant {
        final long slot;
        final BigInteger elapsed;
        final int clears;
        long permits;
        boolean isForgotten;
        boolean isCounted;
        String text = "";

        Grant(long slot, BigInteger elapsed, int clears, long permits) {
            this.slot = slot;
            this.elapsed = elapsed;
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

    boolean tryAcquire(long nanos, int permits) {
        return tryAcquireOrDelay(nanos, permits) == 0;
    }

    long tryAcquireOrDelay(long nanos, int permits) {
        long x = evaluatedAt(nanos);
        BigInteger wait = untilSlot(x, permits);
        if (wait.signum() == 0) {
            grant(x, wait, permits);
            return 0;
        }
        // An attempt 2^63 after the latest time, or more, would not be later than that.
        boolean never = started && wait.add(BigInteger.valueOf(x - latest)).compareTo(LONGEST) > 0;
        return never ? Long.MAX_VALUE : delay(nanos, x, wait);
    }

    /** Returns what {@link #tryAcquireOrDelay} would. */
    long delay(long nanos, int permits) {
        NaiveLimiter copy = new NaiveLimiter(limits);
        copy.grants.addAll(grants);
        copy.started = started;
        copy.latest = latest;
        copy.lastSlot = lastSlot;
        return copy.tryAcquireOrDelay(nanos, permits);
    }

    Grant reserve(long nanos, int permits, long maxDelayNanos) {
        long x = evaluatedAt(nanos);
        BigInteger wait = untilSlot(x, permits);
        long delay = delay(nanos, x, wait);
        boolean granted = wait.compareTo(BigInteger.valueOf(maxDelayNanos)) <= 0
                && (delay < Long.MAX_VALUE || wait.signum() == 0);
        Grant grant = granted ? grant(x, wait, permits) : new Grant(0, elapsed, clears, 0);
        grant.text = "Reservation[granted=" + granted + ", delayNanos=" + delay + "]";
        return grant;
    }

    private static long delay(long nanos, long x, BigInteger wait) {
        BigInteger behind = new BigInteger(Long.toUnsignedString(x - nanos));
        return wait.signum() == 0 ? 0 : wait.add(behind).min(LONGEST).longValueExact();
    }

    boolean adjust(Grant grant, int permits) {
        if (grant.permits == 0 || grant.clears != clears || isExpired(grant) || grant.isForgotten) {
            return false;
        }
        grant.permits = permits;
        long left = grants.stream()
                .filter(other -> other.slot == grant.slot)
                .mapToLong(other -> other.permits)
                .sum();
        boolean isCallLess = permits == 0 && grant.isCounted;
        uncounted.computeIfPresent(
                grant.slot, (slot, calls) -> Math.min(left, isCallLess ? Math.max(calls - 1, 1) : calls));
        return true;
    }

    void setLimits(List<Limit> limits) {
        forgetExpired();
        boolean countedCalls = countsCalls();
        this.limits = limits;
        uncounted.keySet().removeIf(slot -> !countsCalls());
        if (countsCalls() && !countedCalls) {
            grants.stream().filter(grant -> grant.permits > 0).forEach(grant -> uncounted.put(grant.slot, 1L));
        }
    }

    private boolean countsCalls() {
        return limits.stream().anyMatch(Limit::perCall);
    }

    private void forgetExpired() {
        grants.stream().filter(this::isExpired).forEach(grant -> {
            grant.isForgotten = true;
            uncounted.remove(grant.slot);
        });
        grants.removeIf(this::isExpired);
    }

    /** Returns how much of a limit one grant uses: calls at the same time are those of the first that is left. */
    private long units(Limit limit, Grant grant) {
        if (!limit.perCall() || !uncounted.containsKey(grant.slot)) {
            return limit.perCall() ? Math.min(1, grant.permits) : grant.permits;
        }
        Optional<Grant> first = grants.stream()
                .filter(other -> other.slot == grant.slot && other.permits > 0)
                .findFirst();
        return first.isPresent() && first.get() == grant ? uncounted.get(grant.slot) : 0;
    }

    long available(long nanos) {
        long x = evaluatedAt(nanos);
        if (isPending(x)) {
            return 0;
        }
        long available = Long.MAX_VALUE;
        for (Limit limit : limits) {
            long left = Math.max(0, limit.permits() - sum(limit, x));
            available = Math.min(available, limit.perCall() && left > 0 ? Long.MAX_VALUE : left);
        }
        return available;
    }

    boolean isIdle(long nanos) {
        long x = evaluatedAt(nanos);
        return !isPending(x) && limits.stream().allMatch(limit -> sum(limit, x) == 0);
    }

    void clear() {
        grants.clear();
        uncounted.clear();
        clears++;
        started = false;
    }

    @Override
    public String toString() {
        return "SlidingWindowLimiter[limits=" + limits + ", available=" + available(latest) + "]";
    }

    private long evaluatedAt(long nanos) {
        return !started || nanos - latest > 0 ? nanos : latest;
    }

    private boolean isPending(long x) {
        return started && lastSlot - x > 0;
    }

    private Grant grant(long x, BigInteger wait, int permits) {
        if (started) {
            elapsed = elapsed.add(BigInteger.valueOf(x - latest));
        }
        started = true;
        latest = x;
        lastSlot = x + wait.longValueExact();
        forgetExpired();
        Grant grant = new Grant(lastSlot, elapsed.add(wait), clears, permits);
        grant.isCounted = countsCalls();
        uncounted.computeIfPresent(lastSlot, (slot, calls) -> calls + 1);
        grants.add(grant);
        return grant;
    }

    /** Whether it has expired for every limit at the latest time. */
    private boolean isExpired(Grant grant) {
        BigInteger age = elapsed.subtract(grant.elapsed);
        return limits.stream().allMatch(limit -> age.compareTo(BigInteger.valueOf(nanos(limit))) > 0);
    }

    /** Returns how long after {@code x} the slot of {@code permits} is; longer than any if never. */
    private BigInteger untilSlot(long x, int permits) {
        long from = isPending(x) ? lastSlot : x;
        BigInteger longest = BigInteger.ZERO;
        for (Limit limit : limits) {
            long units = limit.perCall() ? 1 : permits;
            if (units > limit.permits()) {
                return LONGEST.shiftLeft(2);
            }
            long sum = sum(limit, from);
            for (int i = 0; sum > limit.permits() - units; i++) { // until enough of the oldest have left
                Grant oldest = grants.get(i);
                if (isIn(oldest.slot, from, limit) && oldest.permits > 0) {
                    sum -= units(limit, oldest);
                    longest = longest.max(BigInteger.valueOf(nanos(limit) - (from - oldest.slot))
                            .add(BigInteger.ONE));
                }
            }
        }
        return longest.add(BigInteger.valueOf(from - x));
    }

    private long sum(Limit limit, long at) {
        long sum = 0;
        for (Grant grant : grants) {
            if (grant.permits > 0 && isIn(grant.slot, at, limit)) {
                sum += units(limit, grant);
            }
        }
        return sum;
    }

    private static boolean isIn(long slot, long at, Limit limit) {
        return Long.compareUnsigned(at - slot, nanos(limit)) <= 0;
    }

    private static long nanos(Limit limit) {
        return limit.interval().toNanos();
    }
}
