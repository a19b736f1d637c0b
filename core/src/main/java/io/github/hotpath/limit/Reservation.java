package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Limiter#reserve} and of a {@link BlockingLimiter}: whether permits were granted, and the delay
 * until they may be used. A granted reservation can be adjusted to the permits actually used, or cancelled.
 * Thread-safe.
 *
 * <pre>{@code
 * Reservation turn = quota.reserve(System.nanoTime(), 1200, Duration.ofSeconds(10));
 * if (turn.isGranted()) {
 *     try {
 *         TimeUnit.NANOSECONDS.sleep(turn.delayNanos());
 *     } catch (InterruptedException e) {
 *         turn.cancel();           // not sent: releases the permits
 *         throw e;
 *     }
 *     turn.adjustTo(send(1200));   // the permits used
 * }
 * }</pre>
 *
 * @see BlockingLimiter
 */
public final class Reservation {
    private final long delayNanos;

    /** What was granted in each gate; {@code null} if the reservation was refused. */
    final Grant @Nullable [] grants;

    /** To be woken when permits are released; {@code null} if nobody waits for them in line. */
    private final @Nullable WaitingLine line;

    Reservation(long delayNanos, Grant @Nullable [] grants, @Nullable WaitingLine line) {
        this.delayNanos = delayNanos;
        this.grants = grants;
        this.line = line;
    }

    /** Returns a reservation that was refused. */
    static Reservation refused(long delayNanos) {
        return new Reservation(delayNanos, null, null);
    }

    /** {@return whether the permits were granted; cancelling them does not change the result} */
    public boolean isGranted() {
        return grants != null;
    }

    /**
     * Returns the delay in nanoseconds from the time passed to {@link Limiter#reserve} until the permits may be used;
     * of a refused reservation, until they could have been, so check {@link #isGranted} first.
     *
     * @return 0 if the permits may be used immediately; {@link Long#MAX_VALUE} if they are never available or the delay
     *     does not fit a {@code long}
     */
    public long delayNanos() {
        return delayNanos;
    }

    /**
     * Sets the number of permits actually used, in place of those reserved. They count for one interval from the slot
     * of the reservation, the time at which they may be used. Fewer permits leave more for later calls. More permits
     * may exceed a limit, which then refuses later calls for longer.
     *
     * @param permits zero or more; zero {@linkplain #cancel cancels} the reservation
     * @return {@code true} if they were set; {@code false}, with nothing changed, if the reservation was refused or
     *     cancelled, if the limiter has been cleared or its key evicted or removed since, if the reservation was made
     *     while there were no limits, or if it has expired for every limit at the limiter's latest time, or had when
     *     limits were set
     * @throws IllegalArgumentException if {@code permits} is negative, or if with them more than 2^62 permits would
     *     count; nothing is changed
     */
    public boolean adjustTo(int permits) {
        Arguments.checkAtLeast(0, permits, "permits");
        if (grants == null) {
            return false;
        }
        Correction correction = new Correction();
        boolean isAdjusted = correction.run(grants, permits);
        if (line != null && correction.isReleasing) {
            line.wakeFirst();
        }
        return isAdjusted;
    }

    /**
     * Cancels the reservation: neither its permits nor its call count any longer. The same as {@code adjustTo(0)}, and
     * final. For calls that were not made: after the permits were used, it would let others exceed the limit. Its slot
     * stays {@linkplain Limiter#reserve pending}.
     *
     * @return {@code true} if it was cancelled; {@code false}, with nothing changed, in the cases in which {@link
     *     #adjustTo} returns {@code false}
     */
    public boolean cancel() {
        return adjustTo(0);
    }

    /** Returns a string with the delay, and with whether the reservation was granted. */
    @Override
    public String toString() {
        return "Reservation[granted=" + isGranted() + ", delayNanos=" + delayNanos + "]";
    }

    /** The permits of a reservation in one gate. */
    static final class Grant {
        private final Gate gate;

        /** The time at which the permits count. */
        final long slot;

        /** The generation of the log in which it was granted. */
        private final int generation;

        /** Less than reserved if some were released, 0 if all were. Guarded by the lock. */
        int permits;

        Grant(Gate gate, long slot, int permits) {
            this.gate = gate;
            this.slot = slot;
            this.generation = gate.log.generation();
            this.permits = permits;
        }

        boolean canAdjust(int to) {
            return gate.log.canAdjust(slot, generation, permits, to);
        }

        void adjust(int to) {
            gate.log.adjust(slot, permits, to);
            permits = to;
        }
    }

    /** Sets the permits of a reservation, in each gate in which it is not too late. */
    private static final class Correction extends Transaction.Plain {
        private List<Grant> current = List.of();

        /** Whether each of them can be adjusted. */
        private boolean[] isAdjustable = {};

        private boolean isReleasing;

        boolean run(Grant[] grants, int permits) {
            Boolean result;
            do {
                current = new ArrayList<>(Arrays.asList(grants));
                current.removeIf(grant -> !grant.gate.isCurrent());
                result = runOnce(current.stream().map(grant -> grant.gate).toArray(Gate[]::new), 0, permits);
            } while (result == null);
            return result;
        }

        @Override
        boolean decide(Gate[] gates, long nanos, int permits) {
            isAdjustable = new boolean[gates.length];
            boolean isAny = false;
            for (int i = 0; i < gates.length; i++) {
                isAdjustable[i] = current.get(i).canAdjust(permits);
                isAny |= isAdjustable[i];
            }
            return isAny;
        }

        @Override
        void change(Gate gate, int index, long nanos, int permits) {
            Grant grant = current.get(index);
            if (isAdjustable[index]) {
                isReleasing |= permits < grant.permits;
                grant.adjust(permits);
            } else {
                gate.log.settle();
            }
        }
    }
}
