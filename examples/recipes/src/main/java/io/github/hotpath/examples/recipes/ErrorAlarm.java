package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * An alarm that is raised when the errors of the last span, such as a minute, are both many and a large share of all
 * events. Thread-safe: one lock for both windows, so that their counts are always of the same moment. It retains the
 * events of the span, 8 bytes each.
 */
final class ErrorAlarm {
    private final LongSupplier nanoClock;
    private final Level raise;
    private final Level clear;
    private final EventWindow events;
    private final EventWindow errors;
    private boolean raised;

    /**
     * Creates an alarm that is raised above the level {@code raise}, and cleared only when it is no longer above the
     * level {@code clear}: if they were the same, the alarm would flap while the errors are near that level.
     *
     * @throws IllegalArgumentException if {@code clear} is higher than {@code raise}
     */
    ErrorAlarm(Duration span, Level raise, Level clear, LongSupplier nanoClock) {
        if (clear.errors > raise.errors || clear.percent > raise.percent) {
            throw new IllegalArgumentException("clear: " + clear + " (expected: not higher than " + raise + ")");
        }
        this.raise = raise;
        this.clear = clear;
        this.nanoClock = nanoClock;
        events = EventWindow.of(span);
        errors = EventWindow.of(span);
    }

    synchronized void record(boolean error) {
        long now = nanoClock.getAsLong(); // inside the lock, so that times are in order
        events.record(now);
        if (error) {
            errors.record(now);
        }
    }

    /**
     * Records an answered request, for a filter around all of them. An error is the server's own, or no answer. If the
     * chain throws, the status is still 200 in the filter: that is {@code record(true)}.
     */
    void recordStatus(int status) {
        record(status >= 500 || status < 0);
    }

    /** Returns the counts of the last span. */
    synchronized Counts counts() {
        long now = nanoClock.getAsLong();
        return new Counts(errors.count(now), events.count(now));
    }

    /** Updates the alarm and returns whether it is raised. To be called about once a second. */
    synchronized boolean update() {
        return update(counts());
    }

    private boolean update(Counts counts) {
        raised = counts.areAbove(raised ? clear : raise);
        return raised;
    }

    /** Updates the alarm and returns what is wrong, if it is raised: for a health check. */
    synchronized Optional<String> problem() {
        Counts counts = counts();
        return update(counts)
                ? Optional.of(counts.errors + " errors in " + counts.events + " events, in " + events.interval())
                : Optional.empty();
    }

    /** How many errors among how many events. */
    record Counts(long errors, long events) {
        private boolean areAbove(Level level) {
            return errors > level.errors && errors * 100 > events * level.percent;
        }
    }

    /** A number of errors and a percentage of all events, both of which have to be exceeded. */
    record Level(long errors, int percent) {
        Level {
            if (errors < 0 || percent < 0 || percent > 100) {
                throw new IllegalArgumentException(
                        errors + " errors, " + percent + " percent (expected: 0 or more, and 0 to 100)");
            }
        }
    }
}
