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
 * Distinct keys that come and go, by a simulated clock, of which ten thousand are alive at a time: how long that takes,
 * and what is kept of them at the end, the heap's difference in {@code bytes}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx2g"})
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class PassingKeysBenchmark {
    private static final int PERMITS = 3;
    private static final int ALIVE = 10_000;
    private static final long STEP = 1_000;

    @Param({"KEYED_LIMITER", "BUCKET4J", "RESILIENCE4J"})
    Keyed keyed;

    @Param("10000000")
    int keys;

    private long nanos;

    @Benchmark
    public void passed(MemoryBenchmark.Kept kept) {
        long before = Heap.usedBytes();
        ToLongFunction<Object> attempt = keyed.create(PERMITS, Duration.ofNanos(ALIVE * STEP - 1), () -> nanos);
        for (int key = 0; key < keys; key++) {
            nanos += STEP;
            attempt.applyAsLong(key);
        }
        kept.bytes = Heap.usedBytes() - before;
        Reference.reachabilityFence(attempt);
    }
}
