package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.StackReserve;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Limiter#reserve}: whether permits were granted, and the delay until they may be used. A granted
 * reservation can be adjusted to the permits actually used, or cancelled. Thread-safe.
 *
 * <pre>{@code
 * Reservation reservation = limiter.reserve(System.nanoTime(), estimate, Duration.ofSeconds(5));
 * if (reservation.isGranted()) {
 *     try {
 *         TimeUnit.NANOSECONDS.sleep(reservation.delayNanos());
 *     } catch (InterruptedException e) {
 *         reservation.cancel();               // the permits are not used
 *         throw e;
 *     }
 *     reservation.adjustTo(send(estimate));   // the permits used
 * }
 * }</pre>
 *
 * @see BlockingLimiter
 */
public final class Reservation {
    private final long delayNanos;

    final SlidingWindowLimiter limiter;

    /** In which it can be corrected, {@code null} if in any; {@link Epoch#OVER} if it was refused. */
    final @Nullable Epoch epoch;

    /** The time at which the permits count, and its {@link SlidingLog#halfTurnsOf half turns}. */
    final long slot;

    final int halfTurns;

    /**
     * The permits that count, negative if they were granted while no limit counted calls; 0 if it was refused or
     * cancelled. Guarded by the limiter's lock.
     */
    int permits;

    /**
     * The same reservation in the next of several limiters; in the last one the {@link WaitingLine} to wake when
     * permits are released, or {@code null}. One field for both, since there are many reservations.
     */
    private final @Nullable Object next;

    Reservation(
            long delayNanos,
            SlidingWindowLimiter limiter,
            @Nullable Epoch epoch,
            long slot,
            int halfTurns,
            int permits,
            @Nullable Object next) {
        this.delayNanos = delayNanos;
        this.limiter = limiter;
        this.epoch = epoch;
        this.slot = slot;
        this.halfTurns = halfTurns;
        this.permits = permits;
        this.next = next;
    }

    /** Returns a reservation that was refused. */
    static Reservation refused(long delayNanos, SlidingWindowLimiter limiter) {
        return new Reservation(delayNanos, limiter, Epoch.OVER, 0, 0, 0, null);
    }

    @Nullable
    Reservation next() {
        return next instanceof Reservation reservation ? reservation : null;
    }

    private @Nullable WaitingLine line() {
        Object end = next;
        while (end instanceof Reservation reservation) {
            end = reservation.next;
        }
        return (WaitingLine) end;
    }

    /** {@return whether the permits were granted; cancelling them does not change the result} */
    public boolean isGranted() {
        return epoch != Epoch.OVER;
    }

    /**
     * Returns the delay in nanoseconds from the time passed to {@link Limiter#reserve} until the permits may be used; a
     * refused reservation has a delay too, so check {@link #isGranted} first. That delay is the one after which the
     * permits could have been used. The result does not decrease as time passes,
     * so wait immediately, or until the time passed to {@code reserve} plus this delay.
     *
     * @return 0 if the permits may be used immediately; {@link Long#MAX_VALUE} if they are never available
     */
    public long delayNanos() {
        return delayNanos;
    }

    /**
     * Sets the number of permits actually used, in place of those reserved. They count for one interval from the slot
     * of the reservation, the time at which they may be used. Fewer permits leave more for later calls. More permits
     * may exceed a limit, which then refuses later calls for longer. Slots granted to other calls do not move.
     *
     * @param permits zero or more; zero {@linkplain #cancel cancels} the reservation
     * @return {@code true} if they were set; {@code false}, with nothing changed, if the reservation was refused or
     *     cancelled, if the limiter has been cleared or its key evicted since, or if the reservation has expired for
     *     every limit at the limiter's latest time
     * @throws IllegalArgumentException if {@code permits} is negative, or if with them more than {@link Long#MAX_VALUE}
     *     permits would count; nothing is changed
     */
    public boolean adjustTo(int permits) {
        Arguments.checkAtLeast(0, permits, "permits");
        if (!isGranted()) {
            return false;
        }
        WaitingLine line = line();
        if (line != null) {
            StackReserve.checkForMap(); // or permits might be released and wake nobody
        }
        CorrectionCall call = new CorrectionCall(this, permits);
        boolean isSet = call.make();
        if (line != null && call.isReleasing()) {
            line.wakeFirst();
        }
        return isSet;
    }

    /**
     * Cancels the reservation: neither its permits nor its call count any longer. The same as {@code
     * adjustTo(0)}, and final. Its slot stays {@linkplain Limiter#reserve pending}: until then {@link
     * Limiter#tryAcquire} is refused, and other reservations get no earlier slot. A caller that cancels
     * slots far ahead should therefore reserve with a short {@code maxDelay} and ask again; {@link
     * SlidingWindowLimiter#clear} removes a pending slot with everything else.
     *
     * @return {@code true} if it was cancelled; {@code false}, with nothing changed, in the cases in which
     *     {@link #adjustTo} returns {@code false}
     */
    public boolean cancel() {
        return adjustTo(0);
    }

    /** Returns a string with the delay, and with whether the reservation was granted. */
    @Override
    public String toString() {
        return "Reservation[granted=" + isGranted() + ", delayNanos=" + delayNanos + "]";
    }
}
