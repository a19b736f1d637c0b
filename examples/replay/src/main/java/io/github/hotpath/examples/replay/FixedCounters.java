package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.Limit;
import java.util.Arrays;
import java.util.List;

/**
 * Counters of a client, one for each limit: of the permits in the current interval of the clock, such as the minute
 * from 09:30:00 until 09:31:00, UTC. What most programs have that limit without a library.
 */
final class FixedCounters {
    private final List<Limit> limits;
    private final long[] intervals;
    private final long[] counts;

    FixedCounters(List<Limit> limits) {
        this.limits = limits;
        intervals = new long[limits.size()];
        counts = new long[limits.size()];
        Arrays.fill(intervals, Long.MIN_VALUE); // earlier than all
    }

    /**
     * Counts permits under all limits, if all allow it. A time before an interval that has begun counts in that one.
     */
    boolean tryAcquire(long nanos, int permits) {
        boolean isGranted = true;
        for (int i = 0; i < counts.length; i++) {
            long interval = Math.floorDiv(nanos, limits.get(i).interval().toNanos());
            if (interval > intervals[i]) {
                intervals[i] = interval;
                counts[i] = 0;
            }
            isGranted &= counts[i] + permits <= limits.get(i).max();
        }
        for (int i = 0; isGranted && i < counts.length; i++) {
            counts[i] += permits;
        }
        return isGranted;
    }
}
