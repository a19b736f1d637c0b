package io.github.hotpath.examples.benchmarks;

import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderBuildStage;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderRefillStage;
import io.github.bucket4j.Bucket;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * The times at which limiters to 60 requests a minute grant the requests of one client: none for a while, then four a
 * second. No clock is read, so each run is the same.
 *
 * @param grantedMillis by the name of each limiter, ours last
 */
record Burst(Map<String, long[]> grantedMillis) {
    static final int LIMIT = 60;
    static final long FIRST_MILLIS = 45_000;
    static final long LAST_MILLIS = 180_000;

    private static final long STEP_MILLIS = 250;
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** Sends all requests to a new limiter of each kind, created at 0 ms. */
    static Burst run() {
        Map<String, long[]> granted = new LinkedHashMap<>();
        granted.put(
                "Bucket4j, refilled once a minute", requests(bucket(LIMIT, b -> b.refillIntervally(LIMIT, INTERVAL))));
        granted.put("Bucket4j, refilled continuously", requests(bucket(LIMIT, b -> b.refillGreedy(LIMIT, INTERVAL))));
        int half = LIMIT / 2;
        granted.put("Bucket4j, 30 and 30 a minute", requests(bucket(half, b -> b.refillGreedy(half, INTERVAL))));
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(LIMIT, INTERVAL));
        granted.put("SlidingWindowLimiter", requests(millis -> limiter.tryAcquire(millis * 1_000_000, 1)));
        return new Burst(granted);
    }

    private static long[] requests(LongPredicate limiter) {
        return LongStream.iterate(FIRST_MILLIS, millis -> millis <= LAST_MILLIS, millis -> millis + STEP_MILLIS)
                .filter(limiter)
                .toArray();
    }

    private static LongPredicate bucket(
            int capacity, Function<BandwidthBuilderRefillStage, BandwidthBuilderBuildStage> refill) {
        AtomicLong now = new AtomicLong();
        Bucket bucket = Bucket.builder()
                .addLimit(bandwidth -> refill.apply(bandwidth.capacity(capacity)))
                .withCustomTimePrecision(Limiters.meter(now::get, false))
                .build();
        return millis -> {
            now.set(millis * 1_000_000);
            return bucket.tryConsume(1);
        };
    }

    /** Returns how many requests were granted in the interval that ends at {@code millis}; both ends count. */
    long inLastInterval(String limiter, long millis) {
        return untilNow(limiter, millis) - untilNow(limiter, millis - INTERVAL.toMillis() - 1);
    }

    /** Returns how many requests were granted until {@code millis}. */
    long untilNow(String limiter, long millis) {
        return Arrays.stream(grantedMillis.get(limiter))
                .filter(time -> time <= millis)
                .count();
    }

    /** Returns what is in the file of raw results. */
    List<String> lines() {
        return grantedMillis.entrySet().stream()
                .map(granted -> granted.getKey() + ": "
                        + Arrays.toString(granted.getValue()).replaceAll("[\\[,\\]]", ""))
                .toList();
    }
}
