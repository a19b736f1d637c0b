package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** A call with a key of one limiter for many: always the same one of a thousand that are known. */
@Warmup(iterations = 8, time = 200, timeUnit = TimeUnit.MILLISECONDS) // it takes long until all is compiled
public class KeyBenchmark extends CallBenchmark {
    private static final int KEYS = 1_000;

    @Param("KeyedLimiter")
    public String limiter;

    @Param({States.FAR, States.REFUSED})
    public String state;

    @Param(Arrivals.LOOP)
    public String gaps;

    private Arrivals arrivals;
    private ToLongFunction<String> call;

    @Setup
    public void create() {
        States s = States.of(state, gaps);
        arrivals = s.arrivals();
        call = Keys.of(limiter, s.limit(), s.interval(), States.isEmptyFirst(state), arrivals);
        for (int i = 0; i < KEYS && gaps.equals(Arrivals.LOOP); i++) {
            call.applyAsLong("client-" + i);
        }
    }

    @Benchmark
    public long tryAcquire(Refusals refusals) {
        arrivals.next();
        return refusals.count(call.applyAsLong(Keys.HOT));
    }
}
