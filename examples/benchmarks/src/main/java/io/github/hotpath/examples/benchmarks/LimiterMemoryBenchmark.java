package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.MemoryBenchmark.Kept;
import java.time.Duration;
import java.util.function.IntToLongFunction;
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
    private static final States STATE = new States(10, Duration.ofHours(1), System::nanoTime);

    @Param({
        "SlidingWindowLimiter",
        "SlidingWindowLimiter, two limits",
        "EventWindow, locked",
        "SmallRye (rolling)",
        "Bucket4j (tokens)",
        "Bucket4j (tokens), two limits",
        "Resilience4j (cycles)",
        "Guava (smooth)",
        "KeyedLimiter",
        "Bucket4j in a Caffeine cache",
        "Resilience4j's registry"
    })
    public String limiter;

    @Benchmark
    public void measure(Kept kept) {
        boolean hasKeys = switch (limiter) {
            case "KeyedLimiter", "Bucket4j in a Caffeine cache", "Resilience4j's registry" -> true;
            default -> false;
        };
        kept.bytes = hasKeys ? ofKeys() : MemoryBenchmark.ofEach(NUMBER, this::used);
    }

    private Object used() {
        IntToLongFunction call = Limiters.of(limiter, STATE.limit(), STATE.interval(), false, STATE.clock());
        for (int i = 0; i < PERMITS; i++) {
            call.applyAsLong(1);
        }
        return call;
    }

    private double ofKeys() {
        String[] keys = new String[NUMBER];
        for (int i = 0; i < NUMBER; i++) {
            keys[i] = Integer.toString(i);
        }
        double bytes = MemoryBenchmark.ofEach(1, () -> {
            ToLongFunction<String> call = Keys.of(limiter, STATE, false, System::nanoTime);
            for (int i = 0; i < PERMITS * NUMBER; i++) {
                call.applyAsLong(keys[i % NUMBER]);
            }
            return call;
        });
        return bytes / keys.length;
    }
}
