package io.github.hotpath.examples.recipes;

import com.google.common.math.LongMath;
import io.github.hotpath.window.BoundedEventWindow;
import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Counts the events of one machine of many, in some 40 KB for any traffic. The bounds of all machines are the sums of
 * their bounds: two numbers for each to send. Thread-safe.
 */
final class MachineCounter {
    private final LongSupplier nanoClock;
    private final BoundedEventWindow window;

    /**
     * Creates a counter for spans up to {@code longest}, by the clock of this machine: clocks need only the same rate,
     * not the same time.
     */
    MachineCounter(Duration longest, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        window = BoundedEventWindow.of(longest, 0.01);
    }

    /** Records {@code events} at the current time: a batch costs as much as a single event. */
    synchronized void record(int events) {
        window.record(nanoClock.getAsLong(), events); // the clock is read inside the lock, so that times are in order
    }

    /** Returns the bounds of this machine's count of the last {@code span}. */
    synchronized Bounds last(Duration span) {
        long nanos = nanoClock.getAsLong();
        return new Bounds(window.countAtLeast(nanos, span), window.countAtMost(nanos, span));
    }

    /** A lower and an upper bound of a count. */
    record Bounds(long atLeast, long atMost) {
        /**
         * Returns the bounds of the count of several machines: at most 1 % apart as well. A sum that does not fit a
         * {@code long} is {@link Long#MAX_VALUE}.
         */
        static Bounds sum(Collection<Bounds> machines) {
            return new Bounds(
                    machines.stream().mapToLong(Bounds::atLeast).reduce(0, LongMath::saturatedAdd),
                    machines.stream().mapToLong(Bounds::atMost).reduce(0, LongMath::saturatedAdd));
        }
    }
}
