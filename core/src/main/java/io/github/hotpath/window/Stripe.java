package io.github.hotpath.window;

/**
 * A part of the events of a {@link ConcurrentEventWindow}: a window and its lock. After {@link #append} the window knows
 * neither of the last events nor of what has expired by them, until {@link #settle}.
 */
class Stripe extends StripeLock {
    /** The most by which a stripe appends beyond its window's latest time: 13 days. */
    private static final long MAX_REACH = 1L << 50;

    final EventWindow window;

    private final EventLog log;

    /** The time of the last event appended since the window was settled, or else its latest time. */
    private long latest;

    /**
     * The last time at which to append before the window is settled again, so that expired events are soon removed;
     * before {@link #latest} while the window may be ahead of it.
     */
    private long deadline = -1;

    /** Makes a stripe of {@code window}, which nothing else uses. */
    Stripe(EventWindow window) {
        this.window = window;
        log = window.log();
    }

    /**
     * Adds an event at {@code nanos} and removes none; returns false, and has changed nothing, if it is out of order, if
     * it is later than the window was settled by more than the interval or 2^50 ns (13 days), or if there is no room
     * behind the newest event, as in an empty log.
     */
    final boolean append(long nanos) {
        if (((nanos - latest) | (deadline - nanos)) < 0 || !log.addIfRoom(nanos)) { // either difference is negative
            return false;
        }
        latest = nanos;
        return true;
    }

    /** Makes the window's latest time that of the last event appended, which expires others. */
    final void settle() {
        if (log.size() > 0) {
            window.advance(latest);
        }
        settled();
    }

    /** Records in the window, which is settled. */
    final void record(long nanos) {
        deadline = latest - 1; // nothing is appended if this is as far as it comes
        window.record(nanos);
        settled();
    }

    /** Advances the window's latest time to that of {@code other}, if that is later. Both are settled. */
    final void follow(Stripe other) {
        if (other.window.isStarted()) {
            window.advance(other.window.latest());
            settled();
        }
    }

    private void settled() {
        long now = window.latest();
        long reach = Math.min(window.intervalNanos(), MAX_REACH);
        latest = now;
        deadline = now + reach;
    }

    /** A stripe that shares no cache line with the next one: its window and log were made before it. */
    static final class Padded extends Stripe {
        /** Two lines of 64 bytes, since processors fetch them in pairs. */
        @SuppressWarnings("unused") // there to take room
        private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

        /** Makes one that is locked, to be seen by others when all are released. */
        Padded(EventWindow window) {
            super(window);
            holder = ALL;
        }
    }
}
