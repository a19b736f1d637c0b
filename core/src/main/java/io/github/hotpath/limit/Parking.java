package io.github.hotpath.limit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The seam for deterministic tests of waiting: how threads wait, as the JVM lets them, or as a test does. */
interface Parking {
    /** For {@link #park}: without end. */
    long ENDLESS = Long.MAX_VALUE;

    /** After so long the limiter is asked again: a longer delay may not fit a timer, or is not known. */
    long LONGEST_PAUSE = TimeUnit.DAYS.toNanos(1);

    Parking JVM = new Parking() {};

    /** Waits for at most {@code nanos}, or until the thread is unparked or interrupted; may return earlier. */
    default void park(Object blocker, long nanos) {
        if (nanos == ENDLESS) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, nanos);
        }
    }

    /** Lets {@code thread} return from {@link #park}, or from the next call of it. */
    default void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }
}
