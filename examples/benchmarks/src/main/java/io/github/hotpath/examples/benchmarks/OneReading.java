package io.github.hotpath.examples.benchmarks;

import java.util.function.LongSupplier;

/** The one reading of a clock with which a thread makes a call: for libraries to which no time can be passed. */
final class OneReading implements LongSupplier {
    private final LongSupplier clock;
    private final ThreadLocal<long[]> ofThread = ThreadLocal.withInitial(() -> new long[1]);

    OneReading(LongSupplier clock) {
        this.clock = clock;
    }

    void read() {
        ofThread.get()[0] = clock.getAsLong();
    }

    @Override
    public long getAsLong() {
        return ofThread.get()[0];
    }
}
