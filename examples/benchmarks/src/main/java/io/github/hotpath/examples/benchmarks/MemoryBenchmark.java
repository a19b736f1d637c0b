package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.Windows.Window;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What windows keep in memory: the difference of the heap. How long it takes means nothing. */
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
public class MemoryBenchmark extends OnceBenchmark {
    private static final long STEP = 10;
    private static final int MANY = 10_000_000;

    /** So long that nothing expires meanwhile where it should not. */
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /** Else the first boxes would come from the cache that {@code Long} has of small numbers. */
    private static final long START = 1_000_000;

    @Param({"EventWindow", "ConcurrentEventWindow", "ArrayDeque, trimmed", "Dropwizard, array"})
    public String window;

    @Param({
        "new",
        "three events",
        "three events left of 100,000",
        "each of ten million events",
        "all of ten million expired"
    })
    public String state;

    @Benchmark
    public void measure(Kept kept) {
        kept.bytes = switch (state) {
            case "new" -> ofEach(10_000, () -> small(0));
            case "three events" -> ofEach(10_000, () -> small(3));
            case "three events left of 100,000" -> ofEach(500, () -> small(100_000));
            case "each of ten million events" ->
                ofEach(1, () -> Windows.filled(window, MANY, STEP, HOUR).measured()) / MANY;
            case "all of ten million expired" -> ofEach(1, this::expired);
            default -> throw new IllegalStateException("state: " + state);
        };
    }

    /** Returns a window of as many records, of which all but three were one burst, and have expired. */
    private Object small(int records) {
        Window small = Windows.of(window, 2 * STEP);
        for (int i = 0; i < records; i++) {
            small.record(i < records - 3 ? START : START + STEP * (10 + i));
        }
        return small.measured();
    }

    /** Returns a window that was large, some records later: Dropwizard's evicts at every 256th. */
    private Object expired() {
        Window filled = Windows.filled(window, MANY, STEP, HOUR);
        for (int i = 1; i <= 300; i++) {
            filled.record(3 * i * HOUR);
        }
        return filled.measured();
    }

    /** Returns the bytes that each of so many objects keeps, with all that it alone refers to. */
    static double ofEach(int number, Supplier<?> each) {
        Object[] all = new Object[number];
        for (int i = 0; i < number; i++) {
            all[i] = each.get();
        }
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

    /** What is kept. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Kept {
        public double bytes;
    }
}
