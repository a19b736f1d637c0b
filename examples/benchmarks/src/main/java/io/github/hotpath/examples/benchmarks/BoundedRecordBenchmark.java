package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

/** A record in a steady window with an error of 1%, and a read of both bounds. Times are passed in. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class BoundedRecordBenchmark {
    private static final long STEP = 10;

    @Param({"1000", "100000", "10000000"})
    int events;

    private long nanos;
    private BoundedEventWindow bounded;
    private EventWindow exact;

    @Setup
    public void fill() {
        Duration interval = Duration.ofNanos(STEP * (events - 1));
        nanos = System.nanoTime();
        bounded = BoundedEventWindow.of(interval, 0.01);
        exact = EventWindow.of(interval);
        for (int i = 0; i < 2 * events; i++) {
            nanos += STEP;
            bounded.record(nanos);
            exact.record(nanos);
        }
    }

    @Benchmark
    public void record() {
        bounded.record(nanos += STEP);
    }

    /** The same in an {@link EventWindow}, which returns the count as well. */
    @Benchmark
    public long recordExactly() {
        return exact.record(nanos += STEP);
    }

    /** When a third of the events have expired. */
    @Benchmark
    public long readBounds() {
        long at = nanos + STEP * events / 3;
        return bounded.countAtMost(at) - bounded.countAtLeast(at);
    }
}
