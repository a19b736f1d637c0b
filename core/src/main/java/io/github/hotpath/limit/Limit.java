package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.time.Duration;

/**
 * A limit of a {@link SlidingWindowLimiter}: the maximum number of permits, or of granted calls, in any time span of
 * length {@code interval}. A permit is one unit of what is limited, such as a request, a byte or a token. Create limits
 * by {@link #of} and {@link #ofCalls}. Immutable.
 *
 * @param permits the maximum number of permits, or of granted calls if {@code perCall}; at least 1
 * @param interval the length of the window, from zero to {@link Long#MAX_VALUE} nanoseconds (292 years). The window is
 *     closed at both ends: permits exactly as old as the interval still count. With zero, only permits of the same
 *     nanosecond count together
 * @param perCall whether each granted call counts as one, regardless of the number of its permits
 */
public record Limit(long permits, Duration interval, boolean perCall) {
    /**
     * Creates a limit; {@link #of} and {@link #ofCalls} are easier to read.
     *
     * @param permits the maximum number of permits, or of granted calls if {@code perCall}; at least 1
     * @param interval the length of the window
     * @param perCall whether each granted call counts as one
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1, or {@code interval} is negative or exceeds
     *     {@link Long#MAX_VALUE} nanoseconds
     */
    public Limit {
        Arguments.checkAtLeast(1, permits, "permits");
        Arguments.nanos(interval, "interval");
    }

    /**
     * Returns a limit on the sum of permits.
     *
     * @param permits the maximum number of permits in any time span of length {@code interval}, at least 1
     * @param interval the length of the window
     * @return the limit
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1, or {@code interval} is negative or exceeds
     *     {@link Long#MAX_VALUE} nanoseconds
     */
    public static Limit of(long permits, Duration interval) {
        return new Limit(permits, interval, false);
    }

    /**
     * Returns a per-call limit, on the number of granted calls: each counts as one, regardless of the number of its
     * permits. With a limit on permits beside it, one limiter allows, for example, 60 requests and 100,000 tokens a
     * minute.
     *
     * @param calls the maximum number of granted calls in any time span of length {@code interval}, at least 1
     * @param interval the length of the window
     * @return the limit
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code calls} is less than 1, or {@code interval} is negative or exceeds
     *     {@link Long#MAX_VALUE} nanoseconds
     */
    public static Limit ofCalls(long calls, Duration interval) {
        Arguments.checkAtLeast(1, calls, "calls");
        return new Limit(calls, interval, true);
    }
}
