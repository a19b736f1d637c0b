package io.github.hotpath.examples.recipes;

import com.google.common.base.Ticker;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A limiter for each client: never more than so many of a client's requests in any time span of length
 * {@code interval}, wherever it begins. Thread-safe. Retains a limiter for each client with requests in the last
 * interval; idle ones are discarded when there are twice as many limiters as after the last time.
 */
final class ClientLimiter {
    /** Up to so many limiters are retained without looking for idle ones. */
    static final int FEW = 1000;

    private final Limit limit;
    private final Ticker ticker;
    private final ConcurrentHashMap<String, SlidingWindowLimiter> limiters = new ConcurrentHashMap<>();

    /** From how many limiters on the idle ones are discarded: with twice those retained, amortized O(1) a client. */
    private final AtomicLong discardFrom = new AtomicLong(FEW);

    ClientLimiter(int limit, Duration interval, Ticker ticker) {
        this.limit = Limit.of(limit, interval);
        this.ticker = ticker;
    }

    /** Admits a request of {@code client} and returns 0, or returns how many nanoseconds it has to wait. */
    long admit(String client) {
        long[] wait = new long[1];
        limiters.compute(client, (key, known) -> {
            SlidingWindowLimiter limiter = known == null ? SlidingWindowLimiter.of(limit) : known;
            wait[0] = limiter.tryAcquireOrDelay(ticker.read(), 1);
            return limiter;
        });
        long from = discardFrom.get();
        if (limiters.mappingCount() > from && discardFrom.compareAndSet(from, 2 * from)) { // one thread does it
            discardIdle();
        }
        return wait[0];
    }

    /**
     * Discards the limiters that are idle. Called when there are many; call it from a timer as well to release memory
     * when no request comes.
     */
    void discardIdle() {
        // The map excludes requests of the same client meanwhile: none acquires from a limiter that is just discarded,
        // and none comes with an earlier time, at which the limiter was not idle yet.
        for (String client : limiters.keySet()) {
            limiters.computeIfPresent(client, (key, limiter) -> limiter.isIdle(ticker.read()) ? null : limiter);
        }
        discardFrom.set(Math.max(FEW, 2 * limiters.mappingCount()));
    }

    /** Returns the number of clients that have a limiter, to be exported as a gauge: it tells the memory used. */
    long clients() {
        return limiters.mappingCount();
    }
}
