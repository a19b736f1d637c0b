package io.github.hotpath.examples.benchmarks;

import java.lang.ref.Reference;
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
 * What each exact window keeps in memory: the heap's difference, to some hundred bytes, in {@code bytes}. The time
 * that the benchmark takes has no meaning.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
@Warmup(iterations = 1)
@Measurement(iterations = 1)
public class MemoryBenchmark {
    private static final long STEP = 10;

    /** So long that nothing expires meanwhile where the clock is the real one. */
    private static final long INTERVAL = TimeUnit.HOURS.toNanos(1);

    @Param
    ExactWindow window;

    @Param("10000000")
    int events;

    /** A window with its events in it. */
    @Benchmark
    public void filled(Kept kept) {
        long before = Heap.usedBytes();
        Window filled = window.filled(events, STEP, INTERVAL);
        kept.bytes = Heap.usedBytes() - before;
        Reference.reachabilityFence(filled);
    }

    /** The same window when all have expired but the last one, 300 records later: Dropwizard's evict at every 256th. */
    @Benchmark
    public void expired(Kept kept) {
        long before = Heap.usedBytes();
        Window filled = window.filled(events, STEP, INTERVAL);
        for (int i = 1; i <= 300; i++) {
            filled.record(3 * i * INTERVAL);
        }
        kept.bytes = Heap.usedBytes() - before;
        Reference.reachabilityFence(filled);
    }

    /** What is kept. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Kept {
        public long bytes;
    }
}
