package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One limiter that all threads call, with the real clock. Run with {@code -t 1}, {@code -t 2} and {@code -t 200}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LimiterBenchmark {
    @Param
    Limiter limiter;

    /** Of a call. With more than one, permits may be left that are too few for a call. */
    @Param("1")
    int permits;

    /** In 100 ms: one that refuses nearly all calls, and one that grants all. */
    @Param({"10000", "10000000"})
    int limit;

    private IntToLongFunction attempt;

    @Setup
    public void create() {
        if (permits != 1 && !Limiter.WEIGHTED.contains(limiter)) {
            throw new IllegalStateException(limiter + " is measured with one permit at a time");
        }
        attempt = limiter.create(limit);
    }

    @Benchmark
    public long tryAcquire() {
        return attempt.applyAsLong(permits);
    }
}
