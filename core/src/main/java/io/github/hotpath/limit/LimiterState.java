package io.github.hotpath.limit;

import java.util.Arrays;
import java.util.List;

/** The state of a {@link SlidingLog} at some moment. The arrays have an element for each entry, oldest first. */
final class LimiterState {
    /** Represents an array of ones. */
    static final long[] ALL_ONE = {};

    final List<Limit> limits;

    /** Whether there are a latest time and a last slot. */
    final boolean started;

    final long latest;

    /** Not before the latest time, less than 2^63 - 1 after it, and not before any entry. */
    final long lastSlot;

    /** Strictly increasing. */
    final long[] times;

    /** At least 1 each. */
    final long[] permits;

    /** At least 1 each and at most the permits, or {@link #ALL_ONE}. */
    final long[] calls;

    /**
     * Entries of no permits, which have been cancelled, are left out, as are those that are 2^63 ns older than the last
     * slot or more, which no limit counts there or later. The arrays are used up.
     */
    LimiterState(
            List<Limit> limits,
            boolean started,
            long latest,
            long lastSlot,
            long[] times,
            long[] permits,
            long[] calls) {
        this.limits = limits;
        this.started = started;
        this.latest = latest;
        this.lastSlot = lastSlot;
        for (int i = 0; i < times.length && lastSlot - times[i] < 0; i++) {
            permits[i] = 0;
        }
        this.times = filtered(times, permits);
        this.calls = filtered(calls, permits);
        this.permits = filtered(permits, permits);
    }

    /**
     * Returns those of {@code values} that have permits; moves them within the array, so {@code permits} is filtered
     * last.
     */
    private static long[] filtered(long[] values, long[] permits) {
        int kept = 0;
        for (int i = 0; i < values.length; i++) {
            if (permits[i] != 0) {
                values[kept++] = values[i];
            }
        }
        return kept == values.length ? values : Arrays.copyOf(values, kept);
    }
}
