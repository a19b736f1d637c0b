package io.github.hotpath.examples.recipes;

import com.google.common.base.Ticker;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.github.hotpath.window.ConcurrentEventWindow;
import java.time.Duration;

/**
 * A limiter for each client by itself: never more than so many of a client's requests in any stretch of time as long as
 * the interval, wherever it begins. Thread-safe. It remembers the clients of the last two intervals, however many they
 * are.
 */
final class ClientLimiter {
    private final int limit;
    private final Ticker ticker;
    private final LoadingCache<String, ConcurrentEventWindow> windows;

    ClientLimiter(int limit, Duration interval, Ticker ticker) {
        this.limit = limit;
        this.ticker = ticker;
        // A window may go only when all its events have expired, or its client would start over. So let it go by time,
        // and never by number (a maximum size). And after twice the interval: a thread that is held up inside the
        // lookup sets the time of access to when it began, over a later one.
        windows = CacheBuilder.newBuilder()
                .expireAfterAccess(interval.multipliedBy(2))
                .ticker(ticker)
                .build(CacheLoader.from(() -> ConcurrentEventWindow.of(interval)));
    }

    /** Admits a request of {@code client} and returns 0, or else returns how many nanoseconds it has to wait. */
    long admit(String client) {
        // Before the lookup: so no request is later than the access that keeps its window in the cache.
        long now = ticker.read();
        ConcurrentEventWindow window = windows.getUnchecked(client);
        while (!window.tryRecord(now, limit)) {
            long wait = window.nanosUntilBelow(now, limit);
            if (wait > 0) {
                return wait;
            }
            // Between the two calls a request with a later time has let old ones go: now there is room.
        }
        return 0;
    }

    /**
     * Returns how many clients are remembered. To be exported as a gauge, for it says how much memory this takes; and
     * to ask lets idle clients go even if no request comes.
     */
    long clients() {
        windows.cleanUp();
        return windows.size();
    }
}
