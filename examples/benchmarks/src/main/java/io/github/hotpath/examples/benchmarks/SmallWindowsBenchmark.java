package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
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
 * What a great many windows of three events keep in memory, new and long in use: the heap's difference, in {@code
 * bytes}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
@Warmup(iterations = 1) // else the garbage of the start-up is collected only after the first reading of the heap
@Measurement(iterations = 1)
public class SmallWindowsBenchmark {
    private static final long STEP = 10;

    /** Else the first boxes would come from the cache that {@code Long} has of small numbers. */
    private static final long START = 1_000_000;

    @Param({"EVENT_WINDOW", "CONCURRENT_EVENT_WINDOW", "TRIMMED_DEQUE"})
    ExactWindow window;

    @Param("10000")
    int windows;

    /** The number of events that have passed through each: all but three in one burst. */
    @Param({"0", "3", "100000"})
    int records;

    @Benchmark
    public void kept(MemoryBenchmark.Kept kept) {
        kept.bytes = Heap.bytesOf(windows, this::used);
    }

    private Object used() {
        Window small = window.create(2 * STEP, 3);
        for (int i = 0; i < records; i++) {
            small.record(i < records - 3 ? START : START + STEP * (10 + i));
        }
        return small.adapted();
    }
}
