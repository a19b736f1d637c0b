package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
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
 * What a great many limiters to three permits keep in memory when these have been acquired, with the real clock: the
 * heap's difference, in {@code bytes}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
@Warmup(iterations = 1) // else the garbage of the start-up is collected only after the first reading of the heap
@Measurement(iterations = 1)
public class SmallLimitersBenchmark {
    private static final int PERMITS = 3;

    @Param({
        "SLIDING_WINDOW_LIMITER",
        "TWO_LIMITS",
        "LOCKED_EVENT_WINDOW",
        "SMALLRYE",
        "BUCKET4J",
        "BUCKET4J_TWO_LIMITS",
        "RESILIENCE4J",
        "GUAVA"
    })
    Limiter limiter;

    @Param("100000")
    int limiters;

    @Benchmark
    public void kept(MemoryBenchmark.Kept kept) {
        kept.bytes = Heap.bytesOf(limiters, this::used);
    }

    private IntToLongFunction used() {
        IntToLongFunction attempt = limiter.create(PERMITS);
        for (int i = 0; i < PERMITS; i++) {
            attempt.applyAsLong(1);
        }
        return attempt;
    }
}
