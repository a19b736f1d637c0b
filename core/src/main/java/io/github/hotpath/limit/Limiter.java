package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.time.Duration;
import java.util.List;

/**
 * Grants permits to requests, or refuses them: a {@link SlidingWindowLimiter}, one {@linkplain KeyedLimiter#forKey key}
 * of a {@link KeyedLimiter}, or several of these together, {@linkplain #allOf all or nothing}.
 *
 * <pre>{@code
 * Limiter all = Limiter.allOf(users.forKey(user), tenants.forKey(tenant), service);
 * long waitNanos = all.tryAcquireOrDelay(System.nanoTime(), 1);
 * if (waitNanos > 0) {
 *     retryAfter(waitNanos);
 * }
 * }</pre>
 *
 * <p>The rules of time, and what is counted for how long, are those of {@link SlidingWindowLimiter}. All methods are
 * thread-safe and linearizable: each takes effect at one instant, for all limiters that it concerns. None waits for
 * permits. A request for less than one permit is an {@link IllegalArgumentException}.
 *
 * <p>The interface is sealed, since all or nothing needs the insides of each limiter. To decorate or to mock one, or to
 * put one on another machine in its place, give your code an interface of its own, such as:
 *
 * <pre>{@code
 * interface Quotas {
 *     long tryAcquireOrDelay(String client);
 * }
 * Quotas quotas = client -> limiter.forKey(client).tryAcquireOrDelay(System.nanoTime(), 1);
 * }</pre>
 */
public sealed interface Limiter permits SlidingWindowLimiter, KeyLimiter, JointLimiter {
    /**
     * Returns a limiter that grants a request if each of {@code limiters} grants it. If one of them refuses, none of
     * them counts anything. No call sees the permits of a request in some of the limiters and not yet in others.
     *
     * <p>Each limiter decides by its own rules, at its own latest time; a refused request is told the longest of their
     * delays. A {@linkplain #reserve reservation} that is not granted at once has the same slot in all of them. A
     * limiter that occurs twice, also through another {@code allOf} or as an equal key, counts once.
     *
     * <p>Cheap to create, for example for each request. {@link #tryAcquire} acquires no lock, and asks for the limits
     * of no key, if one of the limiters is exhausted; every other call acquires the locks of all.
     *
     * @param first a limiter
     * @param more the other limiters; the array is copied
     * @return all of them together
     * @throws IllegalArgumentException if there are more than 1000 different limiters
     */
    static Limiter allOf(Limiter first, Limiter... more) {
        return JointLimiter.allOf(Arguments.array(first, more, Limiter[]::new));
    }

    /**
     * Returns what {@link #allOf(Limiter, Limiter...)} does for the elements of a list.
     *
     * @param limiters zero or more, which grant everything if there is none; the list is copied
     * @return all of them together
     * @throws IllegalArgumentException if there are more than 1000 different limiters
     */
    static Limiter allOf(List<? extends Limiter> limiters) {
        return JointLimiter.allOf(Arguments.copyOf(limiters, "limiters").toArray(new Limiter[0]));
    }

    /**
     * Acquires {@code permits} immediately if every limit allows it and no slot is {@linkplain #reserve pending};
     * otherwise changes nothing. A request for more permits than a limit allows is always refused.
     *
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return {@code true} if the permits were acquired
     */
    boolean tryAcquire(long nanos, int permits);

    /**
     * Acquires {@code permits} as {@link #tryAcquire} does; otherwise changes nothing and returns the delay until they
     * would be available, for example for a {@code Retry-After} header. Reserves nothing: another call may acquire the
     * permits first.
     *
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the delay in nanoseconds: the least {@code d} such that an
     *     attempt at {@code nanos + d} succeeds if nothing else is acquired until then, or {@link Long#MAX_VALUE} if no
     *     attempt ever succeeds or the delay does not fit a {@code long}
     */
    long tryAcquireOrDelay(long nanos, int permits);

