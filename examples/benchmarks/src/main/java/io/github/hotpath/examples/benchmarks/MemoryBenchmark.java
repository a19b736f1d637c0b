package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.Windows.Window;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What windows, limiters and keys keep in memory: the difference of the heap. How long it takes means nothing. */
@Fork(
        value = 3,
        jvmArgs = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC"})
public class MemoryBenchmark extends OnceBenchmark {
    private static final long STEP = 10;
    private static final int MANY = 10_000_000;

    /** So long that nothing expires meanwhile where it should not. */
    private static final Duration HOUR = Duration.ofHours(1);

    /** Else the first boxes would come from the cache that {@code Long} has of small numbers. */
    private static final long START = 1_000_000;

    @Benchmark
    public void window(OfWindow of, Kept kept) {
        kept.bytes = switch (of.state) {
            case "new" -> ofEach(10_000, () -> of.small(0));
            case "three events" -> ofEach(10_000, () -> of.small(3));
            case "three events left of 100,000" -> ofEach(500, () -> of.small(100_000));
            case "each of ten million events" -> ofEach(1, () -> of.filled().measured()) / MANY;
            case "all of ten million expired" -> ofEach(1, of::expired);
            default -> throw new IllegalStateException("state: " + of.state);
        };
    }

    /** With three permits, with its limit and 16 bytes or more of what calls it; or a key without the key itself. */
    @Benchmark
    public void limiter(OfLimiter of, Kept kept) {
        int number = 100_000;
        if (!of.limiter.matches("KeyedLimiter|.* in a .*|bucket4j-caffeine|.*registry")) {
            kept.bytes = ofEach(number, () -> {
                ToLongFunction<String> call = Keys.withoutKeys(of.limiter, 10, HOUR, false, System::nanoTime);
                IntStream.range(0, 3).forEach(i -> call.applyAsLong(""));
                return call;
            });
            return;
        }
        String[] keys = IntStream.range(0, number).mapToObj(Integer::toString).toArray(String[]::new);
        kept.bytes = ofEach(1, () -> {
                    ToLongFunction<String> call = Keys.of(of.limiter, 10, HOUR, false, System::nanoTime);
                    IntStream.range(0, 3 * number).forEach(i -> call.applyAsLong(keys[i % number]));
                    return call;
                })
                / number;
    }

    /** A million keys that come once each, a microsecond apart by a clock of their own, of which ten thousand are alive. */
    @Benchmark
    public void newKey(OfLimiter of, Kept kept) {
        int number = 1_000_000;
        long[] now = new long[1];
        kept.bytes = ofEach(1, () -> {
                    long start = System.nanoTime();
                    ToLongFunction<String> call = Keys.of(of.limiter, 3, Duration.ofMillis(10), false, () -> now[0]);
                    for (int key = 0; key < number; key++) {
                        now[0] += 1_000;
                        call.applyAsLong(Integer.toString(key));
                    }
                    kept.nanos = (double) (System.nanoTime() - start) / number;
                    return call;
                })
                / number;
    }

    /** Returns the bytes that each of so many objects keeps, with all that it alone refers to. */
    private static double ofEach(int number, Supplier<?> each) {
        Object[] all = new Object[number];
        Arrays.setAll(all, i -> each.get());
        long with = usedBytes();
        Arrays.fill(all, null);
        long without = usedBytes(); // not before: what was in use then may have been garbage that is collected late
        Reference.reachabilityFence(all);
        return (double) (with - without) / number;
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) { // the first may leave what has to be enqueued or finalized
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** A window. */
    @State(Scope.Benchmark)
    public static class OfWindow {
        @Param("EventWindow")
        public String window;

        @Param("new")
        public String state;

        private Window filled() {
            return Windows.filled(window, MANY, STEP, HOUR.toNanos());
        }

        /** Returns a window of as many records, of which all but three were one burst, and have expired. */
        private Object small(int records) {
            Window small = Windows.of(window, 2 * STEP);
            for (int i = 0; i < records; i++) {
                small.record().accept(i < records - 3 ? START : START + STEP * (10 + i));
            }
            return small.measured();
        }

        /** Returns a window that was large, some records later. */
        private Object expired() {
            Window filled = filled();
            for (int i = 1; i <= 300; i++) {
                filled.record().accept(3 * i * HOUR.toNanos());
            }
            return filled.measured();
        }
    }

    /** A limiter, or one for keys. */
    @State(Scope.Benchmark)
    public static class OfLimiter {
        @Param("SlidingWindowLimiter")
        public String limiter;
    }

    /** What is kept, and what a new key takes. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Kept {
        public double bytes;
        public double nanos;
    }
}
