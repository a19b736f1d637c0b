package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;

/**
 * The answer to {@link SlidingWindowLimiter#reserve}: the slot granted, or how far off it would have been. What was
 * granted can be corrected when the permits really used are known, or cancelled. Thread-safe.
 */
public final class Reservation {
    private final SlidingWindowLimiter limiter;
    private final SlidingWindowLimiter.Entry entry;
    private final boolean granted;
    private final long delayNanos;

    Reservation(SlidingWindowLimiter limiter, SlidingWindowLimiter.Entry entry, boolean granted, long delayNanos) {
        this.limiter = limiter;
        this.entry = entry;
        this.granted = granted;
        this.delayNanos = delayNanos;
    }

    /** {@return whether the permits were acquired; also {@code true} after they have been cancelled} */
    public boolean isGranted() {
        return granted;
    }

    /**
     * Returns the nanoseconds from the {@code nanos} of the call until the permits may be used.
     *
     * @return 0 if immediately; if refused, what the delay would have been, {@link Long#MAX_VALUE} if never
     */
    public long delayNanos() {
        return delayNanos;
    }

    /**
     * Sets the permits really used, at the reservation's own place in time: an estimate corrected afterwards. Exceeding
     * a limit is allowed, and delays later calls. Slots granted to others do not move.
     *
     * @param permits zero or more; zero cancels the reservation, which is final
     * @return {@code false}, with nothing changed, if the reservation was refused, cancelled or cleared, or has expired
     *     under every limit at the limiter's latest time
     * @throws IllegalArgumentException if {@code permits} is negative
     */
    public boolean adjustTo(int permits) {
        Arguments.checkAtLeast(0, permits, "permits");
        return granted && limiter.adjust(entry, permits);
    }

    /**
     * Cancels the reservation: {@code adjustTo(0)}.
     *
     * @return {@code false}, with nothing changed, if the reservation was refused, cancelled or cleared, or has expired
     *     under every limit at the limiter's latest time
     */
    public boolean cancel() {
        return adjustTo(0);
    }
}