    /**
     * Acquires {@code permits} at the earliest time that every limit allows, their <i>slot</i>, which may be in the
     * future; or acquires nothing if the slot is more than {@code maxDelay} away. Returns immediately: the caller waits
     * for {@link Reservation#delayNanos} and then uses the permits, which count at their slot.
     *
     * <p>A slot is <i>pending</i> for every call at an earlier time: {@link #tryAcquire} is then refused, and {@code
     * reserve} grants the same slot or a later one. So slots are granted in order, and requests for many permits are
     * not starved. Only {@code maxDelay} bounds how many are pending. A cancelled reservation releases its permits, but
     * its slot stays pending.
     *
     * @param nanos the time of the call
     * @param permits at least 1
     * @param maxDelay zero or more: the maximum delay of the slot from {@code nanos}, or from the latest time if that
     *     is later
     * @return the reservation, granted or refused
     * @throws IllegalArgumentException if {@code maxDelay} is negative
     */
    default Reservation reserve(long nanos, int permits, Duration maxDelay) {
        Arguments.checkAtLeast(1, permits, "permits");
        long maxDelayNanos = Arguments.saturatedNanos(maxDelay, "maxDelay");
        return new Requests.Reserve(maxDelayNanos, null).run(JointLimiter.members(this), nanos, permits);
    }

    /**
     * Returns the number of permits that {@link #tryAcquire} would grant at {@code nanos}, or at the latest time if
     * that is later. Changes nothing.
     *
     * @param nanos the time to evaluate at
     * @return the maximum number of permits that one call would be granted; {@link Long#MAX_VALUE} if only per-call
     *     limits apply and at least one call is left; 0 while a slot is pending
     */
    default long available(long nanos) {
        return new Requests.Least(log -> log.available(nanos)).run(JointLimiter.members(this), nanos, 1);
    }

    /**
     * Returns whether nothing counts toward any limit at {@code nanos}, or at the latest time if that is later, and no
     * slot is pending. An idle limiter can be discarded and recreated without effect on calls that are not earlier,
     * unless its limits are changed later. A key without entry is idle. Changes nothing.
     *
     * @param nanos the time to evaluate at
     * @return {@code true} if the limiter is idle
     */
    default boolean isIdle(long nanos) {
        return new Requests.Least(log -> log.isIdle(nanos) ? 1 : 0).run(JointLimiter.members(this), nanos, 1) != 0;
    }

    /**
     * Acquires {@code permits} as {@link #tryAcquire} does, and returns whether they were granted, the delay if not,
     * and what is left of each limit. One atomic operation, which allocates its result.
     *
     * @param nanos the time of the attempt
     * @param permits at least 1
     * @return the decision, with the quotas as they are after it
     */
    default Decision decide(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return Requests.DECIDE.run(JointLimiter.members(this), nanos, permits);
    }

    /**
     * Returns what {@link #decide} would return, but with the quotas as they are, and acquires nothing. Adds no key.
     *
     * @param nanos the time to evaluate at
     * @param permits at least 1
     * @return the decision that would be made
     */
    default Decision peek(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        return Requests.PEEK.run(JointLimiter.members(this), nanos, permits);
    }

    /**
     * Counts permits that have been used without asking, as one granted call. It is never refused, and may exceed a
     * limit, which then refuses later calls for longer. The permits count from {@code nanos} on, or from the latest
     * time or the last pending slot if that is later.
     *
     * @param nanos the time at which they were used
     * @param permits at least 1
     * @throws IllegalArgumentException if with them more than 2^62 permits would count; nothing is changed
     */
    default void record(long nanos, int permits) {
        Arguments.checkAtLeast(1, permits, "permits");
        Requests.RECORD.run(JointLimiter.members(this), nanos, permits);
    }

    /**
     * Grants nothing before {@code nanos + duration}, for example because a peer has answered with {@code Retry-After}:
     * a slot without permits is pending until then. Slots that have been granted may be used, and what is pending for
     * longer stays so.
     *
     * @param nanos the time of the call
     * @param duration zero or more
     * @throws IllegalArgumentException if {@code duration} is negative
     */
    default void closeFor(long nanos, Duration duration) {
        long durationNanos = Arguments.saturatedNanos(duration, "duration");
        new Requests.Close(durationNanos).run(JointLimiter.members(this), nanos, 1);
    }
}
