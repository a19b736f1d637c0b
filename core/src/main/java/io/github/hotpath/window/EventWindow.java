package io.github.hotpath.window;

import static io.github.hotpath.internal.Times.isOlder;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.Times;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An exact sliding-window event counter: it counts the events of the last {@code interval}, to the nanosecond.
 *
 * <pre>{@code
 * EventWindow window = EventWindow.of(Duration.ofMinutes(1));
 * long lastMinute = window.record(System.nanoTime());   // this event included
 * }</pre>
 *
 * <p><b>Time.</b> Pass the time to every call, in nanoseconds of one clock, usually {@link System#nanoTime()}. Times
 * may have any origin, may be negative, and may overflow: {@code a} is later than {@code b} when {@code a - b > 0}. The
 * <i>latest time</i> of a window is the latest one passed to {@link #record} or {@link #trim} since the window was
 * created or cleared. It never moves back, and reads do not change it. The window is closed at both ends: an event
 * exactly {@code interval} old is counted.
 *
 * <p>Events may be recorded in any order. After one whose time is too far in the future, such as that of another clock,
 * all others are out of order, and are ignored if they are older than the interval at that time: {@link #clear} is the
 * remedy.
 *
 * <p><b>Cost.</b> {@link #record} takes a few nanoseconds, however many events are in the window, and allocates nothing
 * in steady traffic. An event takes 8 bytes, one that comes out of order up to 16, and their number is not bounded:
 * count untrusted traffic with a {@link BoundedEventWindow}. {@code record} and {@link #trim} release the memory of
 * expired events.
 *
 * <p><b>Threads.</b> Not thread-safe: use {@link ConcurrentEventWindow}, or a lock. After safe publication several
 * threads may read a window as long as no thread changes it.
 */
public sealed class EventWindow {
    /*
     * The log and the late events hold what is in the window at the latest time: whatever advances that removes what
     * has expired. A count does not depend on which of the two an event is in.
     *
     * An age is unsigned: events reach back from the latest time by up to 2^63 - 1 ns, and a read may be as much later,
     * so the sum can exceed 2^63, though not 2^64.
     */

    private final long intervalNanos;

    final EventLog log;

    /** Events out of order, unless they were inserted in the log; null when there are none. */
    @Nullable
    LateEvents late;

    /** The latest time; without meaning until {@link #started}. */
    private long latest;

    /** Whether there is a latest time. If not, there are no events. */
    private boolean started;

    EventWindow(long intervalNanos) {
        this(intervalNanos, new EventLog());
    }

    private EventWindow(long intervalNanos, EventLog log) {
        this.intervalNanos = intervalNanos;
        this.log = log;
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more
     * @return a new, empty window
     * @throws IllegalArgumentException if {@code interval} is negative or exceeds {@link Long#MAX_VALUE} nanoseconds
     */
    public static EventWindow of(Duration interval) {
        return new EventWindow(Arguments.nanos(interval, "interval"));
    }

    /**
     * Records an event at {@code nanos}, evicts expired ones, and returns the number of events in the window at the
     * latest time.
     *
     * <p>An out-of-order event, earlier than the latest time, is inserted if it is still in the window at that time,
     * and ignored otherwise. Amortized O(1) for events in order or nearly so, and O(log n) for any others.
     *
     * @param nanos the time of the event
     * @return the count at the latest time, which does not tell whether the event was ignored
     */
    public long record(long nanos) {
        // Without a latest time the log is empty, and tryAppend returns false.
        if (nanos - latest >= 0 && log.tryAppend(nanos, intervalNanos)) {
            latest = nanos;
            return late == null ? log.size : sizeAfterExpiry(late);
        }
        return recordSlowly(nanos);
    }

    private long sizeAfterExpiry(LateEvents events) {
        events.expire(latest, intervalNanos);
        if (events.size == 0) {
            late = null;
        }
        return log.size + events.size;
    }

    private long recordSlowly(long nanos) {
        if (!isEarlier(nanos)) {
            latest = nanos;
            started = true;
            log.add(nanos, intervalNanos);
            return late == null ? log.size : sizeAfterExpiry(late);
        }
        if (!isOlder(nanos, latest, intervalNanos) && !log.insertInLast(nanos, latest)) {
            if (late == null) {
                late = new LateEvents(nanos);
            } else {
                late.add(nanos, latest);
            }
        }
        return size();
    }

    /**
     * Returns the number of events in the window at {@code nanos}, or at the latest time if that is later. Changes
     * nothing. O(1) if few events have expired since the latest time; otherwise O(n / 1024), as for a shorter span.
     *
     * @param nanos the time of the read
     * @return the number of events that are at most the interval old at that time
     */
    public long count(long nanos) {
        return countWithin(intervalNanos, effective(nanos));
    }

    /**
     * Returns the number of events in a window of length {@code span} at {@code nanos}, or at the latest time if that
     * is later. Changes nothing. O(n / 1024) for n events in the window: it may allocate an array of as many
     * references.
     *
     * @param nanos the time of the read
     * @param span from zero to the window's interval
     * @return the number of events that are at most {@code span} old at that time
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long count(long nanos, Duration span) {
        return countWithin(Arguments.nanosUpTo(intervalNanos, span, "span"), effective(nanos));
    }

    /**
     * Advances the latest time to {@code nanos} if that is later, evicts expired events, and releases spare memory: for
     * a window that may not be used for some time.
     *
     * @param nanos the time to advance to; for a log, that of its newest event
     */
    public void trim(long nanos) {
        advance(nanos);
        log.release();
        if (late != null) {
            late.release();
        }
    }

    /** Advances the latest time to {@code nanos}, if that is later, and evicts expired events. */
    void advance(long nanos) {
        if (!isEarlier(nanos)) {
            latest = nanos;
            started = true;
            log.expire(nanos, intervalNanos);
            if (late != null) {
                sizeAfterExpiry(late);
            }
        }
    }

    /** Resets the window to its initial state: removes all events and the latest time, and releases the memory. */
    public void clear() {
        log.clear();
        late = null;
        latest = 0;
        started = false;
    }

    /**
     * Returns the times of the events in the window at the latest time, oldest first. O(n).
     *
     * @return a new array
     * @throws OutOfMemoryError if there are more events than an array can hold
     */
    public long[] toArray() {
        long[] times = times();
        if (late != null) {
            sort(times, latest);
        }
        return times;
    }

    /** Returns the times of the events in the window, those that are late behind the others. */
    long[] times() {
        long[] times = new long[(int) Math.min(size(), Integer.MAX_VALUE)]; // no JVM makes an array of that length
        log.copyTo(times, 0);
        if (late != null) {
            late.copyTo(times, (int) log.size);
        }
        return times;
    }

    /** Adds events to an empty window: in any order, and not after its latest time. Changes the array. */
    void addAll(long[] times) {
        sort(times, latest);
        log.addAll(times);
        log.expire(latest, intervalNanos);
    }

    /** Sorts times by their distance from {@code latest}, since they may wrap. */
    private static void sort(long[] times, long latest) {
        for (int i = 0; i < times.length; i++) {
            times[i] -= latest;
        }
        Arrays.sort(times);
        for (int i = 0; i < times.length; i++) {
            times[i] += latest;
        }
    }

    /**
     * Writes the state of the window to {@code out} in a compact binary form, usually 1 to 4 bytes per event. Equal
     * states are written as equal bytes. Allocates 8 bytes per event. {@code docs/compact-forms.md} specifies the form.
     *
     * @param out the output
     * @throws IOException if {@code out} throws it
     * @throws OutOfMemoryError if there are more events than an array can hold
     */
    public void writeTo(DataOutput out) throws IOException {
        WindowForm.write(this, out);
    }

    /**
     * Reads a window as {@link #readFrom(DataInput, long)} does, without a shift.
     *
     * @param in the input
     * @return a new window
     * @throws IOException in the same cases
     */
    public static EventWindow readFrom(DataInput in) throws IOException {
        return readFrom(in, 0);
    }

    /**
     * Reads a window written by {@link #writeTo}, perhaps with another clock: times of {@link System#nanoTime()} have
     * no meaning in another JVM. Every time is {@code shiftNanos} later, so a later call at {@code nanos + shiftNanos}
     * returns what the original would have returned at {@code nanos}.
     *
     * <p>Reads exactly the bytes that were written; {@code in} should be buffered. Allocates memory in proportion to
     * the bytes read.
     *
     * @param in the input
     * @param shiftNanos the time of the reader's clock less that of the writer's at the same moment; may overflow
     * @return a new window
     * @throws java.io.EOFException if {@code in} ends too early
     * @throws java.io.StreamCorruptedException if the input is malformed, or of a later version; the message says why
     * @throws IOException if {@code in} throws it
     */
    public static EventWindow readFrom(DataInput in, long shiftNanos) throws IOException {
        return WindowForm.read(in, shiftNanos);
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    /** Returns a string with the interval and the count at the latest time. */
    @Override
    public String toString() {
        return "EventWindow[interval=" + interval() + ", count=" + size() + "]";
    }

    /** Returns the count at the latest time. */
    long size() {
        return late == null ? log.size : log.size + late.size;
    }

    /** Returns how many events are at most {@code maxAge} old at {@code nanos}, which is not before the latest time. */
    long countWithin(long maxAge, long nanos) {
        long count = log.count(nanos, maxAge);
        return late == null ? count : count + late.count(nanos, maxAge);
    }

    long intervalNanos() {
        return intervalNanos;
    }

    /** Returns whether the next event in order needs another chunk, or the room of expired ones. */
    boolean isChunkFull() {
        return log.isChunkFull();
    }

    boolean isStarted() {
        return started;
    }

    long latest() {
        return latest;
    }

    private boolean isEarlier(long nanos) {
        return started && nanos - latest < 0; // a difference of 2^63 is negative too, and not later
    }

    /** Returns the time at which a read at {@code nanos} is evaluated: the later of it and the latest time. */
    long effective(long nanos) {
        return started ? Times.later(latest, nanos) : nanos;
    }

    /** A window whose objects share no cache line with those behind them: for a {@link Stripe}. */
    static final class Padded extends EventWindow {
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15; // two lines, never read

        Padded(long intervalNanos) {
            super(intervalNanos, new EventLog.Padded());
        }
    }
}
