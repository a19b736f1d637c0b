package io.github.hotpath.examples.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A limiter whose permits are waited for. They do not promise the same: each says what it does. */
enum Waiting {
    /** Never more than the limit in any window; in the order of arrival. */
    HOTPATH("BlockingLimiter.acquire", true) {
        @Override
        Turns create(int limit, Duration interval, ScheduledExecutorService scheduler) {
            BlockingLimiter turns = hotpath(limit, interval);
            return permits -> {
                turns.acquire(permits);
                return DONE;
            };
        }
    },
    /** The same without threads. */
    HOTPATH_ASYNC("BlockingLimiter.acquireAsync", false) {
        @Override
        Turns create(int limit, Duration interval, ScheduledExecutorService scheduler) {
            BlockingLimiter turns = hotpath(limit, interval);
            return permits -> turns.acquireAsync(permits, scheduler);
        }
    },
    /** Permits that keep a distance from each other; each call is told its slot, and sleeps until then. */
    GUAVA("Guava, acquire", true) {
        @Override
        Turns create(int limit, Duration interval, ScheduledExecutorService scheduler) {
            RateLimiter limiter = RateLimiter.create(limit * 1e9 / interval.toNanos());
            return permits -> {
                limiter.acquire(permits);
                return DONE;
            };
        }

        @Override
        long dueNanos(int index, int limit, Duration interval) {
            return interval.toNanos() + interval.toNanos() / limit * index;
        }
    },
    /** A token bucket that is filled once an interval; each call takes its tokens ahead, and sleeps. */
    BUCKET4J("Bucket4j, asBlocking", true) {
        @Override
        Turns create(int limit, Duration interval, ScheduledExecutorService scheduler) {
            Bucket bucket = bucket(limit, interval);
            return permits -> {
                bucket.asBlocking().consume(permits);
                return DONE;
            };
        }
    },
    /** The same without threads. */
    BUCKET4J_ASYNC("Bucket4j, asScheduler", false) {
        @Override
        Turns create(int limit, Duration interval, ScheduledExecutorService scheduler) {
            Bucket bucket = bucket(limit, interval);
            return permits -> bucket.asScheduler().consume(permits, scheduler);
        }
    },
    /** Fixed cycles; each call takes its permits ahead, and parks. */
    RESILIENCE4J("Resilience4j", true) {
        @Override
        Turns create(int limit, Duration interval, ScheduledExecutorService scheduler) {
            RateLimiterConfig config = RateLimiterConfig.custom()
                    .limitForPeriod(limit)
                    .limitRefreshPeriod(interval)
                    .timeoutDuration(Duration.ofMinutes(1))
                    .build();
            AtomicRateLimiter limiter = new AtomicRateLimiter("benchmark", config);
            return permits -> {
                limiter.acquirePermission(permits);
                return DONE;
            };
        }
    };

    private static final CompletableFuture<Boolean> DONE = CompletableFuture.completedFuture(true);

    private final String title;

    /** Whether each request blocks a thread. */
    final boolean blocks;

    Waiting(String title, boolean blocks) {
        this.title = title;
        this.blocks = blocks;
    }

    /** Acquires permits; the future completes, or the call returns, when they may be used. */
    interface Turns {
        CompletableFuture<?> acquire(int permits) throws InterruptedException;
    }

    /** Creates a limiter of so many permits in an interval. */
    abstract Turns create(int limit, Duration interval, ScheduledExecutorService scheduler);

    /** Returns when the request of this index is due at the earliest, if the first {@code limit} permits are taken. */
    long dueNanos(int index, int limit, Duration interval) {
        return interval.toNanos() * (1 + index / limit);
    }

    private static BlockingLimiter hotpath(int limit, Duration interval) {
        return BlockingLimiter.of(SlidingWindowLimiter.of(Limit.of(limit, interval)));
    }

    private static Bucket bucket(int limit, Duration interval) {
        return Bucket.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit).refillIntervally(limit, interval))
                .withNanosecondPrecision()
                .build();
    }

    /** Creates a scheduler for those that need one. */
    static ScheduledExecutorService scheduler() {
        return Executors.newScheduledThreadPool(2);
    }

    static void await(long nanoTime) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
    }

    /** Returns its name in results. */
    @Override
    public String toString() {
        return title;
    }
}
