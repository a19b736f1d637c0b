package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is retained of a client: its figures and, while it has requests in an interval, its windows. */
final class Client {
    final String key;

    /** The most permits in an interval, for each interval. */
    final long[] busiest;

    /** By candidate. */
    final Refusals[] refusals;

    long requests;
    long latestNanos = Long.MIN_VALUE;

    @Nullable
    Windows windows;

    Client(String key, int candidates, int intervals) {
        this.key = key;
        busiest = new long[intervals];
        refusals = Stream.generate(Refusals::new).limit(candidates).toArray(Refusals[]::new);
    }

    /** Returns how often a candidate refuses this client. */
    long refused(int candidate) {
        return refusals[candidate].number;
    }

    /** The windows of a client. */
    static final class Windows {
        /** More permits than all requests have. */
        private static final long ALL = 1L << 62;

        /** Earlier requests are evaluated at this time: what counted before has been released. */
        final long earliestNanos;

        /** One for each candidate. */
        final SlidingWindowLimiter[] limiters;

        /** One for each interval, of all permits, granted or not: none of them refuses. */
        private final SlidingWindowLimiter[] intervals;

        Windows(long earliestNanos, List<Candidate> candidates, List<Duration> intervals) {
            this.earliestNanos = earliestNanos;
            limiters = candidates.stream()
                    .map(candidate -> SlidingWindowLimiter.of(candidate.limits()))
                    .toArray(SlidingWindowLimiter[]::new);
            this.intervals = intervals.stream()
                    .map(interval -> SlidingWindowLimiter.of(Limit.of(ALL, interval)))
                    .toArray(SlidingWindowLimiter[]::new);
        }

        /**
         * Records a request, and raises the maxima that it exceeds: a limit of N permits refuses a client if, and only
         * if, its busiest interval has more than N, since nothing is refused before that.
         */
        void record(long nanos, int permits, long[] busiest) {
            for (int i = 0; i < intervals.length; i++) {
                intervals[i].record(nanos, permits);
                busiest[i] = Math.max(busiest[i], ALL - intervals[i].available(nanos));
            }
        }
    }
}
