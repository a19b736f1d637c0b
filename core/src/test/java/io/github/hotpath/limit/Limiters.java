package io.github.hotpath.limit;

import java.time.Duration;

/** Limiters to test. */
final class Limiters {
    private Limiters() {}

    static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    /** Returns a limiter of so many permits in so many nanoseconds. */
    static SlidingWindowLimiter of(long permits, long interval) {
        return SlidingWindowLimiter.of(Limit.of(permits, nanos(interval)));
    }

    /** Acquires one permit at each of {@code times}, which all must be granted. */
    static SlidingWindowLimiter acquiring(SlidingWindowLimiter limiter, long... times) {
        for (long time : times) {
            if (!limiter.tryAcquire(time, 1)) {
                throw new AssertionError("refused at " + time);
            }
        }
        return limiter;
    }
}
