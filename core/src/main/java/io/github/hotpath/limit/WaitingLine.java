package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Those that wait for a {@link BlockingLimiter}, in the order of their arrival. Thread-safe. */
final class WaitingLine {
    /** One of those that wait. */
    interface Waiter {
        /** Called when this is the first in line and has to ask the limiter, perhaps again. What it throws fails this. */
        void wake();
    }

    /** The current thread, which waits in line. */
    static final class ThreadWaiter implements Waiter {
        final int permits;
        private final Thread thread = Thread.currentThread();
        private final Parking parking;

        /** Whether this has been woken; the thread takes it back before it looks. */
        volatile boolean isWoken;

        /** What the thread before this has acquired for it; refused until then. Set with the line's monitor held. */
        volatile Reservation granted;

        ThreadWaiter(int permits, Reservation refused, Parking parking) {
            this.permits = permits;
            this.granted = refused;
            this.parking = parking;
        }

        @Override
        public void wake() {
            isWoken = true;
            parking.unpark(thread);
        }
    }

    final int maxWaiting;
    private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();

    /** The first of them; {@code null} if nobody waits. */
    volatile @Nullable Waiter first;

    WaitingLine(int maxWaiting) {
        this.maxWaiting = maxWaiting;
    }

    synchronized int size() {
        return waiters.size();
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

    /** Returns the thread behind the first, if {@code waiter} is the first; a future asks for itself. */
    synchronized @Nullable ThreadWaiter behind(Waiter waiter) {
        Waiter second = first == waiter ? waiters.stream().skip(1).findFirst().orElse(null) : null;
        return second instanceof ThreadWaiter thread ? thread : null;
    }

    /** Takes a thread behind the first out of the line, with what it is granted; returns false if it has left. */
    synchronized boolean grant(ThreadWaiter waiter, Reservation reservation) {
        boolean isThere = waiters.remove(waiter);
        waiter.granted = isThere ? reservation : waiter.granted;
        return isThere;
    }

    /**
     * Wakes the first in line, with no lock held, since that may call a scheduler; if it leaves meanwhile, it wakes the
     * next one. Those that cannot be woken leave, and fail when another one has been woken.
     */
    void wakeFirst() {
        List<Runnable> failed = new ArrayList<>(0);
        for (Waiter waiter = first; waiter != null; waiter = first) {
            try {
                waiter.wake();
                break;
            } catch (RuntimeException e) {
                remove(waiter);
                CompletableFuture<?> future = (CompletableFuture<?>) waiter; // since a thread can be woken
                failed.add(() -> future.completeExceptionally(e));
            }
        }
        failed.forEach(Runnable::run);
    }
}
