package io.github.hotpath.examples.benchmarks;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
                    Operation.COPY,
                    () -> reservoir.getSnapshot().size());
        }
    },
    SLIDING_WINDOW_LIMITER(Limiter.SLIDING_WINDOW_LIMITER),
    BUCKET4J(Limiter.BUCKET4J),
    RESILIENCE4J(Limiter.RESILIENCE4J),
    GUAVA(Limiter.GUAVA),
    SMALLRYE(Limiter.SMALLRYE);

    private final String title;

    /** Null for a window, which overrides {@link #create}. */
    private final @Nullable Limiter limiter;

    SharedWindow(String title) {
        this.title = title;
        limiter = null;
    }

    /** A limiter has an interval of its own, which is that of the traffic with attempts. */
    SharedWindow(Limiter limiter) {
        title = limiter.toString();
        this.limiter = limiter;
    }

    /** Returns the operations on a new one; {@code limit} is that of those which have one. */
    Map<Operation, LongSupplier> create(Duration interval, int limit) {
        IntToLongFunction acquire = requireNonNull(limiter).create(limit);
        return Map.of(Operation.ACQUIRE, () -> acquire.applyAsLong(1) == 0 ? 1 : 0);
    }

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
