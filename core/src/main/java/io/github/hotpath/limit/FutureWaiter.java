package io.github.hotpath.limit;

import io.github.hotpath.internal.StackReserve;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A future that waits in line. */
final class FutureWaiter extends Waiter {
    /*
     * Tasks of the scheduler ask the limiter for the future: when it becomes the first in line, when its delay ends,
     * and when permits are released. They must not ask at the same time, or permits would be acquired twice. So each
     * counts itself in, and the first one asks until it has asked for all. Thus permits that are released often do not
     * fill the scheduler with tasks, and a timer is replaced only by an earlier one. No second timer watches the first:
     * a scheduler that drops its tasks is noticed when something else happens.
     */

    private final BlockingLimiter limiter;
    private final int permits;
    private final ScheduledExecutorService scheduler;
    private final CompletableFuture<Reservation> future = new Waiting();

    /** The calls of {@link #wake} and {@link #ask} for which the limiter has not been asked yet. */
    private final AtomicInteger asking = new AtomicInteger();

    /** Asks when the delay ends. Set by the task that asks. */
    private volatile @Nullable Timer timer;

    /** Why the scheduler cannot be used. Set before this fails. */
    private volatile @Nullable Throwable rejection;

    FutureWaiter(BlockingLimiter limiter, int permits, ScheduledExecutorService scheduler) {
        this.limiter = limiter;
        this.permits = permits;
        this.scheduler = scheduler;
    }

    CompletableFuture<Reservation> future() {
        return future;
    }

    @Override
    boolean wake() {
        try {
            if (asking.getAndIncrement() == 0) {
                Future<?> unused =
                        scheduler.schedule(this::askForAll, 0, TimeUnit.NANOSECONDS); // what it throws is caught
            } else if (scheduler.isTerminated()) {
                throw new RejectedExecutionException("terminated before the permits were granted: " + scheduler);
            }
            return true;
        } catch (Throwable e) { // an error as well: the line has to move on
            rejection = e;
            return false;
        }
    }

    @Override
    void fail() {
        leave();
        future.completeExceptionally(rejection);
    }

    @Override
    boolean isDead() {
        try {
            return scheduler.isTerminated();
        } catch (RuntimeException e) {
            return false; // it is not the scheduler of the caller, who has come to wait in line
        }
    }

    /** Asks the limiter if this is the first in line, or lets the task ask again that does so already. */
    void ask() {
        if (asking.getAndIncrement() == 0) {
            askForAll();
        }
    }

    private void askForAll() {
        int seen;
        do {
            seen = asking.get();
            if (limiter.line.isFirst(this)) {
                serve();
            }
        } while (!asking.compareAndSet(seen, 0));
    }

    private void serve() {
        try {
            if (future.isDone()) {
                leave();
                return;
            }
            long nanos = limiter.nanoTime();
            Reservation reservation = limiter.acquireNow(nanos, permits);
            if (reservation.isGranted()) {
                leave();
                if (!future.complete(reservation)) {
                    reservation.cancel();
                }
            } else {
                long delayNanos = Math.min(reservation.delayNanos(), BlockingLimiter.LONGEST_PAUSE);
                setTimer(nanos + delayNanos, delayNanos);
            }
        } catch (Throwable e) {
            leave();
            future.completeExceptionally(e);
        }
    }

    private void setTimer(long end, long delayNanos) {
        Timer before = timer;
        if (before != null && !before.hasEnded) {
            if (end - before.end >= 0) {
                return; // when that ends, the limiter is asked, and the timer set to the rest
            }
            before.cancel();
        }
        Timer next = new Timer(end);
        next.start(delayNanos);
        timer = next;
        if (!isInLine) {
            next.cancel();
        }
    }

    private void leave() {
        limiter.line.leave(this);
        Timer set = timer;
        if (set != null) {
            set.cancel();
        }
    }

    private final class Timer implements Runnable {
        final long end;
        volatile boolean hasEnded;
        private @Nullable Future<?> task;

        Timer(long end) {
            this.end = end;
        }

        void start(long delayNanos) {
            task = scheduler.schedule(this, delayNanos, TimeUnit.NANOSECONDS);
        }

        void cancel() {
            Future<?> set = task;
            if (set != null) {
                set.cancel(false);
            }
        }

        @Override
        public void run() {
            hasEnded = true;
            ask();
        }
    }

    /**
     * Leaves the line before it completes, since dependents run then, which may take long or wait in line themselves. A
     * dependent stage that leaves would run after them: stages run in the reverse order of their registration.
     */
    private final class Waiting extends CompletableFuture<Reservation> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            leaveBefore();
            return super.cancel(mayInterruptIfRunning);
        }

        @Override
        public boolean complete(Reservation value) {
            leaveBefore();
            return super.complete(value);
        }

        @Override
        public boolean completeExceptionally(Throwable e) {
            leaveBefore();
            return super.completeExceptionally(e);
        }

        private void leaveBefore() {
            if (isInLine) {
                StackReserve.checkForMap(); // or the next one might not be woken
                leave();
            }
        }
    }
}
