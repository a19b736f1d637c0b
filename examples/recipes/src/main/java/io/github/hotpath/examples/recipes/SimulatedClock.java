package io.github.hotpath.examples.recipes;

import com.google.common.base.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a program advances itself, to show hours at once. Thread-safe. */
final class SimulatedClock extends Ticker {
    private final AtomicLong nanos = new AtomicLong();

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public long read() {
        return nanos.get();
    }
}
