package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** One of the limiters of a {@link JointCall}, in that call. */
class Member {
    /** The limiter that counts. */
    SlidingWindowLimiter limiter;

    /** Whether the call holds the limiter's lock. */
    boolean isHeld;

    /** Whether the call changes this limiter if it changes any. */
    boolean isAffected = true;

    /** The time at which the limiter evaluates the call. */
    long time;

    /** How long after {@link #time} the permits count, or a single one does after they were granted. */
    long wait;

    Member(SlidingWindowLimiter limiter) {
        this.limiter = limiter;
    }

    /** Releases the lock, if the call holds it. */
    final void unlock() {
        if (isHeld) {
            limiter.log.unlock();
            isHeld = false;
        }
    }

    /** Returns whether there is a limiter that others may know. */
    boolean isFound() {
        return true;
    }

    /** Finds the limiter again. No lock is held. */
    void find() {}

    /** Makes a limiter, with its lock held, if none was found. */
    void prepare(long nanos) {}

    /** Returns whether the limiter was made by this call. */
    boolean isNew() {
        return false;
    }

    /** Returns whether the limiter, whose lock is held, is the right one at this moment. */
    boolean isCurrent() {
        return true;
    }

    /** Returns whether the limiter is new, and another one has been added meanwhile. */
    boolean isOvertaken() {
        return false;
    }

    /** Adds the new limiter, for others to find it; returns {@code false} if there is one by now. */
    boolean add() {
        return true;
    }

    /** Removes the new limiter, if it has been added. */
    void withdraw() {}

    /** Called when the limiters have been changed and their locks are released. */
    void finish(long nanos, boolean isRevocable) {}

    /** Returns the epoch in which a reservation of this limiter can be corrected; {@code null} if in any. */
    @Nullable
    Epoch epoch() {
        return null;
    }
}
