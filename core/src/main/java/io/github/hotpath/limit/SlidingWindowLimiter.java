package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A limiter that never grants more than its limits allow in any time span of their length, wherever it begins.
 * Thread-safe.
 */
public final class SlidingWindowLimiter {
    /** Permits at a time. */
    static final class Entry {
        private final long time;
        private long permits;

        Entry(long time, long permits) {
            this.time = time;
            this.permits = permits;
        }
    }

    private final List<Limit> limits;
    private final List<Entry> entries = new ArrayList<>();
    private boolean started;
    private long latest;
    private long lastSlot;

    private SlidingWindowLimiter(List<Limit> limits) {
        this.limits = limits;
    }

    /**
     * Returns a new limiter, with nothing acquired.
     *
     * @param limits one or more, which all apply
     * @return a new limiter
     * @throws NullPointerException if {@code limits} or one of them is null
     * @throws IllegalArgumentException if there are none
     */
    public static SlidingWindowLimiter of(Limit... limits) {
        requireNonNull(limits, "limits");
        if (limits.length == 0) {
            throw Arguments.rejected("limits", "none", "one or more");
        }
        return new SlidingWindowLimiter(List.of(limits));
    }

    /**
     * Acquires {@code permits} immediately under every limit, or changes nothing.
     *
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return whether they were acquired
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
    public boolean tryAcquire(long nanos, int permits) {
        return tryAcquireOrDelay(nanos, permits) == 0;
    }

    /**
     * Acquires {@code permits} immediately under every limit, or changes nothing and returns when that would succeed.
     *
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return 0 if they were acquired; otherwise the least number of nanoseconds after {@code nanos} at which an attempt
     *     succeeds if nothing else is acquired until then, {@link Long#MAX_VALUE} if never or if it does not fit
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
    public synchronized long tryAcquireOrDelay(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        long x = evaluatedAt(nanos);
        long wait = waitFrom(x, permits);
        if (wait == 0) {
            grant(x, x, permits);
            return 0;
        }
        if (wait < 0 || started && x + wait - latest <= 0) {
            return Long.MAX_VALUE;
        }
        return delay(nanos, x, wait);
    }

    /**
     * Acquires {@code permits} at the earliest slot that every limit allows and that is not before the last slot
     * granted, if it is near enough.
     *
     * @param nanos the time of the call
     * @param permits at least 1
     * @param maxDelay zero or more: how long after {@code nanos}, or the latest time if that is later, the slot may be
     * @return the reservation, granted or refused
     * @throws NullPointerException if {@code maxDelay} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1 or {@code maxDelay} is negative
     */
    public synchronized Reservation reserve(long nanos, int permits, Duration maxDelay) {
        Arguments.checkAtLeast(1, permits, "permits");
        long most = Arguments.saturatedNanos(maxDelay, "maxDelay");
        long x = evaluatedAt(nanos);
        long wait = waitFrom(x, permits);
        long delay = delay(nanos, x, wait);
        if (wait < 0 || wait > most || delay == Long.MAX_VALUE) {
            return new Reservation(this, new Entry(0, 0), false, delay);
        }
        return new Reservation(this, grant(x, x + wait, permits), true, delay);
    }

    /**
     * Returns how many permits {@link #tryAcquire} would grant at {@code nanos}. Changes nothing.
     *
     * @param nanos the time to evaluate at
     * @return the permits available; {@link Long#MAX_VALUE} if only limits of calls apply and a call is left; 0 while a
     *     reservation is pending
     */
    public synchronized long available(long nanos) {
        long x = evaluatedAt(nanos);
        if (started && lastSlot - x > 0) {
            return 0;
        }
        long available = Long.MAX_VALUE;
        for (Limit limit : limits) {
            long left = Math.max(0, limit.permits() - sum(limit, x));
            available = Math.min(available, limit.perCall() && left > 0 ? Long.MAX_VALUE : left);
        }
        return available;
    }

    /**
     * Returns whether nothing counts under any limit at {@code nanos} and no slot is pending: then the limiter can be
     * discarded and recreated without observable effect for calls not earlier than {@code nanos}. Changes nothing.
     *
     * @param nanos the time to evaluate at
     * @return whether the limiter is idle
     */
    public synchronized boolean isIdle(long nanos) {
        long x = evaluatedAt(nanos);
        return !started || lastSlot - x <= 0 && limits.stream().allMatch(limit -> sum(limit, x) == 0);
    }

    /** Resets the limiter to its initial state. Reservations made before can no longer be adjusted or cancelled. */
    public synchronized void clear() {
        entries.clear();
        started = false;
    }

    /** {@return the limits, in the order given} */
    public List<Limit> limits() {
        return limits;
    }

    /** Returns the limits and the permits available at the latest time. */
    @Override
    public synchronized String toString() {
        return "SlidingWindowLimiter[limits=" + limits + ", available=" + available(latest) + "]";
    }

    synchronized boolean adjust(Entry entry, int permits) {
        int at = entries.indexOf(entry);
        if (at < 0) {
            return false;
        }
        if (permits == 0) {
            entries.remove(at);
        }
        entry.permits = permits;
        return true;
    }

    private long evaluatedAt(long nanos) {
        return started && nanos - latest < 0 ? latest : nanos;
    }

    private Entry grant(long x, long slot, int permits) {
        Entry entry = new Entry(slot, permits);
        entries.removeIf(old ->
                latest - old.time >= 0 && x - latest >= 0 && limits.stream().allMatch(limit -> isOut(old, limit, x)));
        entries.add(entry);
        latest = x;
        lastSlot = slot;
        started = true;
        return entry;
    }

    /** Returns the nanoseconds from {@code x} to the slot of {@code permits}; negative if they do not fit. */
    private long waitFrom(long x, int permits) {
        long from = started && lastSlot - x > 0 ? lastSlot : x;
        long longest = 0;
        for (Limit limit : limits) {
            long need = (limit.perCall() ? 1 : permits) - limit.permits();
            if (need > 0) {
                return -1;
            }
            need += sum(limit, from);
            for (int i = 0; need > 0; i++) {
                Entry entry = entries.get(i);
                if (!isOut(entry, limit, from)) {
                    need -= limit.perCall() ? 1 : entry.permits;
                    long wait = nanos(limit) - (from - entry.time) + 1;
                    longest = Long.compareUnsigned(wait, longest) > 0 ? wait : longest;
                }
            }
        }
        return longest + (from - x); // less than 2^64; negative from 2^63
    }

    private static long delay(long nanos, long x, long wait) {
        if (wait == 0) {
            return 0;
        }
        long behind = x - nanos;
        long delay = behind + wait;
        return wait < 0 || behind < 0 || delay < 0 ? Long.MAX_VALUE : delay;
    }

    private long sum(Limit limit, long at) {
        long sum = 0;
        for (Entry entry : entries) {
            sum += isOut(entry, limit, at) ? 0 : limit.perCall() ? 1 : entry.permits;
        }
        return sum;
    }

    /** Whether an entry, not later than {@code at}, has expired under a limit then. */
    private static boolean isOut(Entry entry, Limit limit, long at) {
        return Long.compareUnsigned(at - entry.time, nanos(limit)) > 0;
    }

    private static long nanos(Limit limit) {
        return limit.interval().toNanos();
    }
}
