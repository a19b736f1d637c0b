package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** One of those that wait in a {@link WaitingLine}. */
abstract class Waiter {
    /** The neighbours in line. Written by the line alone. */
    @Nullable
    Waiter before;

    @Nullable
    Waiter behind;

    /** Whether this is in line. Written by the line alone. */
    volatile boolean isInLine;

    /**
     * Called when this is the first in line and has to ask the limiter, perhaps again; also when it has just left. No
     * lock is held.
     *
     * @return whether it will ask, unless it leaves
     */
    abstract boolean wake();

    /** Called when this was removed because it could not be woken. No lock is held. */
    void fail() {}

    /** Returns whether this has been woken, or has set a timer, and will never run. */
    boolean isDead() {
        return false;
    }
}
