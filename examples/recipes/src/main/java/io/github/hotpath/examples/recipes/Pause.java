package io.github.hotpath.examples.recipes;

import java.util.function.LongSupplier;

/** A way to wait: {@code TimeUnit.NANOSECONDS::sleep}, or advancing a simulated clock. */
interface Pause {
    /** Waits for that long, more or less. */
    void nanos(long nanos) throws InterruptedException;

    /** Waits until {@code clock} has reached {@code time}, at which a sleep may end a little too early. */
    default void until(long time, LongSupplier clock) throws InterruptedException {
        for (long left = time - clock.getAsLong(); left > 0; left = time - clock.getAsLong()) {
            nanos(left);
        }
    }
}
