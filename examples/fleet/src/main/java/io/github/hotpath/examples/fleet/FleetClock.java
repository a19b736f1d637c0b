package io.github.hotpath.examples.fleet;

import java.util.function.LongSupplier;

/**
 * The time of the log: how long the fleet has run, in nanoseconds. It never runs faster than time itself, so grants are
 * never closer together than they are in the log; it may lose time when the leader changes, which only lengthens
 * intervals that have begun. Thread-safe.
 */
final class FleetClock {
    /*
     * The leader adds the progress of its monotonic clock to the time at which its term began. That is the time of the
     * last entry before its term, plus the time since this member applied that entry. It was written before it was
     * applied, so more time has passed than is added, never less. No wall clock is read: time during which all members
     * were stopped does not count.
     *
     * A stamp names the term of its leader. An entry of another term is not applied: other leaders may have been there
     * between the stamp and the log, by whose time it would be wrong.
     */

    private final LongSupplier nanoTime;

    // The last entry.
    private long time;
    private long appliedAt;

    // The term of this leader, and when it began.
    private long term = -1;
    private long begin;
    private long beganAt;

    FleetClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        appliedAt = nanoTime.getAsLong();
    }

    /** The time of an entry, as its leader wrote it in that term. */
    record Stamp(long term, long time) {}

    /** Returns the time now, at the leader. */
    synchronized Stamp stamp() {
        return new Stamp(term, begin + (nanoTime.getAsLong() - beganAt));
    }

    /** A term begins; all entries before it have been applied. */
    synchronized void begin(long newTerm) {
        if (newTerm > term) { // a part of a snapshot says term 0, even one that Ratis refuses
            beganAt = nanoTime.getAsLong();
            begin = time + (beganAt - appliedAt);
            term = newTerm;
        }
    }

    /** Applies an entry, and returns its time, which depends on no clock that is read here and never moves back. */
    synchronized long apply(Stamp stamp) {
        if (stamp.time >= time) {
            restore(stamp.time);
        }
        return time;
    }

    /** Returns the time of the last entry. */
    synchronized long time() {
        return time;
    }

    /** Continues after the last entry of a snapshot. */
    synchronized void restore(long lastTime) {
        time = lastTime;
        appliedAt = nanoTime.getAsLong();
    }
}
