package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
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

/** A call with a known key that all threads use, among a thousand others, with the real clock. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class KeyedCallBenchmark {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final int OTHERS = 1_000;

    @Param
    Keyed keyed;

    /** In 100 ms: one that refuses nearly all calls, and one that grants all. */
    @Param({"10000", "10000000"})
    int limit;

    private final Object key = "192.0.2.1";
    private ToLongFunction<Object> attempt;

    @Setup
    public void create() {
        attempt = keyed.create(limit, INTERVAL, System::nanoTime);
        for (int i = 0; i < OTHERS; i++) {
            attempt.applyAsLong("198.51.100." + i);
        }
    }

    @Benchmark
    public long call() {
        return attempt.applyAsLong(key);
    }
}
