package io.github.hotpath.window;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A stripe of a {@link ConcurrentEventWindow}: a window and its lock. Between two calls that use the window it holds a
 * lease of the tail of the window's log: {@link #append} writes there, and the window does not know of these events
 * until {@link #returnTail} ends the lease.
 */
class Stripe extends StripeLease {
    /*
     * All that a record writes, but the event, is in this object, so a lease has its own end of the log's last chunk.
     * A stripe that is added, and the table, end with padding, so that they share no cache line with the object that
     * the garbage collector moves behind them.
     *
     * In front there is none: the stripe of a new window would have it, too, and has no bytes to spare. Instead the
     * fields that each record writes are the last ones, 40 bytes from the beginning with HotSpot's usual object headers
     * of 12 bytes. That is far enough from the window, of which each record reads the first field: see PaddingTest.
     */

    /** The longest lease: 13 days. */
    private static final long MAX_LEASE_NANOS = 1L << 50;

    /** How long after its lease a stripe is unused. Bounds how often stripes are searched for unused ones: 1 ms. */
    private static final long UNUSED_AFTER_NANOS = 1_000_000;

    private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

    /** {@link #FREE}, {@link #ALONE} or {@link #ALL}. */
    volatile int holder;

    /** The index in the leased chunk of the next event: those from the log's own end on are not yet in the log. */
    private int end;

    /** The time of the last event appended, or else the window's latest time when the lease began. */
    private long latest;

    /** Creates a stripe of {@code window}, which nothing else references, without a lease. */
    Stripe(EventWindow window) {
        super(window);
    }

    @Override
    public final boolean tryLock(int as) {
        return HOLDER.weakCompareAndSetAcquire(this, FREE, as);
    }

    @Override
    public final void unlock() {
        HOLDER.setRelease(this, FREE);
    }

    @Override
    protected final int holder() {
        return holder;
    }

    /**
     * Appends an event at {@code nanos} and evicts none; returns false, and has changed nothing, if it is out of order,
     * if it is later than the lease began by more than the interval or 2^50 ns (13 days), if there is no room behind
     * the newest event, as in an empty log, or without a lease.
     */
    final boolean append(long nanos) {
        int index = end;
        if (((nanos - latest) | (deadline - nanos)) < 0 || index >= leased.length) { // either difference is negative
            return false;
        }
        leased[index] = nanos;
        end = index + 1;
        latest = nanos;
        return true;
    }

    /**
     * Ends the lease, if there is one: adds the events appended to the window, whose latest time becomes theirs. They
     * do not expire others here. An error leaves the lease as it is.
     */
    final void returnTail() {
        if (leased != NONE) {
            window.extend(leased, end, latest);
            leased = NONE;
        }
    }

    /** Begins a lease: {@link #append} then succeeds for most events. */
    final void leaseTail() {
        EventLog log = window.log();
        long[] chunk = log.lastChunk();
        int tail = log.tail();
        long start = window.latest();
        long nanos = Math.min(window.intervalNanos(), MAX_LEASE_NANOS);
        end = tail;
        latest = start;
        deadline = start + nanos;
        leased = chunk;
    }

    /** Returns whether nothing has renewed the lease in time for {@code nanos}. Without the lock, a racy hint. */
    final boolean isUnused(long nanos) {
        return nanos - deadline > UNUSED_AFTER_NANOS;
    }

    /** Evicts what has expired at {@code nanos} if the stripe is unused then, unless another thread holds the lock. */
    final void expireIfUnused(long nanos) {
        if (tryLock(ALONE)) {
            try {
                if (isUnused(nanos)) {
                    expire(nanos);
                }
                unlock();
            } catch (Throwable e) {
                holder = FREE; // a store: after a stack overflow a call could overflow again
                throw e;
            }
        }
    }

    /** Advances the window to {@code nanos}, evicts what has expired, and renews the lease. */
    final void expire(long nanos) {
        returnTail();
        if (window.isStarted()) {
            window.advance(nanos);
        }
        leaseTail();
    }

    /** A stripe that shares no cache line with the next object. */
    static final class Padded extends Stripe {
        /** Two lines of 64 bytes, because processors fetch them in pairs. Never read. */
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

        /** Creates a stripe without a lease that is locked, to be released with all others. */
        Padded(EventWindow window) {
            super(window);
            holder = ALL;
        }
    }
}
