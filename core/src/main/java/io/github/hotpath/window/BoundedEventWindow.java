package io.github.hotpath.window;

import io.github.hotpath.internal.Arguments;
import java.time.Duration;

/**
 * A counter of the events in a sliding window of time, in bounded memory: instead of the count it returns two numbers
 * between which the count is, certified, and close together.
 *
 * <pre>{@code
 * BoundedEventWindow window = BoundedEventWindow.of(Duration.ofMinutes(1), 0.01);
 * window.record(System.nanoTime());
 * long atLeast = window.countAtLeast(System.nanoTime());
 * long atMost = window.countAtMost(System.nanoTime());   // at most 1 % more
 * }</pre>
 *
 * <p><b>Certified.</b> The number of events in the window is never less than {@link #countAtLeast(long) countAtLeast}
 * and never more than {@link #countAtMost(long) countAtMost}, whatever the traffic and in any order. As long as events
 * are recorded in order, the two differ by at most {@link #maxRelativeError} times the count, for the whole window and
 * for every shorter span; they are equal up to {@code 1 / maxRelativeError} events. An event recorded out of order may
 * widen the bounds by one; it never makes them wrong. Of several windows, as of several threads or machines, the bounds
 * add up: the sum of the counts is between the sum of the lower and the sum of the upper bounds.
 *
 * <p><b>Memory and cost.</b> Memory grows with the logarithm of the number of events in the window: with an error of 1
 * %, 10 million events take 40 KB, where an {@link EventWindow} takes 80 MB. {@link #record(long) record} is amortized
 * O(1), some 20 nanoseconds, and never more than one pass over that memory; it allocates nothing in steady traffic.
 * Counting is O(log n) in the number of buckets, a few thousand. For fewer events than {@code 4 / maxRelativeError} an
 * {@link EventWindow} is smaller, and exact.
 *
 * <p><b>Time.</b> The rules are those of {@link EventWindow}: the caller passes in every time, in nanoseconds of one
 * clock of its choice; any origin and the wrap-around of a {@code long} are ordinary; the window is closed at both ends.
 * The <i>latest time</i> is the latest one passed to {@link #record(long) record} or {@link #trim}; it never moves back,
 * and a read at an earlier time is evaluated at the latest time. A single timestamp too far in the future makes every
 * following one out of order until the clock catches up; {@link #clear} is the remedy.
 *
 * <p><b>Not thread-safe.</b> A window is for one thread at a time; reads change nothing, so several threads may read
 * while none records. For many threads, give each a window of its own and add up the bounds.
 *
 * <p>The algorithm is the exponential histogram of Mayur Datar, Aristides Gionis, Piotr Indyk and Rajeev Motwani,
 * <i>Maintaining Stream Statistics over Sliding Windows</i>, SIAM Journal on Computing 31(6), 2002.
 */
public final class BoundedEventWindow {
    private final long intervalNanos;
    private final double maxRelativeError;

    /** The events that are in the window at the latest time. */
    private final ExponentialHistogram histogram;

    /** The latest time; without meaning until {@link #started}. */
    private long latest;

    /** Whether there is a latest time. If not, the histogram is empty. */
    private boolean started;

    private BoundedEventWindow(long intervalNanos, double maxRelativeError) {
        this.intervalNanos = intervalNanos;
        this.maxRelativeError = maxRelativeError;
        histogram = new ExponentialHistogram(maxRelativeError);
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more: with zero, only events at the very time of the read are in the window
     * @param maxRelativeError how far the bounds may be apart, as a share of the count: over 0, up to 1
     * @return a new, empty window
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code interval} is negative or more nanoseconds than a {@code long} holds, or
     *     if {@code maxRelativeError} is not over 0 and up to 1
     */
    public static BoundedEventWindow of(Duration interval, double maxRelativeError) {
        return new BoundedEventWindow(
                Arguments.nanos(interval, "interval"), Arguments.share(maxRelativeError, "maxRelativeError"));
    }

    /**
     * Records an event at {@code nanos}. One that is earlier than the latest time is counted if it is still in the
     * window at the latest time, and is ignored otherwise.
     *
     * @param nanos when the event happened
     * @throws IllegalArgumentException if {@code countAtMost} would then be more than a {@code long} holds
     */
    public void record(long nanos) {
        record(nanos, 1);
    }

