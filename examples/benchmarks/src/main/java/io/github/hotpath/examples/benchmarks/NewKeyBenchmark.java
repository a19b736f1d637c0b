package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A million keys that come once each, a microsecond apart by a clock of their own, of which ten thousand are alive at a
 * time: what each takes, and what is kept of each at the end.
 */
@Fork(
        value = 3,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx2g"})
public class NewKeyBenchmark extends OnceBenchmark {
    private static final int KEYS = 1_000_000;
    private static final long STEP = 1_000;

    @Param({"KeyedLimiter", "Bucket4j in a Caffeine cache", "Resilience4j's registry"})
    public String limiter;

    private long now;

    @Benchmark
    public void measure(Found found) {
        found.bytes = MemoryBenchmark.ofEach(1, () -> {
                    long start = System.nanoTime();
                    Object used = used();
                    found.nanos = (double) (System.nanoTime() - start) / KEYS;
                    return used;
                })
                / KEYS;
    }

    private Object used() {
        LongSupplier clock = () -> now;
        ToLongFunction<String> call = Keys.of(limiter, 3, Duration.ofNanos(10_000 * STEP - 1), false, clock);
        for (int key = 0; key < KEYS; key++) {
            now += STEP;
            call.applyAsLong(Integer.toString(key));
        }
        return call;
    }

    /** What was found, of each key. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Found {
        public double nanos;
        public double bytes;
    }
}
