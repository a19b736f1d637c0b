package io.github.hotpath.examples.recipes;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that a test advances: nanoseconds, and a wall clock with them. Thread-safe. */
final class FakeClock implements LongSupplier, InstantSource {
    private final AtomicLong nanos = new AtomicLong();

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public long getAsLong() {
        return nanos.get();
    }

    /** Returns the time since noon of a day. */
    @Override
    public Instant instant() {
        return Instant.parse("2026-11-24T12:00:00Z").plusNanos(nanos.get());
    }
}
