package io.github.hotpath.examples.benchmarks;

import com.google.common.util.concurrent.LimitersByClock;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.EventWindow;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.smallrye.faulttolerance.core.rate.limit.TimeWindow;
import io.smallrye.faulttolerance.core.stopwatch.RunningStopwatch;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Limiters that threads share, each called as its documentation says. They do not promise the same: those called
 * rolling, or ours, never grant more than the limit in any window; buckets of tokens up to twice the limit after a
 * pause, cycles up to twice the limit across two of them; Guava keeps permits at a distance.
 */
final class Limiters {
    private Limiters() {}

    /** Asks for a number of permits: 0 if they are granted, otherwise another number: the delay, of those "or delay". */
    interface Call {
        long ask(int permits) throws InterruptedException;
    }

    /**
     * Returns a call of a limiter. Those with two limits have a second one of three quarters of the permits in half the
     * time.
     *
     * @param isEmpty whether a bucket has no tokens in the beginning
     */
    static Call of(String name, int limit, Duration interval, boolean isEmpty, LongSupplier clock) {
        Limit first = Limit.of(limit, interval);
        List<Limit> limits = name.endsWith("two limits")
                ? List.of(first, Limit.of(limit - limit / 4, interval.dividedBy(2)))
                : List.of(first);
        SlidingWindowLimiter ours = SlidingWindowLimiter.of(limits);
        BlockingLimiter waiting = BlockingLimiter.of(ours, clock);
        Bucket bucket = bucket(clock, isEmpty, limits);
        return switch (name) {
            case "the clock alone" -> permits -> clock.getAsLong() == Long.MIN_VALUE ? 1 : 0;
            case "SlidingWindowLimiter", "SlidingWindowLimiter, two limits" ->
                permits -> ours.tryAcquire(clock.getAsLong(), permits) ? 0 : 1;
            case "SlidingWindowLimiter, or delay" -> permits -> ours.tryAcquireOrDelay(clock.getAsLong(), permits);
            case "SlidingWindowLimiter, reserve" ->
                permits ->
                        ours.reserve(clock.getAsLong(), permits, Duration.ZERO).delayNanos();
            case "BlockingLimiter, acquire" ->
                permits -> waiting.acquire(permits).delayNanos();
            case "Bucket4j (tokens)", "Bucket4j (tokens), two limits" -> permits -> bucket.tryConsume(permits) ? 0 : 1;
            case "Bucket4j (tokens), or delay" ->
                permits -> bucket.tryConsumeAndReturnRemaining(permits).getNanosToWaitForRefill();
            case "Bucket4j (tokens), consume" ->
                permits -> {
                    bucket.asBlocking().consume(permits);
                    return 0;
                };
            case "EventWindow, locked" -> locked(limit, EventWindow.of(interval), clock);
            case "SmallRye (rolling)" -> { // by its internal class, since its API is an interceptor
                RunningStopwatch millis = () -> clock.getAsLong() / 1_000_000;
                TimeWindow window = TimeWindow.createRolling(() -> millis, limit, interval.toMillis(), 0);
                yield permits -> window.record();
            }
            case "Resilience4j (cycles)" -> {
                AtomicRateLimiter limiter =
                        new AtomicRateLimiter("benchmark", resilience4j(limit, interval), clock::getAsLong);
                yield permits -> limiter.acquirePermission(permits) ? 0 : 1;
            }
            case "Guava (smooth)" -> {
                RateLimiter limiter = LimitersByClock.of(limit * 1e9 / interval.toNanos(), clock);
                yield permits -> limiter.tryAcquire(permits) ? 0 : 1;
            }
            case "Failsafe (bursts)" -> {
                var limiter =
                        dev.failsafe.RateLimiter.burstyBuilder(limit, interval).build();
                yield permits -> limiter.tryAcquirePermits(permits) ? 0 : 1;
            }
            default -> throw new IllegalArgumentException("name: " + name);
        };
    }

    /** What one would write with a window. The clock is read outside of the lock, as ours does. */
    private static Call locked(int limit, EventWindow window, LongSupplier clock) {
        return permits -> {
            long nanos = clock.getAsLong();
            synchronized (window) {
                boolean granted = window.count(nanos) < limit;
                if (granted) {
                    window.record(nanos);
                }
                return granted ? 0 : 1;
            }
        };
    }

    static Bucket bucket(LongSupplier clock, boolean isEmpty, List<Limit> limits) {
        LocalBucketBuilder builder = Bucket.builder().withCustomTimePrecision(meter(clock, false));
        limits.forEach(limit -> builder.addLimit(bandwidth(limit, isEmpty)));
        return builder.build();
    }

    static Bandwidth bandwidth(Limit limit, boolean isEmpty) {
        return Bandwidth.builder()
                .capacity(limit.max())
                .refillGreedy(limit.max(), limit.interval())
                .initialTokens(isEmpty ? 0 : limit.max())
                .build();
    }

    /** Returns a clock as Bucket4j's. */
    static TimeMeter meter(LongSupplier clock, boolean isWallClock) {
        return new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return clock.getAsLong();
            }

            @Override
            public boolean isWallClockBased() {
                return isWallClock;
            }
        };
    }

    static RateLimiterConfig resilience4j(int limit, Duration interval) {
        return RateLimiterConfig.custom()
                .limitForPeriod(limit)
                .limitRefreshPeriod(interval)
                .timeoutDuration(Duration.ZERO)
                .build();
    }
}
