package io.github.hotpath.examples.benchmarks;

import java.util.function.IntToLongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A call of a limiter that threads share. */
public class LimiterBenchmark extends CallBenchmark {
    @Param({
        "the clock alone",
        "SlidingWindowLimiter",
        "EventWindow, locked",
        "SmallRye (rolling)",
        "Bucket4j (tokens)",
        "Resilience4j (cycles)",
        "Guava (smooth)"
    })
    public String limiter;

    @Param({States.FAR, States.AT, States.REFUSED})
    public String state;

    private IntToLongFunction call;
    private int permits;

    @Setup
    public void create() {
        boolean hasOwnClock = limiter.startsWith("Resilience4j") || limiter.startsWith("Guava");
        States s = hasOwnClock ? States.ofRealClock(state) : States.of(state);
        boolean isAtLimit = state.equals(States.AT);
        call = Limiters.of(limiter, s.limit(), s.interval(), isAtLimit, s.clock());
        permits = state.equals(States.TEN) ? 10 : 1;
        for (int i = 0; isAtLimit && i < 2 * s.limit(); i++) {
            long result = call.applyAsLong(1);
            if (result != 0 && !limiter.equals("the clock alone")) {
                throw new IllegalStateException(limiter + ": refused call " + i);
            }
        }
    }

    @Benchmark
    public long tryAcquire() {
        return call.applyAsLong(permits);
    }
}
