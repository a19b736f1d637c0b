package io.github.hotpath.limit;

/** The permits of a {@link Reservation} in one limiter. */
final class Claim {
    static final Claim[] NONE = {};

    final SlidingWindowLimiter limiter;

    /** The time at which the permits count, and its {@link SlidingLog#halfTurnsOf half turns}. */
    final long slot;

    final int halfTurns;

    /** In which the permits can be corrected. */
    final Epoch epoch;

    /** The permits that count; 0 if they were cancelled. Guarded by the limiter's lock. */
    int permits;

    Claim(SlidingWindowLimiter limiter, long slot, int halfTurns, Epoch epoch, int permits) {
        this.limiter = limiter;
        this.slot = slot;
        this.halfTurns = halfTurns;
        this.epoch = epoch;
        this.permits = permits;
    }
}
