package io.github.hotpath.limit;

/** The latest time at which limiters have been evicted, if any have been. It never moves back. Thread-safe. */
final class EvictionTime {
    /** Whether there is one. Written after {@link #nanos}, read before it. */
    volatile boolean started;

    volatile long nanos;

    synchronized void raiseTo(long time) {
        if (!started || time - nanos > 0) {
            nanos = time;
            started = true;
        }
    }

    /** Returns {@code time}, or this if it is later. */
    long orLater(long time) {
        return started && time - nanos < 0 ? nanos : time;
    }
}
