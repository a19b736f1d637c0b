package com.google.common.util.concurrent;

import java.util.function.LongSupplier;

/** In Guava's package, as Guava lets nobody else pass a clock to its limiter. */
public final class LimitersByClock {
    private LimitersByClock() {}

    /** Returns a limiter that reads this clock, and never sleeps. */
    public static RateLimiter of(double permitsPerSecond, LongSupplier nanoClock) {
        return RateLimiter.create(permitsPerSecond, new RateLimiter.SleepingStopwatch() {
            @Override
            protected long readMicros() {
                return nanoClock.getAsLong() / 1_000;
            }

            @Override
            protected void sleepMicrosUninterruptibly(long micros) {
                if (micros > 0) {
                    throw new IllegalStateException("would sleep");
                }
            }
        });
    }
}
