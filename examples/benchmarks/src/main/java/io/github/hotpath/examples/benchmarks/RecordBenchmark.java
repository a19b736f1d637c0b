package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One record in a steady window: one event comes, one goes. Times are handed in, so no clock is measured. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class RecordBenchmark {
    private static final long STEP = 10;

    @Param({"100", "10000", "1000000"})
    int events;

    /** What the class has done in this JVM before: what has been compiled by then must not matter. */
    @Param({"nothing", "smallWindows"})
    String before;

    private long nanos;
    private long interval;
    private EventWindow window;
    private Ring ring;
    private DequeWindow.Trimmed trimmed;
    private DequeWindow.Swept swept;

    @Setup
    public void fill() {
        if (before.equals("smallWindows")) {
            serveSmallWindows();
        }
        nanos = System.nanoTime();
        interval = STEP * (events - 1);
        window = EventWindow.of(Duration.ofNanos(interval));
        ring = new Ring(events + 1);
        trimmed = new DequeWindow.Trimmed(interval);
        swept = new DequeWindow.Swept(interval);
        for (int i = 0; i < events; i++) {
            nanos += STEP;
            window.record(nanos);
            ring.record(nanos, interval);
            trimmed.record(nanos);
            swept.times.addLast(nanos); // a sweep for each would take hours
        }
    }

    private static void serveSmallWindows() {
        for (int size = 1; size <= 20; size++) {
            EventWindow small = EventWindow.of(Duration.ofNanos(size));
            for (int i = 0; i < 100_000; i++) {
                small.record(i + (i & 1));
            }
        }
    }

    /** What is in each of the others: the call, and the time that moves on. */
    @Benchmark
    public long harness() {
        return nanos += STEP;
    }

    @Benchmark
    public long eventWindow() {
        return window.record(nanos += STEP);
    }

    @Benchmark
    public long ring() {
        return ring.record(nanos += STEP, interval);
    }

    @Benchmark
    public long trimmedDeque() {
        return trimmed.record(nanos += STEP);
    }

    /** The article's: it reads each event every time, so a million of them take milliseconds. */
    @Benchmark
    public long sweptDeque() {
        return swept.record(nanos += STEP);
    }

    /** The least that an exact window can be: an array whose size is known beforehand. */
    static final class Ring {
        private final long[] times;
        private final int mask;
        private int head;
        private int tail;

        Ring(int capacity) {
            times = new long[Integer.highestOneBit(capacity) << 1];
            mask = times.length - 1;
        }

        int record(long nanos, long interval) {
            times[tail++ & mask] = nanos;
            while (nanos - times[head & mask] > interval) {
                head++;
            }
            return tail - head;
        }
    }
}
