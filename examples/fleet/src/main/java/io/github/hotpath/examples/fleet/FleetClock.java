package io.github.hotpath.examples.fleet;

import java.util.function.LongSupplier;

/**
 * The time of the log: how long the fleet has run, in nanoseconds. It never runs faster than time itself, so grants are
 * never closer together than they are in the log; it may lose time when the leader changes, which only lengthens
 * intervals that have begun. Thread-safe.
 */
final class FleetClock {
    /*
     * The leader adds the progress of its own monotonic clock to the time at which its term began. That is the time of
     * the last entry before its term and how long ago that was, at least: since this member applied it, which was after
     * it was written. A member whose process was started meanwhile may have applied it long after that. Only then the
     * wall clocks of both leaders are trusted, less the margin, if they say that it was longer ago. Whatever reaches a
     * member while it runs counts as new, also when its engine, without the process, starts again: that may lose time.
     *
     * A stamp names the term of its leader. An entry of another term is not applied: other leaders may have been there
     * between the stamp and the log, by whose time it would be wrong.
     */

    private final LongSupplier nanoTime;
    private final LongSupplier wallClock;
    private final long marginNanos;

    // The last entry.
    private long time;
    private long wall;
    private long appliedAt;

    /** Whether the last entry may have been written before this process was started. */
    private boolean appliedLate;

    /** Up to that time, a snapshot that is there when the engine starts is of before the process. */
    private long oldUpTo = Long.MAX_VALUE;

    // The term of this leader, and when it began.
    private long term = -1;
    private long begin;
    private long beganAt;

    FleetClock(LongSupplier nanoTime, LongSupplier wallClock, long marginNanos) {
        this.nanoTime = nanoTime;
        this.wallClock = wallClock;
        this.marginNanos = marginNanos;
        appliedAt = nanoTime.getAsLong();
    }

    /** The time of an entry as its leader wrote it, in that term, with the leader's wall clock. */
    record Stamp(long term, long time, long wall) {}

    /** Returns the time now, at the leader. */
    synchronized Stamp stamp() {
        // The wall clock last: after a pause between both, the entry seems to be younger than it is.
        return new Stamp(term, begin + (nanoTime.getAsLong() - beganAt), wallClock.getAsLong());
    }

    /** A term begins, all entries before it have been applied. */
    synchronized void begin(long newTerm) {
        long now = wallClock.getAsLong(); // first: a pause between both would count twice
        beganAt = nanoTime.getAsLong();
        long passed = beganAt - appliedAt;
        if (appliedLate && now - wall > marginNanos) { // a margin may be so long that the difference would overflow
            passed = Math.max(passed, now - wall - marginNanos);
        }
        begin = time + Math.max(0, passed);
        term = newTerm;
    }

    /**
     * Applies an entry, and returns its time, which depends on no clock that is read here. {@code late} says that it was
     * in the log when the process was started.
     */
    synchronized long apply(Stamp stamp, boolean late) {
        if (stamp.time >= time) {
            set(stamp.time, stamp.wall, late);
        }
        return time;
    }

    /** Returns a new clock, for an engine that is started again in this process. */
    synchronized FleetClock restarted() {
        FleetClock next = new FleetClock(nanoTime, wallClock, marginNanos);
        next.oldUpTo = appliedLate ? time : -1; // a later one has come meanwhile
        return next;
    }

    /** Returns the last entry's time and wall clock. */
    synchronized Stamp last() {
        return new Stamp(term, time, wall);
    }

    /** Continues after the last entry of a snapshot, which was there when the engine was started, or not. */
    synchronized void restore(long lastTime, long lastWall, boolean atStart) {
        set(lastTime, lastWall, atStart && lastTime <= oldUpTo);
    }

    private void set(long lastTime, long lastWall, boolean late) {
        time = lastTime;
        wall = lastWall;
        appliedAt = nanoTime.getAsLong();
        appliedLate = late;
    }
}
