package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** One record in a steady window: as many events come as go. Times are passed in, so no clock is measured. */
public class RecordBenchmark extends CallBenchmark {
    private static final int MEAN_GAP = 100;

    /** In a JVM that has used no other window, or has used windows in every other way. */
    @Param({"nothing", "other uses"})
    public String before;

    @Param({Arrivals.EXPONENTIAL, Arrivals.BURSTS, Arrivals.REGULAR})
    public String gaps;

    @Param({"100", "10000", "1000000"})
    public int events;

    private int[] next;
    private int index;
    private long nanos;
    private long interval;
    private EventWindow window;
    private Ring ring;
    private Deque<Long> deque;

    @Setup
    public void fill() {
        if (before.equals("other uses")) {
            OtherUses.run();
        }
        next = Arrivals.gaps(gaps, MEAN_GAP);
        nanos = System.nanoTime();
        interval = (long) MEAN_GAP * events;
        window = EventWindow.of(Duration.ofNanos(interval));
        ring = new Ring(4 * events);
        deque = new ArrayDeque<>();
        for (int i = 0; i < 2 * events; i++) {
            long time = nextTime();
            window.record(time);
            ring.record(time, interval);
            record(deque, time, interval);
        }
    }

    private long nextTime() {
        return nanos += next[index++ & next.length - 1];
    }

    @Benchmark
    public long eventWindow() {
        return window.record(nextTime());
    }

    @Benchmark
    public long bareRing() {
        return ring.record(nextTime(), interval);
    }

    @Benchmark
    public long arrayDeque() {
        return record(deque, nextTime(), interval);
    }

    private static int record(Deque<Long> deque, long nanos, long interval) {
        deque.addLast(nanos);
        while (nanos - deque.peekFirst() > interval) {
            deque.removeFirst();
        }
        return deque.size();
    }

    /** The simplest exact window: an array of known size, and a loop that is predicted wrongly where gaps vary. */
    private static final class Ring {
        private final long[] times;
        private final int mask;
        private int head;
        private int tail;

        Ring(int capacity) {
            times = new long[Integer.highestOneBit(capacity)];
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
