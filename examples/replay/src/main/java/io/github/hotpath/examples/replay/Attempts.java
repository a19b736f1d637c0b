package io.github.hotpath.examples.replay;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;

/** The permits of one client under one candidate, counted by each algorithm. */
final class Attempts {
    private final SlidingWindowLimiter limiter;
    private final Bucket bucket;
    private final FixedCounters counters;

    Attempts(Candidate candidate, LogClock clock) {
        limiter = SlidingWindowLimiter.of(candidate.limits());
        bucket = bucket(candidate, clock);
        counters = new FixedCounters(candidate.limits());
    }

    private static Bucket bucket(Candidate candidate, LogClock clock) {
        LocalBucketBuilder bucket = Bucket.builder()
                .withCustomTimePrecision(clock)
                .withSynchronizationStrategy(SynchronizationStrategy.NONE); // one thread replays
        for (Limit limit : candidate.limits()) {
            bucket.addLimit(bandwidth -> bandwidth.capacity(limit.max()).refillGreedy(limit.max(), limit.interval()));
        }
        return bucket.build();
    }

    /** Acquires permits from the limiter and returns 0, or returns the exact delay. */
    long tryAcquireOrDelay(long nanos, int permits) {
        return limiter.tryAcquireOrDelay(nanos, permits);
    }

    /** Takes permits from the bucket, at the time of its clock. */
    boolean tryConsume(int permits) {
        return bucket.tryConsume(permits);
    }

    /** Counts permits. */
    boolean tryCount(long nanos, int permits) {
        return counters.tryAcquire(nanos, permits);
    }
}
