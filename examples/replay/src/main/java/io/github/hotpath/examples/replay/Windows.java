package io.github.hotpath.examples.replay;

import java.time.Duration;
import java.util.List;

/** The windows of a client that has requests in an interval. */
final class Windows {
    /** Earlier requests are evaluated at this time: what counted before has been released. */
    final long earliestNanos;

    /** One for each candidate. */
    final Attempts[] attempts;

    /** One for each interval. */
    private final BusiestInterval[] intervals;

    Windows(long earliestNanos, List<Candidate> candidates, List<Duration> intervals, LogClock clock) {
        this.earliestNanos = earliestNanos;
        attempts = candidates.stream()
                .map(candidate -> new Attempts(candidate, clock))
                .toArray(Attempts[]::new);
        this.intervals = intervals.stream().map(BusiestInterval::new).toArray(BusiestInterval[]::new);
    }

    /** Records a request, and raises the maxima that it exceeds. */
    void record(long nanos, int permits, long[] busiest) {
        for (int i = 0; i < intervals.length; i++) {
            busiest[i] = Math.max(busiest[i], intervals[i].record(nanos, permits));
        }
    }
}
