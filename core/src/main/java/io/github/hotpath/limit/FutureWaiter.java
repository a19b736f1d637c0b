package io.github.hotpath.limit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A future that waits in line. */
@SuppressWarnings("FutureReturnValueIgnored") // of stages that leave the line
final class FutureWaiter extends CompletableFuture<Reservation> implements WaitingLine.Waiter, Runnable {
    /*
     * It is a task of its scheduler, which asks the limiter: when it becomes the first in line, when its delay ends, and
     * when permits are released. Whatever completes it, it leaves the line first, since its dependents may take long, or
     * wait in line themselves. Only a grant completes it before, so that futures complete in the order of the line; and
     * then it leaves before its dependents run, since those that were added last run first.
     */

    /** The longest pause if a timer cannot be taken out of the scheduler: so long a cancelled one may stay there. */
    static final long LONGEST_PAUSE_LEFT = TimeUnit.SECONDS.toNanos(1);

    private final WaitingLine line;
    private final LongSupplier nanoClock;
    private final LongFunction<Reservation> acquireNow;
    private final ScheduledExecutorService scheduler;
    private volatile @Nullable Future<?> timer;

    /** Whether a task has been scheduled that has not begun. */
    private volatile boolean isWoken;

    /** Whether the limiter has granted it. Guarded by this. */
    private boolean isGranted;

    FutureWaiter(
            WaitingLine line,
            LongSupplier nanoClock,
            LongFunction<Reservation> acquireNow,
            ScheduledExecutorService scheduler) {
        this.line = line;
        this.nanoClock = nanoClock;
        this.acquireNow = acquireNow;
        this.scheduler = scheduler;
        whenComplete((reservation, e) -> leave()); // for what completes it without a call of the methods below
    }

    @Override
    public void wake() {
        if (!isWoken) {
            isWoken = true;
            try {
                scheduler.execute(this);
            } catch (Throwable e) { // such as that no thread can be created: then recheck() wakes it again
                isWoken = false;
                throw e;
            }
        }
    }

    @Override
    public void fail(RuntimeException reason) {
        completeExceptionally(reason);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        leave();
        return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public boolean complete(Reservation value) {
        leave();
        return super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable reason) {
        leave();
        return super.completeExceptionally(reason);
    }

    @Override
    public void run() {
        isWoken = false;
        try {
            Reservation reservation = ask();
            if (reservation != null) {
                thenRun(this::leave);
                if (!super.complete(reservation)) {
                    reservation.cancel();
                }
            }
        } catch (Throwable e) {
            completeExceptionally(e);
        }
    }

    /** Asks the limiter if this is the first in line, once at a time; returns what is granted. */
    private synchronized @Nullable Reservation ask() {
        if (isGranted || isDone() || !line.isFirst(this)) {
            return null;
        }
        Reservation reservation = acquireNow.apply(nanoClock.getAsLong());
        isGranted = reservation.isGranted();
        if (isGranted) {
            return reservation;
        }
        stopTimer();
        long longest = scheduler instanceof ThreadPoolExecutor ? Parking.LONGEST_PAUSE : LONGEST_PAUSE_LEFT;
        timer = scheduler.schedule(this, Math.min(reservation.delayNanos(), longest), TimeUnit.NANOSECONDS);
        if (isDone()) {
            stopTimer();
        }
        return null;
    }

    private void leave() {
        stopTimer();
        line.leave(this);
    }

    /** Takes the timer out of the scheduler, whatever its policy. */
    private void stopTimer() {
        Future<?> set = timer;
        if (set != null && set.cancel(false) && scheduler instanceof ThreadPoolExecutor pool) {
            pool.remove((Runnable) set);
        }
    }
}
