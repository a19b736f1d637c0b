package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A window or limiter that a crowd of threads shares, with the real clock, and the operations that it has. Those under
 * a lock read the clock under it: read before, times would arrive out of order.
 */
enum SharedWindow {
    CONCURRENT_EVENT_WINDOW("ConcurrentEventWindow") {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            ConcurrentEventWindow window = ConcurrentEventWindow.of(interval);
            return Map.of(
                    Operation.RECORD,
                    () -> {
                        window.record(System.nanoTime());
                        return 0;
                    },
                    Operation.RECORD_AND_COUNT,
                    () -> window.recordAndCount(System.nanoTime()),
                    Operation.COPY,
                    () -> window.snapshot().count(Long.MIN_VALUE));
        }
    },
    /** The lock that others are compared with: its default is not fair. */
    REENTRANT_LOCK("EventWindow, ReentrantLock") {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            ReentrantLock lock = new ReentrantLock();
            return locked(interval, limit, call -> {
                lock.lock();
                try {
                    return call.getAsLong();
                } finally {
                    lock.unlock();
                }
            });
        }
    },
    SLIDING_WINDOW_LIMITER("SlidingWindowLimiter") {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(limit, interval));
            return Map.of(Operation.ACQUIRE, () -> limiter.tryAcquire(System.nanoTime(), 1) ? 1 : 0);
        }
    },
    /** Nothing is shared, so no record waits for a lock. */
    EACH_ITS_OWN("EventWindow for each thread") {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            ThreadLocal<EventWindow> windows = ThreadLocal.withInitial(() -> EventWindow.of(interval));
            return Map.of(Operation.RECORD, () -> windows.get().record(System.nanoTime()));
        }
    },
    /** No window: how long the processors alone make calls wait that never block. */
    CLOCK("System.nanoTime() alone") {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            return Map.of(Operation.ACQUIRE, System::nanoTime);
        }
    };

    private final String title;

    SharedWindow(String title) {
        this.title = title;
    }

    /** Returns the operations on a new one; {@code limit} is that of those which have one. */
    abstract Map<Operation, LongSupplier> create(Duration interval, int limit);

    boolean has(Operation operation) {
        return create(Duration.ofSeconds(1), 1).containsKey(operation);
    }

    /** Returns whether it is a thread-safe class of this library. */
    boolean isOurs() {
        return this == CONCURRENT_EVENT_WINDOW || this == SLIDING_WINDOW_LIMITER;
    }

    /** Returns its name in tables and charts. */
    @Override
    public String toString() {
        return title;
    }

    private static Map<Operation, LongSupplier> locked(Duration interval, int limit, Lock lock) {
        EventWindow window = EventWindow.of(interval);
        return Map.of(
                Operation.RECORD,
                () -> lock.call(() -> window.record(System.nanoTime())),
                Operation.RECORD_AND_COUNT,
                () -> lock.call(() -> window.record(System.nanoTime())),
                Operation.ACQUIRE,
                () -> lock.call(() -> {
                    long nanos = System.nanoTime();
                    return window.count(nanos) < limit ? window.record(nanos) : 0;
                }),
                Operation.COPY,
                () -> lock.call(() -> window.toArray().length));
    }

    enum Operation {
        RECORD,
        RECORD_AND_COUNT,
        ACQUIRE,
        COPY
    }

    @FunctionalInterface
    private interface Lock {
        long call(LongSupplier call);
    }
}
