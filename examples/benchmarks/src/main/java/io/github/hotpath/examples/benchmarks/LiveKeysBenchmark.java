package io.github.hotpath.examples.benchmarks;

import java.lang.ref.Reference;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What keys keep in memory while all of them are alive, with three permits each: the heap's difference, in {@code
 * bytes}, the map and the keys (boxed numbers) included.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class LiveKeysBenchmark {
    private static final int PERMITS = 3;

    @Param({"KEYED_LIMITER", "BUCKET4J", "RESILIENCE4J"})
    Keyed keyed;

    @Param("1000000")
    int keys;

    @Benchmark
    public void kept(MemoryBenchmark.Kept kept) {
        long before = Heap.usedBytes();
        ToLongFunction<Object> attempt = keyed.create(PERMITS, Duration.ofHours(1), System::nanoTime);
        for (int key = 0; key < keys; key++) {
            for (int i = 0; i < PERMITS; i++) {
                attempt.applyAsLong(key);
            }
        }
        kept.bytes = Heap.usedBytes() - before;
        Reference.reachabilityFence(attempt);
    }
}
