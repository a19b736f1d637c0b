package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.MemoryBenchmark.Kept;
import java.time.Duration;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/**
 * What a limiter with three permits keeps in memory, or a key with its place in the map, but without the key itself. A
 * limiter includes 16 bytes or more of what calls it.
 */
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
public class LimiterMemoryBenchmark extends OnceBenchmark {
    private static final int PERMITS = 3;
    private static final int NUMBER = 100_000;
    private static final int LIMIT = 10;
    private static final Duration INTERVAL = Duration.ofHours(1);

    @Param({
        "SlidingWindowLimiter",
        "SlidingWindowLimiter, two limits",
        "EventWindow, locked",
        "SmallRye (rolling)",
        "Bucket4j (tokens)",
        "Bucket4j (tokens), two limits",
        "Resilience4j (cycles)",
        "Guava (smooth)",
        "Failsafe (bursts)",
        "KeyedLimiter",
        "Bucket4j in a Caffeine cache",
        "bucket4j-caffeine",
        "Bucket4j in a ConcurrentHashMap",
        "Resilience4j's registry"
    })
    public String limiter;

    @Benchmark
    public void measure(Kept kept) {
        boolean hasKeys = limiter.matches("KeyedLimiter|.* in a .*|bucket4j-caffeine|.*registry");
        kept.bytes = hasKeys ? ofKeys() : MemoryBenchmark.ofEach(NUMBER, this::used);
    }

    private Object used() {
        Limiters.Call call = Limiters.of(limiter, LIMIT, INTERVAL, false, System::nanoTime);
        for (int i = 0; i < PERMITS; i++) {
            try {
                call.ask(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return call;
    }

    private double ofKeys() {
        String[] keys = new String[NUMBER];
        for (int i = 0; i < NUMBER; i++) {
            keys[i] = Integer.toString(i);
        }
        double bytes = MemoryBenchmark.ofEach(1, () -> {
            ToLongFunction<String> call = Keys.of(limiter, LIMIT, INTERVAL, false, System::nanoTime);
            for (int i = 0; i < PERMITS * NUMBER; i++) {
                call.applyAsLong(keys[i % NUMBER]);
            }
            return call;
        });
        return bytes / keys.length;
    }
}
