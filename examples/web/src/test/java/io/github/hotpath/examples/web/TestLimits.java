package io.github.hotpath.examples.web;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Limits for tests, whose clock stands still: a client has 3 in a minute, a tenant 8 in 10 s, the service 100 a second. */
public final class TestLimits implements RequestLimits {
    /** Near the end of the range, so that the clock wraps around in the middle of a test. */
    public final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    public final ServiceLimits limits = new ServiceLimits(
            KeyedLimiter.of(Limit.of(3, Duration.ofSeconds(60))),
            KeyedLimiter.of(Limit.of(8, Duration.ofSeconds(10))),
            SlidingWindowLimiter.of(Limit.of(100, Duration.ofSeconds(1))),
            nanos::get);

    @Override
    public Verdict decide(Caller caller, int permits) {
        return limits.decide(caller, permits);
    }

    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }
}
