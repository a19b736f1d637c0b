package io.github.hotpath.examples.benchmarks;

import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/**
 * A window or limiter that a crowd of threads shares, with the real clock, and the operations that it has. Those under a lock read
 * the clock under it: read before, times would arrive out of order.
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
                    () -> {
                        long nanos = System.nanoTime();
                        window.record(nanos);
                        return window.count(nanos);
                    },
                    Operation.TRY_RECORD,
                    () -> window.tryRecord(System.nanoTime(), limit) ? 1 : 0,
                    Operation.TO_ARRAY,
                    () -> window.toArray().length,
                    Operation.NANOS_UNTIL_BELOW,
                    () -> window.nanosUntilBelow(System.nanoTime(), limit));
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
    SYNCHRONIZED("EventWindow, synchronized") {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            Object monitor = new Object();
            return locked(interval, limit, call -> {
                synchronized (monitor) {
                    return call.getAsLong();
                }
            });
        }
    },
    /** {@code SlidingTimeWindowArrayReservoir}: its snapshot is a sorted copy of the values. */
    DROPWIZARD("Dropwizard, array") {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            SlidingTimeWindowArrayReservoir reservoir =
                    new SlidingTimeWindowArrayReservoir(interval.toNanos(), TimeUnit.NANOSECONDS);
            return Map.of(
                    Operation.RECORD,
                    () -> {
                        reservoir.update(1);
                        return 0;
                    },
                    Operation.RECORD_AND_COUNT,
                    () -> {
                        reservoir.update(1);
                        return reservoir.size();
                    },
                    Operation.TO_ARRAY,
                    () -> reservoir.getSnapshot().size());
        }
    },
    // The limiters have an interval of their own, which is that of the traffic with tryRecord.
    SLIDING_WINDOW_LIMITER(Limiter.SLIDING_WINDOW_LIMITER.toString()) {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            return limiter(Limiter.SLIDING_WINDOW_LIMITER, limit);
        }
    },
    BUCKET4J(Limiter.BUCKET4J.toString()) {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            return limiter(Limiter.BUCKET4J, limit);
        }
    },
    RESILIENCE4J(Limiter.RESILIENCE4J.toString()) {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            return limiter(Limiter.RESILIENCE4J, limit);
        }
    },
    GUAVA(Limiter.GUAVA.toString()) {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            return limiter(Limiter.GUAVA, limit);
        }
    },
    SMALLRYE(Limiter.SMALLRYE.toString()) {
        @Override
        Map<Operation, LongSupplier> create(Duration interval, int limit) {
            return limiter(Limiter.SMALLRYE, limit);
        }
    };

    private final String title;

    SharedWindow(String title) {
        this.title = title;
    }

    /** Returns the operations on a new window; {@code limit} is that of those which have one. */
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

    private static Map<Operation, LongSupplier> limiter(Limiter limiter, int limit) {
        IntToLongFunction acquire = limiter.create(limit);
        return Map.of(Operation.TRY_RECORD, () -> acquire.applyAsLong(1) == 0 ? 1 : 0);
    }

    private static Map<Operation, LongSupplier> locked(Duration interval, int limit, Lock lock) {
        EventWindow window = EventWindow.of(interval);
        return Map.of(
                Operation.RECORD,
                () -> lock.call(() -> window.record(System.nanoTime())),
                Operation.RECORD_AND_COUNT,
                () -> lock.call(() -> window.record(System.nanoTime())),
                Operation.TRY_RECORD,
                () -> lock.call(() -> window.tryRecord(System.nanoTime(), limit) ? 1 : 0),
                Operation.TO_ARRAY,
                () -> lock.call(() -> window.toArray().length),
                Operation.NANOS_UNTIL_BELOW,
                () -> lock.call(() -> window.nanosUntilBelow(System.nanoTime(), limit)));
    }

    enum Operation {
        RECORD,
        RECORD_AND_COUNT,
        TRY_RECORD,
        TO_ARRAY,
        NANOS_UNTIL_BELOW
    }

    @FunctionalInterface
    private interface Lock {
        long call(LongSupplier call);
    }
}
