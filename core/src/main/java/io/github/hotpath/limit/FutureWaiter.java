package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.StackReserve;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A future that waits in line. */
final class FutureWaiter extends WaitingLine.Waiter {
    /*
     * Tasks of the scheduler ask the limiter for the future: when it becomes the first in line, when its delay ends,
     * and when permits are released. They must not ask at the same time, or permits would be acquired twice. So each
     * counts itself in, and the first one asks until it has asked for all. Thus permits that are released often do not
     * fill the scheduler with tasks, and a timer is replaced only by an earlier one. No second timer watches the first:
     * a scheduler that drops its tasks is noticed when something else happens.
     *
     * A future that is granted completes first and leaves then, so the next one cannot complete before it; but it
     * leaves before its dependents run, since these may take long, or wait in line themselves. A future that is
     * completed by others leaves before it completes.
     */

    /** The longest pause if a timer cannot be taken out of the scheduler: so long it may be there for nobody. */
    static final long LONGEST_PAUSE_LEFT = TimeUnit.SECONDS.toNanos(1);

    /** What the futures of one line share. */
    static final class Shared {
        final WaitingLine line;
        private final LongSupplier nanoClock;
        private final AtOnce limiter;

        /** The timer of a future that has left the line, if it could not be taken out of the scheduler. */
        private volatile @Nullable Timer left;

        /** Those whose task was run in the middle of another one's, by a scheduler that runs its tasks at once. */
        @SuppressWarnings("ThreadLocalUsage") // another line is asked in the middle of a task of this one
        private final ThreadLocal<@Nullable Queue<FutureWaiter>> nested = new ThreadLocal<>();

        Shared(WaitingLine line, LongSupplier nanoClock, AtOnce limiter) {
            this.line = line;
            this.nanoClock = nanoClock;
            this.limiter = limiter;
        }
    }

    /** Acquires permits at once, or refuses them with the delay. */
    interface AtOnce {
        Reservation acquireNow(long nanos, int permits);
    }

    private final Shared shared;
    private final int permits;
    private final ScheduledExecutorService scheduler;
    private final Waiting future = new Waiting();

    /** The calls of {@link #wake} and {@link #ask} for which the limiter has not been asked yet. */
    private final AtomicInteger asking = new AtomicInteger();

    /** The task of the last {@link #wake}. */
    private volatile @Nullable Future<?> wakeTask;

    /** Asks when the delay ends. Set by the task that asks. */
    private volatile @Nullable Timer timer;

    FutureWaiter(Shared shared, int permits, ScheduledExecutorService scheduler) {
        this.shared = shared;
        this.permits = permits;
        this.scheduler = scheduler;
    }

    CompletableFuture<Reservation> future() {
        return future;
    }

    @Override
    boolean wake() {
        if (future.isDone()) {
            return false;
        }
        if (asking.getAndIncrement() == 0) {
            try {
                wakeTask = scheduler.schedule(this::askInTurn, 0, TimeUnit.NANOSECONDS);
            } catch (VirtualMachineError e) {
                asking.set(0); // or nobody would try again
                throw e;
            }
        } else if (isDropped(wakeTask)) {
            throw new RejectedExecutionException("shut down before the permits were granted: " + scheduler);
        }
        return true;
    }

    @Override
    void fail() {
        releaseTimer();
        future.completeExceptionally(requireNonNull(rejection));
    }

    @Override
    boolean isDone() {
        return future.isDone();
    }

    @Override
    boolean isStranded() {
        if (asking.get() > 0) {
            return isDropped(wakeTask);
        }
        Timer set = timer;
        return set == null || set.waiter.get() != this || isDropped(set.task);
    }

