package io.github.hotpath.window;

import io.github.hotpath.internal.PolledLock;
import org.jspecify.annotations.Nullable;

/**
 * A stripe of a {@link ConcurrentEventWindow}: a window, its lock, and the place where a record appends. While it is
 * open, the window does not know of appended events; {@link #settle} adds them to it, and closes the stripe.
 */
class Stripe extends PolledLock {
    /*
     * All that a record writes, but the event, is in this object, and objects that several threads write or read end
     * with padding, so that a stripe shares no cache line with any object that the garbage collector moves beside it.
     * So an open stripe has its own end of the log's last chunk.
     */

    /** The most by which a stripe appends beyond its window's latest time: 13 days. */
    private static final long MAX_REACH = 1L << 50;

    /** The chunk of a closed stripe: it has no room. */
    private static final long[] CLOSED = {};

    /** While the stripe is open it does not know of the last events, nor of those that have expired since. */
    final EventWindow window;

    /** The last chunk of the window's log, while the stripe is open. */
    private long[] chunk = CLOSED;

    /** The index in the chunk of the next event: those from the log's own end on are not yet in the log. */
    private int end;

    /** The time of the last event appended since the stripe was opened, or else the window's latest time then. */
    private long latest;

    /** The last time at which to append before the stripe is settled, so that expired events are soon removed. */
    private long deadline;

    /** Whether {@link #latest} may be later than the window's latest time: since it was opened, until it is settled. */
    private boolean ahead;

    /** Of the first stripe: whether a thread waits that has been overtaken for long by calls that lock all stripes. */
    private volatile boolean overdue;

    /**
     * Of the first stripe: an object in use by the call that holds all locks. HotSpot does not replace an object by its
     * fields that is assigned to a field anywhere, for however long: see docs/design.md. With compressed references the
     * field takes no memory here.
     */
    @Nullable
    Object inUse;

    /** Creates a closed stripe of {@code window}, which nothing else references. */
    Stripe(EventWindow window) {
        this.window = window;
    }

    /**
     * Appends an event at {@code nanos} and removes none; returns false, and has changed nothing, if it is out of
     * order, if it is later than the window was opened by more than the interval or 2^50 ns (13 days), if there is no
     * room behind the newest event, as in an empty log, or if the stripe is closed.
     */
    final boolean append(long nanos) {
        int index = end;
        if (((nanos - latest) | (deadline - nanos)) < 0 || index >= chunk.length) { // either difference is negative
            return false;
        }
        chunk[index] = nanos;
        end = index + 1;
        latest = nanos;
        return true;
    }

    /** Adds the events appended to the window, advances its latest time to theirs, and closes the stripe. */
    final void settle() {
        window.log().extend(chunk, end);
        chunk = CLOSED;
        if (ahead && window.size() > 0) {
            window.advance(latest);
        }
        ahead = false;
    }

    /** Opens the stripe: {@link #append} then succeeds for most events. */
    final void open() {
        EventLog log = window.log();
        long[] last = log.lastChunk();
        int tail = log.tail();
        long now = window.latest();
        long reach = Math.min(window.intervalNanos(), MAX_REACH);
        end = tail;
        latest = now;
        deadline = now + reach;
        ahead = true;
        chunk = last;
    }

    /** Locks this stripe, the first, to lock all of them; does not overtake a thread that has waited for long. */
    final void lockFirst() {
        if (overdue || !tryLock(ALL)) {
            lock(ALL, this);
            overdue = false; // the thread that waited has its lock
        }
    }

    @Override
    protected final void setOverdue() {
        overdue = true;
    }

    /** A stripe that shares no cache line with the next object. */
    static final class Padded extends Stripe {
        /** Two lines of 64 bytes, because processors fetch them in pairs. Never read. */
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

        /** Creates a closed stripe that is locked, to be opened and released with all others. */
        Padded(EventWindow window) {
            super(window);
            holder = ALL;
        }
    }
}
