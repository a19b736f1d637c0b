package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.ConcurrentEventWindow;
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

/**
 * One window that all threads use, with the real clock: recording, counting and limiting, beside an {@link EventWindow} under
 * a lock and the bare clock. Run it with {@code -t 1} and {@code -t 2}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ConcurrentBenchmark {
    private static final Duration INTERVAL = Duration.ofMillis(1);

    private ConcurrentEventWindow concurrent;
    private EventWindow locked;

    @Setup
    public void makeWindows() {
        concurrent = ConcurrentEventWindow.of(INTERVAL);
        locked = EventWindow.of(INTERVAL);
    }

    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    @Benchmark
    public void record() {
        concurrent.record(System.nanoTime());
    }

    @Benchmark
    public long recordLocked() {
        synchronized (locked) {
            return locked.record(System.nanoTime());
        }
    }

    @Benchmark
    public long recordAndCount() {
        long nanos = System.nanoTime();
        concurrent.record(nanos);
        return concurrent.count(nanos);
    }

    @Benchmark
    public boolean tryRecord(Limit limit) {
        return concurrent.tryRecord(System.nanoTime(), limit.limit);
    }

    @Benchmark
    public boolean tryRecordLocked(Limit limit) {
        synchronized (locked) {
            return locked.tryRecord(System.nanoTime(), limit.limit);
        }
    }

    /** A limit that refuses nearly all, or none. */
    @State(Scope.Benchmark)
    public static class Limit {
        @Param({"100", "1000000000"})
        int limit;
    }
}
