package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.BoundedEventWindow;
import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Counts what one machine of many does, in some 40 KB whatever the traffic. The counts of all machines are the sums of
 * their bounds: two numbers for each to send. Thread-safe.
 */
final class MachineCounter {
    private final LongSupplier nanoClock;
    private final BoundedEventWindow window;

    /**
     * Makes a counter for spans up to {@code longest}, by the clock of this machine: no two clocks need to agree on
     * more than how long a second is.
     */
    MachineCounter(Duration longest, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        window = BoundedEventWindow.of(longest, 0.01);
    }

    /** Records {@code events} now: a batch at once costs no more than one of them. */
    synchronized void record(int events) {
        window.record(nanoClock.getAsLong(), events); // the clock is read inside the lock, so that times are in order
    }

    /** Returns what this machine has to tell of the last {@code span}. */
    synchronized Bounds last(Duration span) {
        long nanos = nanoClock.getAsLong();
        return new Bounds(window.countAtLeast(nanos, span), window.countAtMost(nanos, span));
    }

    /** Two numbers between which a count is. */
    record Bounds(long atLeast, long atMost) {
        /** Returns the bounds of what several machines did together: at most 1 % apart as well. */
        static Bounds sum(Collection<Bounds> machines) {
            return new Bounds(
                    machines.stream().mapToLong(Bounds::atLeast).sum(),
                    machines.stream().mapToLong(Bounds::atMost).sum());
        }
    }
}
