package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A limit of a {@link SlidingWindowLimiter}, or of the keys of a {@link KeyedLimiter}: the maximum number of permits, or of granted calls, in any time span of
 * length {@code interval}. A permit is one unit of what is limited, such as a request, a byte or a token. Immutable.
 */
public final class Limit {
    static final long MOST = 1L << 62;
    static final long LONGEST_NANOS = 1L << 61;

    private final long max;
    private final Duration interval;
    private final boolean perCall;

    private Limit(long max, Duration interval, boolean perCall) {
        this.max = max;
        this.interval = interval;
        this.perCall = perCall;
    }

    /**
     * Returns a limit on the sum of permits. A limit of 0 refuses every request.
     *
     * @param permits the maximum number of permits in any time span of length {@code interval}, from 0 to 2^62
     * @param interval the length of the window, from zero to 2^61 nanoseconds (73 years). The window is closed at both
     *     ends: permits exactly as old as the interval still count. With zero, only permits of the same nanosecond
     *     count together
     * @return the limit
     * @throws IllegalArgumentException if {@code permits} or {@code interval} is out of its range
     */
    public static Limit of(long permits, Duration interval) {
        return checked(permits, "permits", interval, false);
    }

    /**
     * Returns a per-call limit, on the number of granted calls: each counts as one, regardless of the number of its
     * permits. With a limit on permits beside it, one limiter allows, for example, 60 requests and 100,000 tokens a
     * minute. A limit of 0 refuses every request.
     *
     * @param calls the maximum number of granted calls in any time span of length {@code interval}, from 0 to 2^62
     * @param interval the length of the window, as for {@link #of}
     * @return the limit
     * @throws IllegalArgumentException if {@code calls} or {@code interval} is out of its range
     */
    public static Limit ofCalls(long calls, Duration interval) {
        return checked(calls, "calls", interval, true);
    }

    private static Limit checked(long max, String name, Duration interval, boolean perCall) {
        requireNonNull(interval, "interval");
        if (max < 0 || max > MOST) {
            throw Arguments.rejected(name, max, "from 0 to 2^62");
        }
        if (interval.isNegative() || interval.compareTo(Duration.ofNanos(LONGEST_NANOS)) > 0) {
            throw Arguments.rejected("interval", interval, "from zero to 2^61 nanoseconds");
        }
        return new Limit(max, interval, perCall);
    }

    /** {@return the maximum number of permits, or of calls if this is a {@linkplain #isPerCall per-call} limit} */
    public long max() {
        return max;
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return interval;
    }

    /** {@return whether each granted call counts as one, regardless of the number of its permits} */
    public boolean isPerCall() {
        return perCall;
    }

    /** Returns whether {@code other} is a limit with the same maximum and interval that counts the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Limit that
                && max == that.max
                && perCall == that.perCall
                && interval.equals(that.interval);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(max) + interval.hashCode()) + Boolean.hashCode(perCall);
    }

    /** Returns a string with the maximum, the interval, and whether the limit is per call. */
    @Override
    public String toString() {
        return "Limit[max=" + max + ", interval=" + interval + ", perCall=" + perCall + "]";
    }
}
