package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** One record in a steady window: one event comes, one goes. Times are passed in, so no clock is measured. */
public class RecordBenchmark extends CallBenchmark {
    private static final long STEP = 10;

    @Param({"100", "10000", "1000000"})
    public int events;

    private long nanos;
    private long interval;
    private EventWindow window;
    private Ring ring;
    private Deque<Long> deque;

    @Setup
    public void fill() {
        nanos = System.nanoTime();
        interval = STEP * (events - 1);
        window = EventWindow.of(Duration.ofNanos(interval));
        ring = new Ring(events + 1);
        deque = new ArrayDeque<>();
        for (int i = 0; i < events; i++) {
            nanos += STEP;
            window.record(nanos);
            ring.record(nanos, interval);
            deque.add(nanos);
        }
    }

    @Benchmark
    public long eventWindow() {
        return window.record(nanos += STEP);
    }

    @Benchmark
    public long bareRing() {
        return ring.record(nanos += STEP, interval);
    }

    @Benchmark
    public long arrayDeque() {
        nanos += STEP;
        deque.addLast(nanos);
        while (nanos - deque.peekFirst() > interval) {
            deque.removeFirst();
        }
        return deque.size();
    }

    /** The least that an exact window can be: an array whose size is known beforehand. */
    private static final class Ring {
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
