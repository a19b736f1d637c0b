package io.github.hotpath.window;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A part of the events of a {@link ConcurrentEventWindow}: a log, the window over it, and the lock that guards both. After {@link
 * #append} the window does not know of the last events and of what has expired by them, until {@link #settle}.
 */
sealed class Stripe extends EventLog {
    /*
     * The lock is not one of the JDK's, because a record holds it for a nanosecond or two, and its own cost is most of what
     * a record costs. Taking it is one atomic instruction, giving it back a plain store. So nobody can be woken by that
     * store, and who waits has to look again: first after a spin, then after the shortest sleep, since the thread that has
     * the lock may be waiting for a processor. Nothing blocks while it has the lock.
     *
     * It extends the log, rather than having one, so that all that a record writes, but the event, is in one object.
     */

    /** Who has the lock: nobody, */
    private static final int FREE = 0;

    /** one who records, and has no more than this stripe, */
    static final int RECORD = 1;

    /** or one who has all stripes. */
    static final int WHOLE = 2;

    /** How long a spin is that lets another thread do a good deal rather than fight with it for the cache line: some µs. */
    static final int LONG_SPIN = 128;

    /** Spins double up to this. */
    private static final int LONGEST_SPIN = 4 * LONG_SPIN;

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

    /** The time of the last event that has been appended since the window was settled, or else the window's now. */
    private long latest;

    Stripe(long intervalNanos) {
        window = new EventWindow(intervalNanos, this);
    }

    /**
     * Adds an event at {@code nanos} and forgets nothing; says no, and has changed nothing, if it is late, or more than 2^50
     * ns (13 days) later than now, or if there is no room behind the newest event, as in an empty log.
     */
    final boolean append(long nanos) {
        if ((nanos - latest) >>> 50 != 0 || !addIfRoom(nanos)) {
            return false;
        }
        latest = nanos;
        return true;
    }

    /** Lets the window take notice of what has been appended. */
    final void settle() {
        if (size() > 0) {
            window.advance(latest);
        }
        latest = window.now();
    }

    /** Records in the window, which is settled. */
    final void record(long nanos) {
        window.record(nanos);
        latest = window.now();
    }

    /** Moves now to that of {@code other}, if that is later. Both are settled. */
    final void follow(Stripe other) {
        if (other.window.isStarted()) {
            window.advance(other.window.now());
            latest = window.now();
        }
    }

    /** Takes the lock for a record, if it is free. May say no without a reason, but seldom. */
    final boolean tryLock() {
        return HOLDER.weakCompareAndSetAcquire(this, FREE, RECORD);
    }

    /** Takes the lock as {@code who}; if it is not free, spins for {@code spin} rounds before it looks again. */
    final void lock(int who, int spin) {
        int rounds = spin;
        while (holder() != FREE || !HOLDER.weakCompareAndSetAcquire(this, FREE, who)) {
            if (rounds <= LONGEST_SPIN) {
                spin(rounds);
                rounds *= 2;
            } else {
                LockSupport.parkNanos(1);
            }
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