    /** Returns whether the scheduler will not run {@code task}, as far as it tells. */
    @SuppressWarnings("CollectionUndefinedEquality") // tasks are compared by identity
    private boolean isDropped(@Nullable Future<?> task) {
        try {
            return scheduler.isTerminated()
                    || task != null && task.isCancelled()
                    || scheduler.isShutdown()
                            && scheduler instanceof ThreadPoolExecutor pool
                            && !pool.getQueue().contains(task);
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

    /** Asks the limiter, or, in the middle of another one's task, has it done after that: one by one, and in order. */
    private void askInTurn() {
        Queue<FutureWaiter> outer = shared.nested.get();
        if (outer != null) {
            outer.add(this);
            return;
        }
        Queue<FutureWaiter> next = new ArrayDeque<>(1);
        shared.nested.set(next);
        try {
            for (FutureWaiter waiter = this; waiter != null; waiter = next.poll()) {
                waiter.askForAll();
            }
        } finally {
            shared.nested.remove();
        }
    }

    private void askForAll() {
        try {
            int seen;
            do {
                seen = asking.get();
                if (shared.line.isFirst(this)) {
                    serve();
                }
            } while (!asking.compareAndSet(seen, 0));
        } catch (Throwable e) {
            asking.set(0); // or nobody would try again
            throw e;
        }
    }

    private void serve() {
        Reservation reservation = null;
        try {
            if (!future.isDone()) {
                long nanos = shared.nanoClock.getAsLong();
                reservation = shared.limiter.acquireNow(nanos, permits);
                if (!reservation.isGranted()) {
                    setTimer(nanos, reservation.delayNanos());
                    return;
                }
                if (!future.grant(reservation)) {
                    reservation.cancel();
                }
            }
            leave();
        } catch (Throwable e) {
            try {
                leave();
            } finally {
                if (future.completeExceptionally(e) && reservation != null) {
                    reservation.cancel();
                }
            }
        }
    }

    private void leave() {
        try {
            shared.line.leave(this);
        } finally {
            releaseTimer();
        }
    }

    private boolean canRemoveTimers() {
        return scheduler instanceof ThreadPoolExecutor;
    }

    private void setTimer(long nanos, long delayNanos) {
        long pause = Math.min(delayNanos, canRemoveTimers() ? Parking.LONGEST_PAUSE : LONGEST_PAUSE_LEFT);
        long end = nanos + pause;
        Timer before = timer;
        if (before == null || !before.isTakenBy(this, end)) {
            Timer left = shared.left;
            if (left != null && !scheduler.isShutdown() && left.isTakenBy(this, end)) {
                timer = left;
            } else {
                Timer next = new Timer(this, end);
                next.task = scheduler.schedule(next, pause, TimeUnit.NANOSECONDS);
                timer = next;
            }
            if (before != null) {
                before.remove(this);
            }
        }
        if (!isInLine) {
            releaseTimer();
        }
    }

    /** Takes the timer out of the scheduler, or leaves it to the next in line. */
    private void releaseTimer() {
        Timer set = timer;
        if (set == null) {
            return;
        }
        if (canRemoveTimers()) {
            set.remove(this);
        } else {
            shared.left = set;
        }
    }

    /** Asks for its waiter when it ends: for the one that set it, or that has taken it over. */
    private static final class Timer implements Runnable {
        /** {@code null} if it has ended, or has been removed. */
        final AtomicReference<@Nullable FutureWaiter> waiter;

        private final long end;

        @Nullable
        volatile Future<?> task;

        Timer(FutureWaiter waiter, long end) {
            this.waiter = new AtomicReference<>(waiter);
            this.end = end;
        }

        /** Has {@code next} asked for when this ends, if that is early enough; the timer is then set to the rest. */
        boolean isTakenBy(FutureWaiter next, long latestEnd) {
            FutureWaiter before = waiter.get();
            return before != null
                    && before.scheduler == next.scheduler
                    && latestEnd - end >= 0
                    && waiter.compareAndSet(before, next);
        }

        /** Removes this if it is that of {@code owner}. */
        void remove(FutureWaiter owner) {
            if (waiter.compareAndSet(owner, null)) {
                Future<?> set = task;
                if (set != null) {
                    set.cancel(false);
                    if (owner.scheduler instanceof ThreadPoolExecutor pool && set instanceof Runnable queued) {
                        pool.remove(queued); // whatever its policy
                    }
                }
            }
        }

        @Override
        public void run() {
            FutureWaiter last = waiter.getAndSet(null);
            if (last != null && last.asking.getAndIncrement() == 0) {
                last.askInTurn();
            }
        }
    }

    /** Leaves the line whatever completes it: all methods of its superclass that do, or that these call. */
    private final class Waiting extends CompletableFuture<Reservation> {
        /** Completes this, leaves the line, and runs the dependents then: they run last in, first out. */
        boolean grant(Reservation reservation) {
            CompletableFuture<Void> unused = thenRun(FutureWaiter.this::leave);
            return super.complete(reservation);
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

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            leaveBefore();
            return super.cancel(mayInterruptIfRunning);
        }

        @Override
        public CompletableFuture<Reservation> completeAsync(
                Supplier<? extends Reservation> supplier, Executor executor) {
            requireNonNull(supplier);
            return super.completeAsync(
                    () -> {
                        try {
                            return supplier.get();
                        } finally {
                            leaveBefore();
                        }
                    },
                    executor);
        }

        @Override
        public void obtrudeValue(Reservation value) {
            leaveBefore();
            super.obtrudeValue(value);
        }

        @Override
        public void obtrudeException(Throwable e) {
            leaveBefore();
            super.obtrudeException(e);
        }

        private void leaveBefore() {
            if (isInLine) {
                StackReserve.checkForMap(); // or the next one might not be woken
                leave();
            }
        }
    }
}
