package io.github.hotpath.window;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A part of the events of a {@link ConcurrentEventWindow}: a log, the window over it, and the lock that guards both.
 * After {@link #append} the window does not know of the last events and of what has expired by them, until
 * {@link #settle}.
 */
sealed class Stripe extends EventLog {
    /*
     * The lock is not one of the JDK's, because a record holds it for a nanosecond or two, and its own cost is most of
     * what a record costs. Taking it is one atomic instruction, giving it back a plain store. So nobody can be woken by
     * that store, and who waits has to look again: first after a spin, then after the shortest sleep, since the thread
     * that has the lock may be waiting for a processor. Who records waits for nothing while it has the lock; who has
     * all stripes has waited for those who record, and for nobody else.
     *
     * It extends the log, rather than having one, so that all that a record writes, but the event, is in one object.
     */

    /** The lock is free. */
    private static final int FREE = 0;

    /** The lock is held for a record, with no other. */
    static final int RECORD = 1;

    /** The lock is held together with those of all stripes. */
    static final int WHOLE = 2;

    /** Rounds of a spin, some µs: long enough for the holder to do a good deal without a fight for the cache line. */
    static final int LONG_SPIN = 128;

    /** Spins double up to this. */
    private static final int LONGEST_SPIN = 4 * LONG_SPIN;

    /** How much later than its now a stripe appends at the most: 13 days. */
    private static final long MAX_REACH = 1L << 50;

    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(Stripe.class, "holder", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** {@link #FREE}, {@link #RECORD} or {@link #WHOLE}. */
    @SuppressWarnings("unused") // by HOLDER
    private int holder;

    /** The window over this log. */
    final EventWindow window;

    /**
     * The time of the last event appended since the window was settled, or else its now. Means nothing in an empty log.
     */
    private long latest;

    /** The last time at which to append before the window is settled again: so what has expired is soon given back. */
    private long deadline;

    Stripe(long intervalNanos) {
        window = new EventWindow(intervalNanos, this);
    }

    /**
     * Adds an event at {@code nanos} and forgets nothing; says no, and has changed nothing, if it is late, if it is
     * later than the window was settled by more than the interval or 2^50 ns (13 days), or if there is no room behind
     * the newest event, as in an empty log.
     */
    final boolean append(long nanos) {
        if (((nanos - latest) | (deadline - nanos)) < 0 || !addIfRoom(nanos)) { // either difference is below zero
            return false;
        }
        latest = nanos;
        return true;
    }

    /** Lets the window take notice of what has been appended, and forget what has expired. */
    final void settle() {
        if (size() > 0) {
            window.advance(latest);
        }
        settled();
    }

    /** Records in the window, which is settled. */
    final void record(long nanos) {
        window.record(nanos);
        settled();
    }

    /** Moves now to that of {@code other}, if that is later. Both are settled. */
    final void follow(Stripe other) {
        if (other.window.isStarted()) {
            window.advance(other.window.now());
            settled();
        }
    }

    private void settled() {
        latest = window.now();
        deadline = latest + Math.min(window.intervalNanos(), MAX_REACH);
    }

    /** Takes the lock for a record, if it is free; may fail without a reason, but seldom. */
    final boolean tryLock() {
        return HOLDER.weakCompareAndSetAcquire(this, FREE, RECORD);
    }

    /** Takes the lock as {@code who}; if it is not free, spins for {@code spin} rounds before it looks again. */
    final void lock(int who, int spin) {
        int rounds = spin;
        boolean interrupted = false;
        while (holder() != FREE || !HOLDER.weakCompareAndSetAcquire(this, FREE, who)) {
            if (rounds <= LONGEST_SPIN) {
                spin(rounds);
                rounds *= 2;
            } else {
                // An interrupted thread would not sleep; a virtual one would keep the carrier that the holder needs.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(1);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void spin(int rounds) {
        for (int i = 0; i < rounds; i++) {
            Thread.onSpinWait();
        }
    }

    /** Returns who has the lock: a hint, for it may change at any time. */
    final int holder() {
        return (int) HOLDER.getOpaque(this);
    }

    /** Gives the lock back. */
    final void unlock() {
        HOLDER.setRelease(this, FREE);
    }

    /** A stripe that shares no cache line with another one behind it. */
    static final class Padded extends Stripe {
        /** Two lines of 64 bytes, for processors fetch them in pairs. */
        @SuppressWarnings("unused") // there to take room
        private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

        Padded(long intervalNanos) {
            super(intervalNanos);
        }
    }
}
