package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keeps retries from multiplying the load of a service that is in trouble: they are at most a percentage of the
 * requests of the last span, such as a minute. Thread-safe.
 */
final class RetryBudget {
    private final int percent;
    private final int least;
    private final LongSupplier nanoClock;
    private final EventWindow requests;
    private final EventWindow retries;

    /**
     * Creates a budget.
     *
     * @param percent how many retries are allowed for a hundred requests
     * @param least how many retries are allowed in a span however few the requests are
     */
    RetryBudget(Duration span, int percent, int least, LongSupplier nanoClock) {
        if (percent < 0 || least < 0) {
            throw new IllegalArgumentException("percent: " + percent + ", least: " + least + " (expected: 0 or more)");
        }
        this.percent = percent;
        this.least = least;
        this.nanoClock = nanoClock;
        requests = EventWindow.of(span);
        retries = EventWindow.of(span);
    }

    /** Counts a request, and not its retries. */
    synchronized void recordRequest() {
        requests.record(nanoClock.getAsLong());
    }

    /** Returns whether one more retry is allowed, and counts it if it is. */
    synchronized boolean tryRetry() {
        long now = nanoClock.getAsLong(); // one time for both windows
        if (retries.count(now) >= Math.max(least, requests.count(now) * percent / 100)) {
            return false;
        }
        retries.record(now);
        return true;
    }
}
