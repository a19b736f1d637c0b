package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.limit.WaitingLine.ThreadWaiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;

/**
 * A waiting line in front of a {@link Limiter}: requests wait for its permits, first come, first served. A request
 * blocks its thread, which may be a virtual one, or returns a future.
 *
 * <pre>{@code
 * SlidingWindowLimiter quota = SlidingWindowLimiter.of(
 *         Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofMinutes(1)));
 * BlockingLimiter turns = BlockingLimiter.of(quota);   // one for all threads
 *
 * Reservation turn = turns.acquire(estimate);          // waits in line
 * turn.adjustTo(send(estimate));                       // the permits used
 * }</pre>
 *
 * <p><b>In order.</b> Requests are served in the order of their arrival. Only the first in line waits for the limiter,
 * for its exact delay, without polling. A turn never comes early.
 *
 * <p><b>A limit holds at the grant, not at the far side.</b> For the limit of another service take an interval that is
 * longer by as much as one request may take longer on its way than another, to wake its thread included.
 *
 * <p><b>Nothing is acquired before its turn.</b> So an interrupt, a time-out or a cancelled future costs no permits,
 * and the next in line goes on.
 *
 * <p><b>Permits that come back</b> through a reservation made here wake the first in line at once. After any other
 * change of the limiter call {@link #recheck}; otherwise it is noticed when the current delay ends. Requests to the
 * limiter itself go past the line, and so do those of another {@code BlockingLimiter} of it.
 *
 * <p><b>Bound the line</b> by {@link #of(Limiter, int)}: each waiting request keeps memory, and perhaps a thread.
 *
 * <p><b>Thread-safe.</b> No lock is held while a thread waits or a future completes, and a virtual thread does not pin
 * its carrier. After an error such as an {@link OutOfMemoryError}, call {@link #recheck}.
 */
public final class BlockingLimiter {
    /*
     * Leader and follower, as in java.util.concurrent.DelayQueue. A request that finds nobody in line asks the limiter
     * without joining: it has come before all that join later. In line only the first asks: for itself, and if it is a
     * thread, when it leaves, for the threads behind it as long as the limiter grants. Then it wakes the next one, and
     * those that are granted. To wake a thread takes tens of times as long as a grant: if each were woken before the
     * next is granted, the line would be as slow as threads are switched, and would not become empty.
     */

    static final int MAX_SERVED = 1_000; // others for whom one thread asks at most, since it has to wake them

    private final Limiter limiter;
    private final LongSupplier nanoClock;
    private final Parking parking;
    private final WaitingLine line;

    BlockingLimiter(Limiter limiter, LongSupplier nanoClock, int maxWaiting, Parking parking) {
        this.limiter = requireNonNull(limiter, "limiter");
        this.nanoClock = requireNonNull(nanoClock, "nanoClock");
        this.parking = parking;
        Arguments.checkAtLeast(0, maxWaiting, "maxWaiting");
        line = new WaitingLine(maxWaiting);
    }

    /**
     * Returns a new line for the permits of {@code limiter}, by {@link System#nanoTime()}, without a bound.
     *
     * @param limiter grants the permits
     * @return a new line
     */
    public static BlockingLimiter of(Limiter limiter) {
        return of(limiter, System::nanoTime);
    }

    /**
     * Returns a new line for the permits of {@code limiter}, by {@link System#nanoTime()}, in which at most {@code
     * maxWaiting} requests wait. One that would have to wait and finds so many in line is refused at once.
     *
     * @param limiter grants the permits
     * @param maxWaiting zero or more. With zero nobody waits: a request is granted at once, or refused
     * @return a new line
     * @throws IllegalArgumentException if {@code maxWaiting} is negative
     */
    public static BlockingLimiter of(Limiter limiter, int maxWaiting) {
        return of(limiter, System::nanoTime, maxWaiting);
    }

    /**
     * Returns a new line for the permits of {@code limiter}, by another clock, without a bound.
     *
     * @param limiter grants the permits
     * @param nanoClock the clock of the limiter's times, in nanoseconds, as fast as {@link System#nanoTime()}
     * @return a new line
     */
    public static BlockingLimiter of(Limiter limiter, LongSupplier nanoClock) {
        return of(limiter, nanoClock, Integer.MAX_VALUE);
    }