    /**
     * Records several events at {@code nanos}, as so many calls of {@link #record(long)} would.
     *
     * @param nanos when the events happened
     * @param events how many, at least 1
     * @throws IllegalArgumentException if {@code events} is less than 1, or if {@code countAtMost} would then be more
     *     than a {@code long} holds
     */
    public void record(long nanos, int events) {
        Arguments.checkAtLeast(1, events, "events");
        long at = latest(nanos);
        if (Long.compareUnsigned(at - nanos, intervalNanos) > 0) {
            return;
        }
        if (at != nanos && histogram.isOutOfOrder(nanos)) {
            histogram.insert(nanos, events);
        } else {
            histogram.add(nanos, at, intervalNanos, events);
        }
        latest = at;
        started = true;
    }

    /**
     * Returns the lower bound of the number of events that are in the window at {@code nanos}, or at the latest time if
     * that is later. Changes nothing.
     *
     * @param nanos the time of the read
     * @return the lower bound: the count is never less
     */
    public long countAtLeast(long nanos) {
        return histogram.countAtLeast(latest(nanos), intervalNanos);
    }

    /**
     * Returns the lower bound for a window of the length {@code span}, at {@code nanos} or at the latest time if that is
     * later. Changes nothing.
     *
     * @param nanos the time of the read
     * @param span from zero to the window's interval
     * @return the lower bound: the count is never less
     * @throws NullPointerException if {@code span} is null
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long countAtLeast(long nanos, Duration span) {
        return histogram.countAtLeast(latest(nanos), Arguments.nanosUpTo(intervalNanos, span, "span"));
    }

    /**
     * Returns the upper bound of the number of events that are in the window at {@code nanos}, or at the latest time if
     * that is later. Changes nothing.
     *
     * @param nanos the time of the read
     * @return the upper bound: the count is never more
     */
    public long countAtMost(long nanos) {
        return histogram.countAtMost(latest(nanos), intervalNanos);
    }

    /**
     * Returns the upper bound for a window of the length {@code span}, at {@code nanos} or at the latest time if that is
     * later. Changes nothing.
     *
     * @param nanos the time of the read
     * @param span from zero to the window's interval
     * @return the upper bound: the count is never more
     * @throws NullPointerException if {@code span} is null
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long countAtMost(long nanos, Duration span) {
        return histogram.countAtMost(latest(nanos), Arguments.nanosUpTo(intervalNanos, span, "span"));
    }

    /**
     * Advances the latest time to {@code nanos} if that is later, evicts expired events and releases spare memory,
     * without recording. For a window that may not be used for some time; recording evicts expired events by itself, but
     * keeps the memory of busier times for longer.
     *
     * @param nanos the time
     */
    public void trim(long nanos) {
        long at = latest(nanos);
        histogram.expire(at, intervalNanos);
        latest = at;
        started = true;
        histogram.release();
    }

    /** Resets the window to its initial state: without events, and without a latest time. */
    public void clear() {
        histogram.clear();
        latest = 0;
        started = false;
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    /** {@return how far the bounds may be apart, as a share of the count} */
    public double maxRelativeError() {
        return maxRelativeError;
    }

    /** Names the interval, the error and the bounds at the latest time. */
    @Override
    public String toString() {
        return "BoundedEventWindow[interval=" + interval() + ", maxRelativeError=" + maxRelativeError
                + ", countAtLeast=" + countAtLeast(latest) + ", countAtMost=" + countAtMost(latest) + "]";
    }

    /** Returns the later of {@code nanos} and the latest time: a difference of 2^63 is below zero, and not later. */
    private long latest(long nanos) {
        return started && nanos - latest < 0 ? latest : nanos;
    }

    /** Throws if what the fields say of themselves does not hold, after so many events out of order; for tests. */
    void checkInvariants(long outOfOrder) {
        histogram.checkInvariants(latest, intervalNanos, maxRelativeError, outOfOrder);
        if (!started && countAtMost(latest) > 0) {
            throw new AssertionError("events without a latest time");
        }
    }
}
