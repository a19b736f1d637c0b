package io.github.hotpath.examples.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A thousand requests that wait for a permit each, on threads or as futures: how late they are served, counted from when
 * the library's own rule allows it. All permits come back at once, or a tenth of them every 200 ms. A thread that is
 * served lives on until all are, unless it is to end: those that end take the processor from those that are to wake.
 */
public class WaitingBenchmark extends OnceBenchmark {
    private static final int REQUESTS = 1_000;
    private static final CompletableFuture<Boolean> DONE = CompletableFuture.completedFuture(true);

    @Param({
        "BlockingLimiter.acquire",
        "BlockingLimiter.acquireAsync",
        "Bucket4j, asBlocking",
        "Bucket4j, asScheduler",
        "Resilience4j",
        "Guava, acquire"
    })
    public String limiter;

    @Param({"at once", "at once, threads end", "in turn"})
    public String served;

    private ScheduledExecutorService scheduler;

    @Setup
    public void start() {
        scheduler = Executors.newScheduledThreadPool(2);
    }

    @TearDown
    public void stop() {
        scheduler.shutdownNow();
    }

    @Benchmark
    public void measure(Found found) throws InterruptedException {
        for (int i = 0; i < 20; i++) { // everything is loaded, linked and compiled
            late(20, 10, Duration.ofMillis(2));
        }
        boolean isAtOnce = served.startsWith("at once");
        long[] late = isAtOnce
                ? late(REQUESTS, REQUESTS, Duration.ofSeconds(1))
                : late(REQUESTS, REQUESTS / 10, Duration.ofMillis(200));
        found.late50 = late[REQUESTS / 2] / 1e6;
        found.late999 = late[REQUESTS - 2] / 1e6;
    }

    /** Takes all permits of a new limiter, and returns by how much later so many more are granted, in order of size. */
    private long[] late(int requests, int limit, Duration interval) throws InterruptedException {
        long[] times = new long[requests];
        AtomicInteger next = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(requests);
        Runnable enter = () -> {
            times[next.getAndIncrement()] = System.nanoTime();
            all.countDown();
        };
        long[] start = new long[1];
        Turns[] turns = new Turns[1];
        Threads.Action begin = () -> {
            start[0] = System.nanoTime();
            turns[0] = turns(limit, interval);
            turns[0].acquire(limit);
        };
        if (limiter.endsWith("acquireAsync") || limiter.endsWith("asScheduler")) {
            begin.run();
            for (int i = 0; i < requests; i++) {
                turns[0].acquire(1).thenRun(enter);
            }
        } else {
            Threads.runAll(requests, false, begin, index -> {
                try {
                    turns[0].acquire(1);
                    enter.run();
                    if (!served.endsWith("threads end")) {
                        all.await();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        all.await();
        Arrays.sort(times);
        long each = interval.toNanos();
        for (int i = 0; i < requests; i++) {
            long due = limiter.startsWith("Guava") ? each + each / limit * i : each * (1 + i / limit);
            times[i] = Math.max(0, times[i] - start[0] - due);
        }
        Arrays.sort(times);
        return times;
    }

    private Turns turns(int limit, Duration interval) {
        BlockingLimiter ours = BlockingLimiter.of(SlidingWindowLimiter.of(Limit.of(limit, interval)));
        Bucket bucket = Bucket.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit).refillIntervally(limit, interval))
                .withNanosecondPrecision()
                .build();
        return switch (limiter) {
            case "BlockingLimiter.acquire" ->
                permits -> {
                    ours.acquire(permits);
                    return DONE;
                };
            case "BlockingLimiter.acquireAsync" -> permits -> ours.acquireAsync(permits, scheduler);
            case "Bucket4j, asBlocking" ->
                permits -> {
                    bucket.asBlocking().consume(permits);
                    return DONE;
                };
            case "Bucket4j, asScheduler" -> permits -> bucket.asScheduler().consume(permits, scheduler);
            case "Resilience4j" -> {
                RateLimiterConfig config = RateLimiterConfig.from(Limiters.resilience4j(limit, interval))
                        .timeoutDuration(Duration.ofMinutes(1))
                        .build();
                AtomicRateLimiter cycles = new AtomicRateLimiter("benchmark", config);
                yield permits -> {
                    cycles.acquirePermission(permits);
                    return DONE;
                };
            }
            case "Guava, acquire" -> {
                RateLimiter smooth = RateLimiter.create(limit * 1e9 / interval.toNanos());
                yield permits -> {
                    smooth.acquire(permits);
                    return DONE;
                };
            }
            default -> throw new IllegalStateException("limiter: " + limiter);
        };
    }

    /** Acquires permits; the future completes, or the call returns, when they may be used. */
    private interface Turns {
        CompletableFuture<?> acquire(int permits) throws InterruptedException;
    }

    /** What was found, in milliseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Found {
        public double late50;
        public double late999;
    }
}
