package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The permits that a client wants in an interval, whether or not they are granted, wherever the interval begins. A
 * limit of N permits refuses a client if, and only if, its busiest interval has more than N: nothing is refused before
 * that.
 */
final class BusiestInterval {
    private final EventWindow requests;

    /** Null while every request has had one permit: a window counts events, which takes less time. */
    private @Nullable SlidingWindowLimiter permits;

    BusiestInterval(Duration interval) {
        requests = EventWindow.of(interval);
    }

    /** Records permits and returns how many are in the interval that ends with them. */
    long record(long nanos, int number) {
        if (number == 1 && permits == null) {
            return requests.record(nanos);
        }
        SlidingWindowLimiter sum = permits == null ? permits = sum() : permits;
        sum.tryAcquire(nanos, number);
        return (1L << 62) - sum.available(nanos);
    }

    /** Returns a limiter that never refuses, and has what the window has. */
    private SlidingWindowLimiter sum() {
        SlidingWindowLimiter sum = SlidingWindowLimiter.of(Limit.of(1L << 62, requests.interval()));
        for (long time : requests.toArray()) {
            sum.tryAcquire(time, 1);
        }
        requests.clear();
        return sum;
    }
}
