package io.github.hotpath.limit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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
    private final Supplier<Reservation> acquireNow;
    private final ScheduledExecutorService scheduler;
    private volatile @Nullable Future<?> timer;

    /** How many have called since somebody asks, or is about to: one asks at a time, with no lock held. */
    private final AtomicInteger calls = new AtomicInteger();

    FutureWaiter(WaitingLine line, Supplier<Reservation> acquireNow, ScheduledExecutorService scheduler) {
        this.line = line;
        this.acquireNow = acquireNow;
        this.scheduler = scheduler;
        whenComplete((reservation, e) -> leave()); // for what completes it without a call of the methods below
    }

    @Override
    public void wake() {
        if (calls.getAndIncrement() == 0) {
            try {
                scheduler.execute(this::ask);
            } catch (Throwable e) { // such as that no thread can be created: then recheck() wakes it again
                calls.set(0);
                throw e;
            }
        }
    }

    @Override
    public void run() {
        if (calls.getAndIncrement() == 0) {
            ask();
        }
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

    /** Asks the limiter if this is the first in line, again and again while others call. */
    private void ask() {
        try {
            int seen;
            do {
                seen = calls.get();
                if (!isDone() && line.first == this) {
                    Reservation reservation = acquireNow.get();
                    if (reservation.isGranted()) {
                        thenRun(this::leave);
                        if (!super.complete(reservation)) {
                            reservation.cancel();
                        }
                        return;
                    }
                    stopTimer();
                    long longest = scheduler instanceof ThreadPoolExecutor ? Parking.LONGEST_PAUSE : LONGEST_PAUSE_LEFT;
                    timer = scheduler.schedule(this, Math.min(reservation.delayNanos(), longest), TimeUnit.NANOSECONDS);
                    if (isDone()) {
                        stopTimer();
                    }
                }
            } while (!calls.compareAndSet(seen, 0));
        } catch (Throwable e) {
            completeExceptionally(e);
        }
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
