package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * An alarm that is raised when the errors of the last minute are both many and a large share of all events.
 * Thread-safe: one lock for both windows, so that their counts are always of the same moment. It retains the events
 * of a quarter of an hour, for 8 bytes each.
 */
final class ErrorAlarm {
    /** The span whose counts raise the alarm. */
    static final Duration SPAN = Duration.ofMinutes(1);

    /** The longest span that can be passed. */
    static final Duration LONGEST = Duration.ofMinutes(15);

    private final LongSupplier nanoClock;
    private final Level raise;
    private final Level clear;
    private final EventWindow events = EventWindow.of(LONGEST);
    private final EventWindow errors = EventWindow.of(LONGEST);
    private boolean raised;

    /**
     * Creates an alarm that is raised above the level {@code raise}, and cleared only when it is no longer above the
     * level {@code clear}: if they were the same, the alarm would flap while the errors are near that level.
     *
     * @throws IllegalArgumentException if {@code clear} is higher than {@code raise}
     */
    ErrorAlarm(Level raise, Level clear, LongSupplier nanoClock) {
        if (clear.errors > raise.errors || clear.percent > raise.percent) {
            throw new IllegalArgumentException("clear: " + clear + " (expected: not higher than " + raise + ")");
        }
        this.raise = raise;
        this.clear = clear;
        this.nanoClock = nanoClock;
    }

    synchronized void record(boolean error) {
        long now = nanoClock.getAsLong(); // inside the lock, so that times are in order
        events.record(now);
        if (error) {
            errors.record(now);
        }
    }

    /** Returns the counts of the last {@code span}, up to {@link #LONGEST}: one window serves several spans. */
    synchronized Counts last(Duration span) {
        long now = nanoClock.getAsLong();
        return new Counts(errors.count(now, span), events.count(now, span));
    }

    /** Updates the alarm and returns whether it is raised. To be called about once a second. */
    synchronized boolean update() {
        raised = last(SPAN).areAbove(raised ? clear : raise);
        return raised;
    }

    /** How many errors among how many events. */
    record Counts(long errors, long events) {
        private boolean areAbove(Level level) {
            return errors > level.errors && errors * 100 > events * level.percent;
        }
    }

    /** A number of errors and a share of all events, both of which have to be exceeded. */
    record Level(long errors, int percent) {}
}
