package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The one record after an idle gap that evicts many events: all of them, or all but ten. Dropwizard's reservoirs
 * evict at every 256th record and at each reading, so theirs is followed by a count. Reading the clock twice is in each
 * figure.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ExpiryBenchmark {
    private static final long STEP = 10;

    @Param
    ExactWindow window;

    @Param("10000000")
    int events;

    @Param({"0", "10"})
    int left;

    private Window filled;
    private long afterwards;

    @Setup(Level.Invocation)
    public void fill() {
        filled = null; // else there would be room for half as many
        long interval = STEP * events;
        filled = window.filled(events, STEP, interval);
        afterwards = interval + STEP * (events - left);
    }

    @Benchmark
    public long record() {
        filled.record(afterwards);
        return filled.count(afterwards);
    }
}
