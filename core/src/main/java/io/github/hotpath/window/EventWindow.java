package io.github.hotpath.window;

import java.time.Duration;

/**
 * An exact counter of the events in a sliding window of time, and a limiter by that count.
 *
 * <pre>{@code
 * EventWindow window = EventWindow.of(Duration.ofMinutes(1));
 * long inTheLastMinute = window.record(System.nanoTime());
 * }</pre>
 *
 * <p><b>Exact.</b> Every event is remembered by its time to the nanosecond, so there are no buckets, and no bursts of
 * twice the limit where two buckets meet. The window is closed at both ends: an event exactly as old as the interval
 * still counts.
 *
 * <p><b>Cost.</b> In steady traffic {@link #record} is a few nanoseconds and allocates nothing. An event takes 8 bytes
 * in a window of thousands, and up to a few times that in a small one. Memory that expired events leave is given back,
 * and to forget any number of them at once takes at most a step for every thousand. There is no bound but memory to how
 * many events a window holds: where strangers can cause events, limit them with {@link #tryRecord}.
 *
 * <p><b>Time.</b> The caller passes in every time, in nanoseconds of one clock of its choice, usually
 * {@link System#nanoTime()}. Any origin, negative values, zero and the wrap of a {@code long} are ordinary; {@code a}
 * is later than {@code b} when {@code a - b > 0}. <i>Now</i> is the latest time given to {@link #record}, to a
 * {@link #tryRecord} that said true, or to {@link #trim}; it never goes back. A reading at an earlier time is answered
 * as of now. One time too far in the future therefore makes everything after it late until the clock catches up;
 * {@link #clear} is the remedy. Milliseconds, as of {@link System#currentTimeMillis()}, are not noticed: the window
 * would be a million times as long.
 *
 * <p><b>Not thread-safe.</b> A window is for one thread at a time; readings write nothing, so several threads may read
 * while none records.
 */
public final class EventWindow {
    /*
     * The log holds exactly the events that are in the window as of now: whatever moves now forgets what has expired,
     * and a late event is only added if it has not. So the count as of now is the size of the log, and a reading for a
     * later time only has to find the border.
     *
     * An event's age is read as unsigned: the log reaches back from now by up to 2^63 - 1 ns, and a reading may be as
     * much later than now, so the sum can pass 2^63, though never 2^64.
     */

    private final long intervalNanos;

    /** The events in the window as of now, each at most {@link #intervalNanos} old; but see {@link Stripe}. */
    private final EventLog log;

    /** The latest time seen; without meaning until {@link #started}. */
    private long now;

    /** Whether there is a now. If not, the log is empty. */
    private boolean started;

    /** Makes an empty window over {@code log}, which is empty too. */
    EventWindow(long intervalNanos, EventLog log) {
        this.intervalNanos = intervalNanos;
        this.log = log;
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more: with zero, only events at the very time asked about are in the window
     * @return a new, empty window
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code interval} is negative or more nanoseconds than a {@code long} holds
     */
    public static EventWindow of(Duration interval) {
        return new EventWindow(Arguments.nanos(interval, "interval"), new EventLog());
    }

    /**
     * Records an event at {@code nanos} and returns how many are in the window as of now, this one among them.
     *
     * <p>An event earlier than now is put in its place if it is still in the window as of now, which takes about 0.3 ms
     * for every million of later events, and is ignored otherwise; either way the count is exact.
     *
     * @param nanos when the event happened
     * @return the count as of now, at least 1 unless the event was ignored
     */
    public long record(long nanos) {
        // Without a now the log is empty, and does not slide.
        if (nanos - now >= 0 && log.slide(nanos, now, intervalNanos)) {
            now = nanos;
            return log.size();
        }
        return recordSlowly(nanos);
    }

    private long recordSlowly(long nanos) {
        if (isLate(nanos)) {
            insert(nanos, now - nanos);
        } else {
            log.add(nanos, intervalNanos);
            now = nanos;
            started = true;
        }
        return log.size();
    }

    private void insert(long nanos, long age) {
        if (Long.compareUnsigned(age, intervalNanos) <= 0) {
            log.insert(nanos, log.count(now, age - 1));
        }
    }

    /**
     * Returns how many events are in the window at {@code nanos}, or as of now if that is later. Changes nothing. The
     * cost is a step per thousand of the events that are still in, or of those that have gone, if they are fewer.
     *
     * @param nanos the time to count at
     * @return the number of events at most the interval old then
     */
    public long count(long nanos) {
        return log.count(asOf(nanos), intervalNanos);
    }

