package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A window that grows from nothing, and the slowest of all records on the way. The heap is so large, and there from the
 * beginning, that no collection comes between: what is seen is the window's own doing, or a stall of the machine. So
 * the least of several rounds tells the most.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-Xmn3g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 2)
@Measurement(iterations = 8)
public class GrowingBenchmark {
    @Param({"EVENT_WINDOW", "CONCURRENT_EVENT_WINDOW", "TRIMMED_DEQUE", "DROPWIZARD_ARRAY", "DROPWIZARD_TREE"})
    ExactWindow window;

    @Param("10000000")
    int events;

    @Benchmark
    public Window grow(Slowest slowest) {
        Window growing = window.create(TimeUnit.HOURS.toNanos(1), events);
        long before = System.nanoTime();
        for (int i = 0; i < events; i++) {
            growing.record(i);
            long after = System.nanoTime();
            slowest.nanos = Math.max(slowest.nanos, after - before);
            before = after;
        }
        return growing;
    }

    /** The longest that one record took, the reading of the clock included. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Slowest {
        public long nanos;
    }
}
