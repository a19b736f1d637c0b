package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The calls that take longest, one at a time: a lock is held meanwhile, so whoever comes then waits as long. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 5)
public class SlowestBenchmark extends OnceBenchmark {
    private static final long STEP = 10;
    private static final int MILLION = 1_000_000;
    private static final Duration HOUR = Duration.ofHours(1);

    @Param("a grant that expires a million")
    public String call;

    private final List<Thread> recording = new ArrayList<>();
    private volatile boolean isOver;
    private Supplier<Object> operation;

    @Setup(Level.Invocation)
    public void prepare() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(2 * MILLION, HOUR));
        operation = switch (call) {
            case "a grant that expires a million" -> {
                grant(limiter, MILLION);
                yield () -> limiter.tryAcquire(2 * HOUR.toNanos(), 1);
            }
            case "cancel before a million grants" -> {
                Reservation first = limiter.reserve(0, 2, Duration.ZERO);
                grant(limiter, MILLION);
                yield first::cancel;
            }
            case "snapshot of 3,000,000 beside 20 threads" -> {
                ConcurrentEventWindow window = ConcurrentEventWindow.of(HOUR);
                record(window::record);
                yield window::snapshot;
            }
            default -> {
                EventWindow window = EventWindow.of(HOUR);
                ReentrantLock lock = new ReentrantLock();
                record(nanos -> locked(lock, () -> window.record(nanos)));
                yield () -> locked(lock, window::toArray);
            }
        };
    }

    private static void grant(SlidingWindowLimiter limiter, int permits) {
        LongStream.rangeClosed(1, permits).forEach(i -> limiter.tryAcquire(STEP * i, 1));
    }

    /** Fills a window, in which 20 threads then record once a millisecond until the call is over. */
    private void record(LongConsumer window) {
        long now = System.nanoTime();
        for (int i = 3 * MILLION; i > 0; i--) {
            window.accept(now - STEP * i);
        }
        isOver = false;
        for (int i = 0; i < 20; i++) {
            Thread thread = new Thread(() -> {
                while (!isOver) {
                    window.accept(System.nanoTime());
                    LockSupport.parkNanos(1_000_000);
                }
            });
            recording.add(thread);
            thread.start();
        }
    }

    private static <T> T locked(ReentrantLock lock, Supplier<T> operation) {
        lock.lock();
        try {
            return operation.get();
        } finally {
            lock.unlock();
        }
    }

    @TearDown(Level.Invocation)
    public void stop() throws InterruptedException {
        isOver = true;
        for (Thread thread : recording) {
            thread.join();
        }
        recording.clear();
    }

    @Benchmark
    public Object measure() {
        return operation.get();
    }
}