    /**
     * Returns how many events a window of the length {@code span} would hold at {@code nanos}, or as of now if that is
     * later. Changes nothing. The cost is a step per thousand of the events in the span, or of the others if they are
     * fewer.
     *
     * @param nanos the time to count at
     * @param span from zero to the window's interval
     * @return the number of events at most {@code span} old then
     * @throws NullPointerException if {@code span} is null
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long count(long nanos, Duration span) {
        return log.count(asOf(nanos), Arguments.nanosUpTo(intervalNanos, span, "span"));
    }

    /**
     * Records an event at {@code nanos} if fewer than {@code limit} are in the window, and returns whether it did;
     * otherwise changes nothing. If all events come by this method with one limit, no stretch of the interval's length,
     * wherever it begins, holds more of them than that. Refused attempts do not count. An attempt earlier than now is
     * judged and recorded as of now.
     *
     * <p>If events are recorded by {@link #record} as well, they count, and may exceed the limit by themselves.
     *
     * @param nanos when the event would happen
     * @param limit at least 1
     * @return whether it was recorded
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public boolean tryRecord(long nanos, int limit) {
        Arguments.checkLimit(limit);
        long asOf = asOf(nanos);
        if (log.size() >= limit && log.count(asOf, intervalNanos) >= limit) {
            return false;
        }
        record(asOf);
        return true;
    }

    /**
     * Returns how many nanoseconds after {@code nanos} fewer than {@code limit} events will be in the window if no more
     * are recorded: 0 if it is so already, and {@link Long#MAX_VALUE} if that does not fit a {@code long}. Otherwise a
     * {@link #tryRecord} one nanosecond earlier is refused, and at that time admitted. Changes nothing. The cost is
     * that of {@link #count(long)} and a step per thousand of the limit.
     *
     * @param nanos the time to wait from
     * @param limit at least 1
     * @return the nanoseconds to wait, zero or more
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public long nanosUntilBelow(long nanos, int limit) {
        Arguments.checkLimit(limit);
        long asOf = asOf(nanos);
        if (log.count(asOf, intervalNanos) < limit) {
            return 0;
        }
        return nanosUntilGone(nanos, log.newest(limit)); // the oldest of the newest `limit` events has to go
    }

    /**
     * Returns how long after {@code nanos} the event at {@code time} will no longer be in the window, or {@link
     * Long#MAX_VALUE}: it is in the window up to the interval, and out a nanosecond later.
     */
    long nanosUntilGone(long nanos, long time) {
        long fromNow = intervalNanos - (now - time) + 1; // from 1 to 2^63: that would not be later than now
        long wait = fromNow - (nanos - now);
        return fromNow < 0 || wait < 0 ? Long.MAX_VALUE : wait;
    }

    /**
     * Moves now to {@code nanos}, if that is later, and lets go of the events that have expired and of memory that is
     * kept for use again. For a window that may not be used for some time; recording lets go of expired events by
     * itself.
     *
     * @param nanos the time that has come
     */
    public void trim(long nanos) {
        advance(nanos);
        log.release();
    }

    /** Moves now to {@code nanos}, if that is later, and forgets what has expired. */
    void advance(long nanos) {
        if (!isLate(nanos)) {
            log.forget(nanos, intervalNanos);
            now = nanos;
            started = true;
        }
    }

    /** Forgets all events, and now: the window is as if new. */
    public void clear() {
        log.clear();
        now = 0;
        started = false;
    }

    /**
     * Returns the times of the events in the window as of now, oldest first.
     *
     * @return a new array
     * @throws OutOfMemoryError if they are more than an array holds
     */
    public long[] toArray() {
        return log.toArray();
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    /** Names the interval and the count as of now. */
    @Override
    public String toString() {
        return "EventWindow[interval=" + interval() + ", count=" + log.size() + "]";
    }

    long intervalNanos() {
        return intervalNanos;
    }

    /** Whether there is a now. */
    boolean isStarted() {
        return started;
    }

    /** Returns now, if there is one. */
    long now() {
        return now;
    }

    private boolean isLate(long nanos) {
        return started && nanos - now < 0; // a difference of 2^63 is below zero too, and not later
    }

    /** Returns the time as of which a question at {@code nanos} is answered: the later of it and now. */
    long asOf(long nanos) {
        return isLate(nanos) ? now : nanos;
    }

    /** Throws if what the fields say of themselves does not hold; for tests. */
    void checkInvariants() {
        log.checkInvariants(now, intervalNanos);
        if (!started && log.size() > 0) {
            throw new AssertionError("events without a now");
        }
    }
}
