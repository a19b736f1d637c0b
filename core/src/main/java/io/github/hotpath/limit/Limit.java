package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.time.Duration;

/**
 * A limit of a {@link SlidingWindowLimiter}: the maximum number of permits, or of calls, in any time span of length
 * {@code interval}. Immutable.
 *
 * @param permits the maximum number of permits, or of calls if {@code perCall}; at least 1
 * @param interval the length of the window, from zero to {@link Long#MAX_VALUE} nanoseconds. The window is closed at
 *     both ends: permits exactly as old as the interval still count
 * @param perCall whether each acquisition counts as one, regardless of the number of its permits
 */
public record Limit(long permits, Duration interval, boolean perCall) {
    /**
     * Creates a limit.
     *
     * @param permits the maximum number of permits, or of calls if {@code perCall}; at least 1
     * @param interval the length of the window
     * @param perCall whether each acquisition counts as one
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code permits} is less than 1, or {@code interval} is negative or more
     *     nanoseconds than a {@code long} holds
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
     * @throws IllegalArgumentException if {@code permits} is less than 1, or {@code interval} is negative or more
     *     nanoseconds than a {@code long} holds
     */
    public static Limit of(long permits, Duration interval) {
        return new Limit(permits, interval, false);
    }

    /**
     * Returns a limit on the number of acquisitions: each counts as one, regardless of the number of its permits.
     *
     * @param calls the maximum number of acquisitions in any time span of length {@code interval}, at least 1
     * @param interval the length of the window
     * @return the limit
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code calls} is less than 1, or {@code interval} is negative or more
     *     nanoseconds than a {@code long} holds
     */
    public static Limit ofCalls(long calls, Duration interval) {
        Arguments.checkAtLeast(1, calls, "calls");
        return new Limit(calls, interval, true);
    }
}
