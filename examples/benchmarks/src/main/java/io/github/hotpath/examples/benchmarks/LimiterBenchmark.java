package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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

/** One limiter that all threads ask, with the real clock. Run it with {@code -t 1} and {@code -t 2}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LimiterBenchmark {
    @Param
    Limiter limiter;

    /** In 100 ms: a limit that refuses nearly all, and one that admits all. */
    @Param({"10000", "10000000"})
    int limit;

    private BooleanSupplier attempt;

    @Setup
    public void create() {
        attempt = limiter.create(limit);
    }

    @Benchmark
    public boolean tryRecord() {
        return attempt.getAsBoolean();
    }
}
