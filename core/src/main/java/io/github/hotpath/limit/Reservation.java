package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;

/**
 * The answer to {@link SlidingWindowLimiter#reserve}: whether permits were granted, and from when on they may be used.
 * What was granted can be corrected when the permits really used are known, or cancelled. Thread-safe.
 */
public final class Reservation {
    private final SlidingWindowLimiter limiter;
    private final long delayNanos;
    private final boolean granted;

    /** The time of the slot, and the half turns of the limiter's clock then. */
    final long slot;

    final long halfTurns;

    /** What it counts for; 0 if it was refused or cancelled. Guarded by the limiter's lock. */
    int permits;

    Reservation(SlidingWindowLimiter limiter, long delayNanos, int permits, long slot, long halfTurns) {
        this.limiter = limiter;
        this.delayNanos = delayNanos;
        this.granted = permits > 0;
        this.permits = permits;
        this.slot = slot;
        this.halfTurns = halfTurns;
    }

    /** {@return whether the permits were acquired, also when they have been cancelled since} */
    public boolean isGranted() {
        return granted;
    }

    /**
     * Returns the nanoseconds from the {@code nanos} of the call until the permits may be used, or, if it was refused,
     * what that delay would have been. A refused reservation of less than its delay was refused for being longer than
     * {@code maxDelay}.
     *
     * @return 0 if immediately; {@link Long#MAX_VALUE} if never
     */
    public long delayNanos() {
        return delayNanos;
    }

    /**
     * Sets the permits really used, at the reservation's own place in time: an estimate corrected afterwards. Fewer
     * permits make room for later calls. More may exceed a limit, which delays later calls. Slots granted to others do
     * not move.
     *
     * @param permits zero or more; zero is final, as {@link #cancel}
     * @return {@code true} if they were set; {@code false}, with nothing changed, if the reservation was refused or
     *     cancelled, if the limiter has been cleared since, or if the reservation has expired under every limit at the
     *     limiter's latest time
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public boolean adjustTo(int permits) {
        Arguments.checkAtLeast(0, permits, "permits");
        return limiter.adjust(this, permits);
    }

    /**
     * Cancels the reservation: it no longer counts, neither its permits nor as a call. The same as {@code adjustTo(0)}.
     *
     * @return {@code true} if it was cancelled; {@code false}, with nothing changed, where {@link #adjustTo} returns
     *     that
     */
    public boolean cancel() {
        return adjustTo(0);
    }

    /** Returns whether it was granted, and the delay. */
    @Override
    public String toString() {
        return "Reservation[granted=" + granted + ", delayNanos=" + delayNanos + "]";
    }
}
