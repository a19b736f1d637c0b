package io.github.hotpath.examples.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A call of a limiter that threads share. */
public class LimiterBenchmark extends CallBenchmark {
    @Param("SlidingWindowLimiter")
    public String limiter;

    @Param({States.HALF, States.AT, States.TWICE})
    public String state;

    @Param({Arrivals.EXPONENTIAL, Arrivals.REGULAR})
    public String gaps;

    private Arrivals arrivals;
    private Limiters.Call call;
    private int permits;

    @Setup
    public void create() throws InterruptedException {
        States s = States.of(state, gaps);
        arrivals = s.arrivals();
        call = Limiters.of(limiter, s.limit(), s.interval(), States.isEmptyFirst(state), arrivals);
        permits = state.equals(States.TEN) ? 10 : 1;
    }

    @Benchmark
    public long tryAcquire(Refusals refusals) throws InterruptedException {
        arrivals.next();
        return refusals.count(call.ask(permits));
    }
}
