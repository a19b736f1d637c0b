package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A crowd as a server has it: each thread calls once a millisecond, at times set beforehand. A call's response is counted
 * from the time at which it was due, so a stall counts for all calls that were due meanwhile (no coordinated omission).
 * That includes how late the system wakes the thread: the row "nothing" shows it.
 */
public class CrowdBenchmark extends OnceBenchmark {
    private static final long PERIOD = 1_000_000;
    private static final int MOST_CALLS = 500_000;
    private static final Duration INTERVAL = Duration.ofMillis(100);

    @Param({"20", "200", "20 virtual", "200 virtual"})
    public String threads;

    @Param({"record", "record and count", "granted"})
    public String call;

    @Param({"nothing", "EventWindow, ReentrantLock", "hotpath"})
    public String of;

    @Benchmark
    public void measure(Found found) throws InterruptedException {
        int number = Integer.parseInt(threads.split(" ")[0]);
        int callsOfEach = Math.min(3_000, MOST_CALLS / number);
        LongSupplier operation = operation();
        Histogram calls = new ConcurrentHistogram(3);
        Histogram responses = new ConcurrentHistogram(3);
        long start = System.nanoTime() + 50 * PERIOD;
        Threads.runAll(number, threads.endsWith("virtual"), () -> {}, index -> {
            long due = start + index * PERIOD / number;
            for (int i = 0; i < callsOfEach; i++, due += PERIOD) {
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                long from = System.nanoTime();
                operation.getAsLong();
                long to = System.nanoTime();
                calls.recordValue(to - from);
                responses.recordValue(to - due);
            }
        });
        found.call999 = calls.getValueAtPercentile(99.9) / 1e3;
        found.response999 = responses.getValueAtPercentile(99.9) / 1e3;
    }

    private LongSupplier operation() {
        ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10_000_000, INTERVAL));
        return switch (of + ", " + call) {
            case "nothing, record" -> System::nanoTime;
            case "hotpath, granted" -> () -> limiter.tryAcquire(System.nanoTime(), 1) ? 1 : 0;
            case "hotpath, record and count" -> () -> window.recordAndCount(System.nanoTime());
            case "hotpath, record" ->
                () -> {
                    window.record(System.nanoTime());
                    return 0;
                };
            default -> locked(call.equals("granted") ? 10_000_000 : 0);
        };
    }

    /** Records, if fewer than {@code limit}, where there is one; and counts, since a window returns the count. */
    private static LongSupplier locked(int limit) {
        EventWindow window = EventWindow.of(INTERVAL);
        ReentrantLock lock = new ReentrantLock();
        return () -> {
            long nanos = System.nanoTime();
            lock.lock();
            try {
                return limit == 0 || window.count(nanos) < limit ? window.record(nanos) : 0;
            } finally {
                lock.unlock();
            }
        };
    }

    /** What was found, in microseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Found {
        public double call999;
        public double response999;
    }
}