    /**
     * Returns a new line with both: another clock, and a bound.
     *
     * @param limiter grants the permits
     * @param nanoClock the clock of the limiter's times
     * @param maxWaiting zero or more
     * @return a new line
     * @throws IllegalArgumentException if {@code maxWaiting} is negative
     */
    public static BlockingLimiter of(Limiter limiter, LongSupplier nanoClock, int maxWaiting) {
        return new BlockingLimiter(limiter, nanoClock, maxWaiting, Parking.JVM);
    }

    /**
     * Waits until all that came before have been served, or have left, and the limiter grants {@code permits}. After an
     * interrupt that comes after the grant, the thread stays interrupted.
     *
     * @param permits at least 1
     * @return the reservation, granted, with a {@linkplain Reservation#delayNanos delay} of 0
     * @throws InterruptedException if the thread was interrupted before or while it waited; nothing was acquired
     * @throws RejectedExecutionException if it would have to wait, and the line is {@linkplain #of(Limiter, int) full}
     * @throws IllegalArgumentException if {@code permits} is less than 1, or more than a limit on permits: at once, or,
     *     if the limit was lowered meanwhile, when the limiter is asked again
     */
    public Reservation acquire(int permits) throws InterruptedException {
        Reservation reservation = acquire(permits, Parking.ENDLESS);
        if (!reservation.isGranted()) {
            throw full();
        }
        return reservation;
    }

    /**
     * Waits as {@link #acquire} does, but for at most {@code timeout}. Refuses at once if the limiter's delay is longer
     * than that already, if others wait and {@code timeout} is zero, or if the line is {@linkplain #of(Limiter, int)
     * full}.
     *
     * @param permits at least 1
     * @param timeout zero or more
     * @return the reservation, granted with a {@linkplain Reservation#delayNanos delay} of 0, or refused with the delay
     *     of the limiter, which does not know of the line; it is at least 1
     * @throws InterruptedException if the thread was interrupted before or while it waited; nothing was acquired
     * @throws IllegalArgumentException if {@code timeout} is negative, or if {@link #acquire} would throw it
     */
    public Reservation tryAcquire(int permits, Duration timeout) throws InterruptedException {
        return acquire(permits, Arguments.saturatedNanos(timeout, "timeout"));
    }

    /**
     * Waits as {@link #acquire} does, without a thread: returns a future that completes with the reservation. It is
     * completed by this call if the limiter grants at once and nobody waits, and otherwise by a task of {@code
     * scheduler}. Futures complete in the order of the line.
     *
     * <p>A future that is completed in any other way, for example by {@link CompletableFuture#cancel} or {@link
     * CompletableFuture#orTimeout}, leaves the line before it completes; by {@code completeAsync} or an {@code obtrude}
     * method, after its dependents have run. Permits granted at the same moment are released. It stays in line if only
     * a {@code get} with a time-out gives up, or if a stage that depends on it is cancelled.
     *
     * <p>The future completes exceptionally, and has left the line, if {@code scheduler} rejects a task, if a limit was
     * lowered below {@code permits} meanwhile, or if the clock or a key's function for limits throws. If the scheduler
     * drops its tasks, as after {@code shutdownNow}, the future stays in line until it is cancelled.
     *
     * <p><b>Timers.</b> Only the first in line has one. It is taken out of a {@link ThreadPoolExecutor} when it is not
     * needed any more, whatever {@linkplain ScheduledThreadPoolExecutor#setRemoveOnCancelPolicy its policy}; other
     * schedulers keep a cancelled one for up to a second.
     *
     * @param permits at least 1
     * @param scheduler runs short tasks, and the future's dependents. Its threads do not block
     * @return a future of the reservation, granted; or one that has failed with a {@link RejectedExecutionException} if
     *     it would have to wait, and the line is {@linkplain #of(Limiter, int) full}
     * @throws IllegalArgumentException if {@code permits} is less than 1, or more than a limit on permits
     */
    public CompletableFuture<Reservation> acquireAsync(int permits, ScheduledExecutorService scheduler) {
        Arguments.checkAtLeast(1, permits, "permits");
        requireNonNull(scheduler, "scheduler");
        Reservation first = ask(nanoClock.getAsLong(), permits, line.first == null);
        if (first.isGranted()) {
            return CompletableFuture.completedFuture(first);
        }
        FutureWaiter waiter = new FutureWaiter(line, () -> ask(nanoClock.getAsLong(), permits, true), scheduler);
        if (!line.join(waiter)) {
            return CompletableFuture.failedFuture(full());
        }
        waiter.run();
        return waiter;
    }

