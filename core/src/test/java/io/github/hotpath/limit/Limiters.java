package io.github.hotpath.limit;

import io.github.hotpath.testing.CompactBytes;
import java.io.IOException;
import java.time.Duration;

/** Limiters to test. */
final class Limiters {
    /** {@link SlidingWindowLimiter#writeTo} and {@link SlidingWindowLimiter#readFrom}. */
    static final CompactBytes<SlidingWindowLimiter> FORM =
            new CompactBytes<>(SlidingWindowLimiter::writeTo, SlidingWindowLimiter::readFrom);

    private Limiters() {}

    static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    /** Returns a limiter of so many permits in so many nanoseconds. */
    static SlidingWindowLimiter of(long permits, long interval) {
        return SlidingWindowLimiter.of(Limit.of(permits, nanos(interval)));
    }

    /** Returns all that later calls depend on, and what is published of it. */
    static String state(SlidingWindowLimiter limiter) {
        try {
            return FORM.hex(limiter) + " " + limiter.log.refuses(limiter.log.latest(), 1) + " "
                    + limiter.log.knownDelay(limiter.log.latest(), 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Acquires one permit at each of {@code times}, which all must be granted. */
    static <L extends Limiter> L acquiring(L limiter, long... times) {
        for (long time : times) {
            if (!limiter.tryAcquire(time, 1)) {
                throw new AssertionError("refused at " + time);
            }
        }
        return limiter;
    }
}
