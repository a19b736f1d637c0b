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

    private long nanos;
    private long interval;
    private EventWindow window;
    private Ring ring;
    private DequeWindow trimmed;

    @Setup
    public void fill() {
        nanos = System.nanoTime();
        interval = STEP * (events - 1);
        window = EventWindow.of(Duration.ofNanos(interval));
        ring = new Ring(events + 1);
        trimmed = new DequeWindow(interval);
        for (int i = 0; i < events; i++) {
            nanos += STEP;
            window.record(nanos);
            ring.record(nanos, interval);
            trimmed.record(nanos);
        }
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