    /** {@return the number of requests that wait, the first in line included} */
    public int waiting() {
        return line.size();
    }

    /**
     * Asks the limiter again for the first in line: to be called after a change that was not made through a reservation
     * of this line, such as limits that were raised.
     */
    public void recheck() {
        line.wakeFirst();
    }

    /** Returns a string with the limiter, and with how many wait. */
    @Override
    public String toString() {
        return "BlockingLimiter[limiter=" + limiter + ", waiting=" + waiting() + "]";
    }

    private Reservation acquire(int permits, long timeoutNanos) throws InterruptedException {
        Arguments.checkAtLeast(1, permits, "permits");
        throwIfInterrupted();
        long start = nanoClock.getAsLong();
        Reservation first = ask(start, permits, line.first == null);
        if (first.isGranted() || first.delayNanos() > timeoutNanos) {
            return first;
        }
        ThreadWaiter waiter = new ThreadWaiter(permits, first, parking);
        if (!line.join(waiter)) {
            return first;
        }
        Reservation result = first;
        try {
            result = await(waiter, start, timeoutNanos);
            return result;
        } finally {
            leave(waiter);
            if (waiter.granted != result) {
                waiter.granted.cancel(); // granted too late
            }
        }
    }

    private Reservation await(ThreadWaiter waiter, long start, long timeoutNanos) throws InterruptedException {
        while (true) {
            waiter.isWoken = false;
            if (waiter.granted.isGranted()) {
                return waiter.granted;
            }
            throwIfInterrupted();
            long nanos = nanoClock.getAsLong();
            long pause = timeoutNanos == Parking.ENDLESS ? timeoutNanos : timeoutNanos - Math.max(0, nanos - start);
            boolean isFirst = line.first == waiter;
            if (isFirst || pause <= 0) {
                Reservation reservation = ask(nanos, waiter.permits, isFirst);
                if (reservation.isGranted() || reservation.delayNanos() > pause) {
                    return reservation;
                }
                pause = Math.min(reservation.delayNanos(), Parking.LONGEST_PAUSE);
            }
            if (!waiter.isWoken) { // or a lock for which it has waited since it looked may have used up the wake-up
                parking.park(this, pause);
            }
        }
    }

    /** Takes a thread out of the line, and if it is the first, also those behind it for which the limiter grants. */
    private void leave(ThreadWaiter waiter) {
        List<ThreadWaiter> served = new ArrayList<>(0);
        try {
            ThreadWaiter next = line.behind(waiter);
            while (next != null && served.size() < MAX_SERVED) {
                Reservation reservation = ask(nanoClock.getAsLong(), next.permits, true);
                if (!reservation.isGranted()) {
                    break;
                }
                if (line.grant(next, reservation)) {
                    served.add(next);
                } else {
                    reservation.cancel();
                }
                next = line.behind(waiter);
            }
        } catch (Throwable e) { // will be thrown to the next one, when it asks for itself
        }
        try {
            line.leave(waiter); // wakes the next one before the others, since its delay counts from now on
        } finally {
            served.forEach(ThreadWaiter::wake);
        }
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private RejectedExecutionException full() {
        return new RejectedExecutionException("the line is full: " + line.maxWaiting + " wait already");
    }

    /** Acquires if it may, and the limiter grants at once; otherwise returns a refused reservation with a delay over 0. */
    private Reservation ask(long nanos, int permits, boolean mayAcquire) {
        if (mayAcquire) {
            Requests.Reserve request = new Requests.Reserve(Requests.Reserve.AT_ONCE, line);
            Reservation reservation = request.run(JointLimiter.members(limiter), nanos, permits);
            if (reservation.delayNanos() < Long.MAX_VALUE) {
                return reservation;
            }
        }
        Decision decision = limiter.peek(nanos, permits);
        if (decision.delayNanos() == Long.MAX_VALUE) {
            for (Quota quota : decision.quotas()) {
                Limit limit = quota.limit();
                if (!limit.isPerCall() && permits > limit.max()) {
                    throw Arguments.rejected("permits", permits, "at most " + limit.max() + ", as of " + limit);
                }
            }
        }
        return Reservation.refused(Math.max(1, decision.delayNanos()));
    }
}
