package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those that wait for a {@link BlockingLimiter}, in the order of their arrival. Thread-safe. */
final class WaitingLine {
    /*
     * The first in line is woken with no lock held, since that may call a scheduler. If it has left by then, whoever
     * removed it has woken the next one.
     */

    /** One of those that wait. */
    interface Waiter {
        /** Called when this is the first in line and has to ask the limiter, perhaps again. What it throws fails this. */
        void wake();

        /** Fails this, which has left. */
        void fail(RuntimeException reason);
    }

    /** The current thread, which waits in line. */
    static final class ThreadWaiter implements Waiter {
        private final Thread thread = Thread.currentThread();
        private final Parking parking;

        /** Whether this has been woken; the thread takes it back before it looks. */
        volatile boolean isWoken;

        ThreadWaiter(Parking parking) {
            this.parking = parking;
        }

        @Override
        public void wake() {
            isWoken = true;
            parking.unpark(thread);
        }

        /** Never called: a thread can be woken. */
        @Override
        public void fail(RuntimeException reason) {
            throw reason;
        }
    }

    final int maxWaiting;
    private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();
    private volatile @Nullable Waiter first;

    WaitingLine(int maxWaiting) {
        this.maxWaiting = maxWaiting;
    }

    boolean isFirst(Waiter waiter) {
        return first == waiter;
    }

    synchronized int size() {
        return waiters.size();
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Adds {@code waiter} behind all others, unless the line is full; returns whether it was added. */
    synchronized boolean join(Waiter waiter) {
        boolean hasJoined = waiters.size() < maxWaiting && waiters.add(waiter);
        first = waiters.isEmpty() ? null : waiters.iterator().next();
        return hasJoined;
    }

    /** Removes {@code waiter}, if it is still in line, and wakes the next one if it was the first. */
    void leave(Waiter waiter) {
        if (remove(waiter)) {
            wakeFirst();
        }
    }

    /** Removes {@code waiter}, if it is still in line; returns whether it was the first. */
    private synchronized boolean remove(Waiter waiter) {
        boolean wasFirst = first == waiter;
        waiters.remove(waiter);
        first = waiters.isEmpty() ? null : waiters.iterator().next();
        return wasFirst;
    }

    /** Wakes the first in line; those that cannot be woken leave, and fail when another one has been woken. */
    void wakeFirst() {
        List<Runnable> failed = new ArrayList<>(0);
        boolean isWoken = false;
        while (!isWoken) {
            Waiter waiter = first;
            try {
                if (waiter != null) {
                    waiter.wake();
                }
                isWoken = true;
            } catch (RuntimeException e) {
                remove(waiter);
                failed.add(() -> waiter.fail(e));
            }
        }
        failed.forEach(Runnable::run);
    }
}
