package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
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
 * A window that grows from nothing, and the slowest of all records on the way, beside a loop that only reads the clock.
 * The heap is so large, and there from the beginning, that most rounds have no collection in them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-Xmn3g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 2)
@Measurement(iterations = 8)
public class SlowestRecordBenchmark {
    @Param("10000000")
    int events;

    /** What of the others is the machine's. */
    @Benchmark
    public void clockAlone(Slowest slowest) {
        callForEach(nanos -> nanos, slowest);
    }

    @Benchmark
    public Window grow(Kind kind, Slowest slowest) {
        Window growing = kind.window.create(TimeUnit.HOURS.toNanos(1), events);
        callForEach(growing::record, slowest);
        return growing;
    }

    private void callForEach(LongUnaryOperator record, Slowest slowest) {
        long before = System.nanoTime();
        for (int i = 0; i < events; i++) {
            record.applyAsLong(i);
            long after = System.nanoTime();
            slowest.nanos = Math.max(slowest.nanos, after - before);
            before = after;
        }
    }

    /** Which window grows; apart from the rest, since the clock alone has none. */
    @State(Scope.Thread)
    public static class Kind {
        @Param({"EVENT_WINDOW", "CONCURRENT_EVENT_WINDOW", "TRIMMED_DEQUE", "DROPWIZARD_ARRAY", "DROPWIZARD_TREE"})
        ExactWindow window;
    }

    /** The longest that one record took, the reading of the clock included. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Slowest {
        public long nanos;
    }
}
