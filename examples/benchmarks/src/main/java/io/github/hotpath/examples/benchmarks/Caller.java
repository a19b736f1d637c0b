package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.openjdk.jmh.util.SampleBuffer;

/** A thread's calls, one after the other, and how long each took. */
final class Caller {
    private final SampleBuffer durations = new SampleBuffer();
    private final LongSupplier call;
    private final long pauseNanos;
    private final boolean virtual;
    private long sum;

    /** Pauses after each call; without a pause a virtual thread yields, lest it never leaves its carrier. */
    Caller(LongSupplier call, Duration pause, boolean virtual) {
        this.call = call;
        this.pauseNanos = pause.toNanos();
        this.virtual = virtual;
    }

    /** Returns how long the calls took, once {@link #callAll} has returned. */
    SampleBuffer durations() {
        return durations;
    }

    /**
     * Lets each call in a thread of its own, once at least, for some time, all at once, and waits for their last calls.
     *
     * @throws IllegalStateException if one still calls when {@code grace} has passed as well
     */
    static void callAll(List<Caller> callers, Duration length, Duration grace) throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicLong end = new AtomicLong();
        List<Thread> threads = callers.stream()
                .map(caller -> Threads.create(caller.virtual, () -> caller.callAfter(gate, end)))
                .toList();
        threads.forEach(Thread::start);
        end.set(System.nanoTime() + length.toNanos());
        gate.countDown();
        for (Thread thread : threads) {
            long left = end.get() + grace.toNanos() - System.nanoTime();
            thread.join(Math.max(left / 1_000_000, 1)); // 0 would be for ever
        }
        checkEnded(threads);
    }

    private static void checkEnded(List<Thread> threads) {
        List<Thread> hanging = threads.stream().filter(Thread::isAlive).toList();
        if (!hanging.isEmpty()) {
            IllegalStateException hang = new IllegalStateException(
                    hanging.size() + " of " + threads.size() + " threads hang, one of them here");
            hang.setStackTrace(hanging.get(0).getStackTrace());
            throw hang;
        }
    }

    private void callAfter(CountDownLatch gate, AtomicLong end) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        long until = end.get();
        long start = System.nanoTime();
        do {
            start = callOnce(start);
        } while (start - until < 0);
    }

    /** Calls, and returns when the next call starts. */
    private long callOnce(long start) {
        sum += call.getAsLong(); // used, so that no compiler leaves the call out
        long end = System.nanoTime();
        durations.add(end - start);
        if (pauseNanos > 0) {
            LockSupport.parkNanos(pauseNanos);
        } else if (virtual) {
            Thread.yield();
        } else {
            return end;
        }
        return System.nanoTime();
    }
}
