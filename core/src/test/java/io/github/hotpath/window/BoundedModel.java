package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/**
 * What a {@link BoundedEventWindow} promises of its bounds, checked against the count of a {@link NaiveWindow}.
 */
final class BoundedModel {
    private final long interval;
    private final double error;
    private final NaiveWindow exact;

    /** The events that were out of order and not ignored. */
    private long outOfOrder;

    private boolean started;
    private long latest;

    BoundedModel(long interval, double error) {
        this.interval = interval;
        this.error = error;
        exact = new NaiveWindow(interval);
    }

    void record(long nanos, long events) {
        int before = exact.size();
        boolean late = started && nanos - latest < 0;
        for (long i = 0; i < events; i++) {
            exact.record(nanos);
        }
        outOfOrder += late ? exact.size() - before : 0;
        moveTo(nanos);
    }

    void trim(long nanos) {
        exact.trim(nanos);
        moveTo(nanos);
    }

    void clear() {
        exact.clear();
        started = false;
        outOfOrder = 0;
    }

    private void moveTo(long nanos) {
        latest = started && nanos - latest < 0 ? latest : nanos;
        started = true;
    }

    /** Returns the number of events in the window at the latest time. */
    int size() {
        return exact.size();
    }

    /**
     * Asserts that the bounds for the whole window are right and as close as they have to be, also for the structure.
     */
    void check(BoundedEventWindow window, long nanos) {
        Insides.check(window, outOfOrder);
        check(exact.count(nanos), window.countAtLeast(nanos), window.countAtMost(nanos));
    }

    /** The same for a shorter span. */
    void check(BoundedEventWindow window, long nanos, long span) {
        Duration duration = Duration.ofNanos(span);
        check(exact.count(nanos, span), window.countAtLeast(nanos, duration), window.countAtMost(nanos, duration));
        if (span == interval) {
            assertThat(window.countAtLeast(nanos, duration)).isEqualTo(window.countAtLeast(nanos));
            assertThat(window.countAtMost(nanos, duration)).isEqualTo(window.countAtMost(nanos));
        }
    }

    private void check(long count, long atLeast, long atMost) {
        checkBounds(count, atLeast, atMost, error, outOfOrder);
    }

    /** Asserts that the count is within the bounds, and that these are as close as they have to be. */
    static void checkBounds(long count, long atLeast, long atMost, double error, long outOfOrder) {
        assertThat(atLeast).isBetween(0L, count);
        assertThat(atMost).isGreaterThanOrEqualTo(count);
        if (count <= 1 / error) {
            assertThat(atLeast).as("exact up to 1 / %s", error).isEqualTo(atMost);
        }
        assertThat((double) (atMost - atLeast))
                .as("width of %s", count)
                .isLessThanOrEqualTo(error * count + outOfOrder);
    }
}
