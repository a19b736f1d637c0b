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
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A future that waits in line. */
final class FutureWaiter extends WaitingLine.Waiter {
    /*
     * Tasks of the scheduler ask the limiter for the future: when it becomes the first in line, when its delay ends,
     * and when permits are released. They must not ask at the same time, or permits would be acquired twice. So each
     * counts itself in, and the first one asks until it has asked for all. Permits that are released often do not fill
     * the scheduler with tasks: there is no new one while the last has not begun; and a timer is replaced only by an
     * earlier one. No second timer watches the first: a scheduler that drops its tasks is noticed when something else
     * happens.
     *
     * An error can come at any call, and a scheduler may keep it to itself. So a task counts itself in when it runs, and
     * not before, with stack in reserve.
     *
     * A future that is granted completes first and leaves then, so the next one cannot complete before it; but it
     * leaves before those dependents run that it has by then, since these may take long, or wait in line themselves. A
     * future that is completed by others leaves before it completes.
     */

    /** The longest pause if a timer cannot be taken out of the scheduler: so long a cancelled one may stay there. */
    static final long LONGEST_PAUSE_LEFT = TimeUnit.SECONDS.toNanos(1);

    /** What the futures of one line share. */
    static final class Shared {
        final WaitingLine line;
        private final LongSupplier nanoClock;
        private final AtOnce limiter;

        @SuppressWarnings("ThreadLocalUsage") // another line is asked in the middle of a task of this one
        private final ThreadLocal<@Nullable Nested> nested = new ThreadLocal<>();

        Shared(WaitingLine line, LongSupplier nanoClock, AtOnce limiter) {
            this.line = line;
            this.nanoClock = nanoClock;
            this.limiter = limiter;
        }
    }

    /** Those whose task was run in the middle of another one's, by a scheduler that runs its tasks at once. */
    private static final class Nested {
        final Queue<FutureWaiter> next = new ArrayDeque<>(1);
        boolean isOver;
    }

    /** Acquires permits at once, or refuses them with the delay. */
    interface AtOnce {
        Reservation acquireNow(long nanos, int permits);
    }

    private static final AtomicIntegerFieldUpdater<FutureWaiter> ASKING =
            AtomicIntegerFieldUpdater.newUpdater(FutureWaiter.class, "asking");

    private final Shared shared;
    private final int permits;
    private final ScheduledExecutorService scheduler;
    private final Waiting future = new Waiting();

    /** The calls of {@link #ask} for which the limiter has not been asked yet. */
    private volatile int asking;

    /** Asks at once. Set by the last {@link #wake} that was not in vain. */
    private volatile @Nullable Task wakeTask;

    /** Asks when the delay ends. Set by the task that asks. */
    private volatile @Nullable Task timer;

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
        Task last = wakeTask;
        if (last == null || last.isOver()) {
            wakeTask = scheduled(0, 0);
        } else if (isDropped(last.future)) {
            throw new RejectedExecutionException("shut down before the permits were granted: " + scheduler);
        }
        return true;
    }

    @Override
    void fail() {
        try {
            releaseTimer();
        } finally {
            future.completeExceptionally(requireNonNull(rejection));
        }
    }

    @Override
    boolean isDone() {
        return future.isDone();
    }

    @Override
    boolean isStranded() {
        if (asking > 0) {
            return false;
        }
        Task last = wakeTask;
        Task set = last == null || last.hasBegun ? timer : last;
        return set == null || set.isOver() || isDropped(set.future);
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

    /** Asks the limiter, or, in the middle of another one's task, has it done after that: one by one, and in order. */
    private void askInTurn() {
        StackReserve.checkForMap(); // or the thread's map might be damaged
        Nested outer = shared.nested.get();
        if (outer != null && !outer.isOver) {
            if (!outer.next.contains(this)) {
                outer.next.add(this);
            }
            return;
        }
        Nested nested = new Nested();
        try {
            shared.nested.set(nested);
            for (FutureWaiter waiter = this; waiter != null; waiter = nested.next.poll()) {
                waiter.ask();
            }
        } finally {
            nested.isOver = true; // a store, in case that the next call fails
            shared.nested.remove();
        }
    }

    /** Asks the limiter if this is the first in line, or lets the task ask again that does so already. */
    void ask() {
        if (ASKING.getAndIncrement(this) > 0) {
            return;
        }
        int seen;
        do {
            seen = asking;
            if (shared.line.isFirst(this)) {
                serve(); // what it throws is thrown when this has left
            }
        } while (!ASKING.compareAndSet(this, seen, 0));
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
            Reservation unused = future.isDone() ? null : reservation;
            try {
                shared.line.end(this, e);
            } finally {
                if (unused != null) {
                    unused.cancel();
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

    private void setTimer(long nanos, long delayNanos) {
        boolean canBeRemoved = scheduler instanceof ThreadPoolExecutor;
        long pause = Math.min(delayNanos, canBeRemoved ? Parking.LONGEST_PAUSE : LONGEST_PAUSE_LEFT);
        long end = nanos + pause;
        Task before = timer;
        if (before == null || before.isOver() || before.end - end > 0) {
            timer = scheduled(end, pause);
            if (before != null) {
                before.remove();
            }
        }
        if (!isInLine) {
            releaseTimer();
        }
    }

    private void releaseTimer() {
        Task set = timer;
        if (set != null) {
            set.remove();
        }
    }

    private Task scheduled(long end, long pause) {
        Task task = new Task(end);
        task.future = scheduler.schedule(task, pause, TimeUnit.NANOSECONDS);
        return task;
    }

    /** Asks when the scheduler runs it. */
    private final class Task implements Runnable {
        private final long end;

        /** What the scheduler has made of it. Read when this has been scheduled. */
        @Nullable
        Future<?> future;

        /** Whether it has asked or is about to, or has been removed. */
        volatile boolean hasBegun;

        Task(long end) {
            this.end = end;
        }

        /** Returns whether it will not ask any more: also if it has ended by an error before it could. */
        boolean isOver() {
            return hasBegun || future != null && future.isDone();
        }

        /** Takes it out of the scheduler, as far as that allows. */
        void remove() {
            Future<?> set = future;
            if (set == null || hasBegun) {
                return;
            }
            hasBegun = true;
            try {
                set.cancel(false);
                if (scheduler instanceof ThreadPoolExecutor pool && set instanceof Runnable queued) {
                    pool.remove(queued); // whatever its policy
                }
            } catch (RuntimeException e) {
                // the scheduler's trouble: the task runs for nothing
            }
        }

        @Override
        public void run() {
            if (!hasBegun) {
                hasBegun = true;
                askInTurn();
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
                try {
                    leave();
                } catch (Throwable e) {
                    super.completeExceptionally(e); // it is in no line any more that would do it
                    throw e;
                }
            }
        }
    }
}
