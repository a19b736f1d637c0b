package io.github.hotpath.limit;

/**
 * What is left of one {@link Limit} after a {@linkplain Limiter#decide decision}, and when there is more: the values
 * {@code r} and {@code t} of the IETF's {@code RateLimit} field, exact to the nanosecond. Immutable.
 *
 * @param limit the limit
 * @param remaining what could still be acquired under this limit alone, at the time of the call or at the latest time
 *     if that is later: permits, or calls if the limit is per call; 0 while a slot is pending
 * @param nanosUntilMore the least time in nanoseconds, from the time of the call on, after which more than {@code
 *     remaining} could be acquired under this limit alone, if nothing else is acquired until then; 0 if all of the
 *     limit remains, {@link Long#MAX_VALUE} if the time does not fit a {@code long}
 * @param exceeded whether this limit is a reason why the request was refused: its permits (or its one call) together
 *     with those in the window were more than the limit. A request that is refused only because a slot is pending
 *     exceeds none
 */
public record Quota(Limit limit, long remaining, long nanosUntilMore, boolean exceeded) {}
