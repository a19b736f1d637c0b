package io.github.hotpath.window;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.Times;
import java.time.Duration;

/**
 * A sliding-window event counter in memory that is logarithmic in the number of events. It returns a lower and an upper
 * bound of the count, which are never wrong and, if events are recorded in order, differ by at most a chosen relative
 * error.
 *
 * <pre>{@code
 * BoundedEventWindow bytes = BoundedEventWindow.of(Duration.ofMinutes(1), 0.01);
 *
 * bytes.record(System.nanoTime(), 1500);    // several at once: here a packet's bytes
 * long nanos = System.nanoTime();
 * long atLeast = bytes.countAtLeast(nanos);
 * long atMost = bytes.countAtMost(nanos);   // at most 1% more
 * }</pre>
 *
 * <p><b>Bounds.</b> For any traffic and any order of events, the number of events in the window is at least {@link
 * #countAtLeast(long) countAtLeast} and at most {@link #countAtMost(long) countAtMost}. If events are recorded in
 * order, the two differ by at most {@link #maxRelativeError} times the count, for the whole window and for every
 * shorter span, and are equal for up to {@code 1 / maxRelativeError} events. Each event recorded out of order may widen
 * the bounds by one. The bounds of several windows add up.
 *
 * <p><b>Time.</b> The rules are those of {@link EventWindow}.
 *
 * <p><b>Cost.</b> With an error of 1%, ten million events take 40 KB, where an {@link EventWindow} takes 80 MB. Up to
 * {@code 2 / maxRelativeError} events take about as much in an {@code EventWindow}, which is exact. {@link
 * #record(long) record} is amortized O(1) in order, three to four times that of an {@code EventWindow}, and allocates
 * nothing in steady traffic; now and then one takes a pass over the buckets, a few thousand, and out of order a step
 * for each newer one. Counting is O(log n) in the number of buckets.
 *
 * <p><b>Threads.</b> Not thread-safe: guard a window by a lock, or give each thread one with a lock of its own, and add
 * up their bounds. Threads may read at the same time one that none changes any more.
 *
 * <p>The algorithm is the exponential histogram of Mayur Datar, Aristides Gionis, Piotr Indyk and Rajeev Motwani,
 * <i>Maintaining Stream Statistics over Sliding Windows</i>, SIAM Journal on Computing 31(6), 2002.
 */
public final class BoundedEventWindow {
    private final long intervalNanos;
    private final double maxRelativeError;

    /** The events that are in the window at the latest time. */
    final ExponentialHistogram histogram;

    /** The latest time; without meaning until {@link #started}. */
    long latest;

    /** Whether there is a latest time. If not, the histogram is empty. */
    boolean started;

    private BoundedEventWindow(long intervalNanos, double maxRelativeError) {
        this.intervalNanos = intervalNanos;
        this.maxRelativeError = maxRelativeError;
        histogram = new ExponentialHistogram(maxRelativeError);
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more
     * @param maxRelativeError the largest difference of the bounds, divided by the count: more than 0, at most 1
     * @return a new, empty window
     * @throws IllegalArgumentException if {@code interval} is negative or exceeds {@link Long#MAX_VALUE} nanoseconds,
     *     or unless {@code maxRelativeError} is more than 0 and at most 1
     */
    public static BoundedEventWindow of(Duration interval, double maxRelativeError) {
        return new BoundedEventWindow(
                Arguments.nanos(interval, "interval"), Arguments.fraction(maxRelativeError, "maxRelativeError"));
    }

    /**
     * Records an event at {@code nanos}. An out-of-order event, earlier than the latest time, is counted if it is still
     * in the window at the latest time, and ignored otherwise.
     *
     * @param nanos the time of the event
     * @throws IllegalArgumentException if {@code countAtMost} would exceed {@link Long#MAX_VALUE}; nothing is recorded
     */
    public void record(long nanos) {
        record(nanos, 1);
    }

    /**
     * Records several events at {@code nanos}, at the cost of one. What is promised of the bounds is the same as after
     * as many calls of {@link #record(long)}; the bounds themselves may differ.
     *
     * @param nanos the time of the events
     * @param events the number of events, at least 1
     * @throws IllegalArgumentException if {@code events} is less than 1, or if {@code countAtMost} would exceed {@link
     *     Long#MAX_VALUE}; nothing is recorded
     */
    public void record(long nanos, int events) {
        Arguments.checkAtLeast(1, events, "events");
        long at = latest(nanos);
        if (Times.isOlder(nanos, at, intervalNanos)) {
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
     * Returns a lower bound of the number of events in the window at {@code nanos}, or at the latest time if that is
     * later. Changes nothing.
     *
     * @param nanos the time of the read
     * @return the lower bound: the count is never less
     */
    public long countAtLeast(long nanos) {
        return histogram.countAtLeast(latest(nanos), intervalNanos);
    }

    /**
     * Returns what {@link #countAtLeast(long)} does, of a window of length {@code span}.
     *
     * @param nanos the time of the read
     * @param span from zero to the window's interval
     * @return the lower bound: the count is never less
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long countAtLeast(long nanos, Duration span) {
        return histogram.countAtLeast(latest(nanos), Arguments.nanosUpTo(intervalNanos, span, "span"));
    }

    /**
     * Returns an upper bound of the number of events in the window at {@code nanos}, or at the latest time if that is
     * later. Changes nothing.
     *
     * @param nanos the time of the read
     * @return the upper bound: the count is never more
     */
    public long countAtMost(long nanos) {
        return histogram.countAtMost(latest(nanos), intervalNanos);
    }

    /**
     * Returns what {@link #countAtMost(long)} does, of a window of length {@code span}.
     *
     * @param nanos the time of the read
     * @param span from zero to the window's interval
     * @return the upper bound: the count is never more
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long countAtMost(long nanos, Duration span) {
        return histogram.countAtMost(latest(nanos), Arguments.nanosUpTo(intervalNanos, span, "span"));
    }

    /**
     * Advances the latest time to {@code nanos} if that is later, evicts expired events, and releases spare memory: for
     * a window that may not be used for some time.
     *
     * @param nanos the current time
     */
    public void trim(long nanos) {
        long at = latest(nanos);
        histogram.expire(at, intervalNanos);
        latest = at;
        started = true;
        histogram.release();
    }

    /** Resets the window to its initial state: removes all events and the latest time, and releases the memory. */
    public void clear() {
        histogram.clear();
        latest = 0;
        started = false;
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    /** {@return the largest difference of the bounds, divided by the count} */
    public double maxRelativeError() {
        return maxRelativeError;
    }

    /** Returns a string with the interval, the error and the bounds at the latest time. */
    @Override
    public String toString() {
        return "BoundedEventWindow[interval=" + interval() + ", maxRelativeError=" + maxRelativeError
                + ", countAtLeast=" + countAtLeast(latest) + ", countAtMost=" + countAtMost(latest) + "]";
    }

    /** Returns the later of {@code nanos} and the latest time. */
    private long latest(long nanos) {
        return started ? Times.later(latest, nanos) : nanos;
    }
}
