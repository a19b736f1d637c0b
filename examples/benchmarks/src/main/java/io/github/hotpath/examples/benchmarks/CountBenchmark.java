package io.github.hotpath.examples.benchmarks;

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

/** Readings of a window that is full: of the whole, when little has expired since, and of spans; and a late record. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CountBenchmark {
    private static final long STEP = 10;

    @Param({"100", "10000", "1000000"})
    int events;

    private long nanos;
    private EventWindow window;
    private Duration half;

    @Setup
    public void fill() {
        window = EventWindow.of(Duration.ofNanos(STEP * events));
        half = Duration.ofNanos(STEP * events / 2);
        for (int i = 0; i < events; i++) {
            window.record(nanos += STEP);
        }
    }

    /** With four expired events that have not been evicted. */
    @Benchmark
    public long whole() {
        return window.count(nanos + 5 * STEP);
    }

    @Benchmark
    public long halfSpan() {
        return window.count(nanos, half);
    }

    /** In front of all but one of the events. The next call lets that one and the late one go: their number stays. */
    @Benchmark
    public long late() {
        window.record(nanos += STEP);
        return window.record(nanos - STEP * events + STEP / 2);
    }
}
