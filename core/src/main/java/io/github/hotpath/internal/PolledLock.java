package io.github.hotpath.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A lock for calls of a few nanoseconds: one atomic instruction, not two. Of the threads that wait for it, or for one
 * of several locks that belong together, one polls. Not reentrant.
 */
public abstract class PolledLock {
    /*
     * A record in a stripe of a window, or a grant of a limiter, holds its lock for a nanosecond or two, and the lock
     * is most of what it costs. So it is acquired by one compare-and-set and released by a release store; the locks of
     * the JDK need a second atomic instruction to release. Such a release wakes no thread, so the one that waits for it
     * has to poll. Therefore only one thread polls: the one that holds the monitor of the first lock, or the one that
     * holds that lock for all. Every other one blocks on that monitor, which costs no processor time for any number of
     * threads. A thread that has held all locks for long wakes the poller; after a short call, that would take longer
     * than the call.
     *
     * A StackOverflowError can be thrown at every call, also in a finally block that releases a lock. Therefore who has
     * the lock is a volatile field that its users see: an exception handler releases by assigning it, without a call.
     * The same holds for the monitor, which the JVM releases: a lock of java.util.concurrent would have to be called.
     *
     * That field is of the subclass, because HotSpot places the fields of a superclass first: so a subclass decides
     * where in the object it is, which matters for what shares its cache line.
     */

    /** The lock is free. */
    public static final int FREE = 0;

    /** The lock is held alone, for a short call. */
    public static final int ALONE = 1;

    /** The lock is held together with all that belong to it. */
    public static final int ALL = 2;

    /** The rounds of a spin, some µs: long enough for many short calls. None where nothing else runs meanwhile. */
    private static final int SPIN = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 256;

    /** The number of parks without success after which a thread has waited for long. */
    private static final int PATIENCE = 8;

    private static final long SHORTEST_PAUSE = 1_000;
    private static final long LONGEST_PAUSE = 1_000_000;

    static {
        LockSupport.unpark(null); // initialize it: where the stack or memory is short, that fails, and then for ever
    }

    /** The thread that waits for one of the locks and is parked, or about to be. For the first lock. */
    private volatile @Nullable Thread parked;

    /** Creates a lock that is free. */
    protected PolledLock() {}

    /**
     * Returns the access to the volatile {@code int holder} of a subclass: {@link #FREE}, {@link #ALONE} or {@link
     * #ALL}. For its initializer: where the stack or memory is too short for that, it fails, and then for ever.
     *
     * @param lookup of the subclass
     * @return the access to its field
     */
    protected static VarHandle holderOf(MethodHandles.Lookup lookup) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), "holder", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Acquires the lock if it is free; may fail spuriously.
     *
     * @param as {@link #ALONE} or {@link #ALL}
     * @return whether the lock was acquired
     */
    public abstract boolean tryLock(int as);

    /** Releases the lock. */
    public abstract void unlock();

    /**
     * Returns who has the lock.
     *
     * @return {@link #FREE}, {@link #ALONE} or {@link #ALL}
     */
    protected abstract int holder();

    /**
     * Acquires this lock. Locks that belong together share {@code first}: of the threads that wait for any of them, one
     * polls and the others block on the monitor of {@code first}.
     *
     * @param as {@link #ALONE} or {@link #ALL}
     * @param first may be this
     * @return whether the lock was released within some microseconds, by a thread that ran meanwhile
     */
    public final boolean lock(int as, PolledLock first) {
        if (first.parked == null
                && tryLockSpinning(as)) { // if one is parked, the lock holder takes long or does not run
            return true;
        }
        synchronized (first) {
            poll(as, first);
        }
        return false;
    }

    private boolean tryLockSpinning(int as) {
        spin();
        return holder() == FREE && tryLock(as);
    }

    /** Acquires the lock by polling; the caller is the only thread that polls. */
    final void poll(int as, PolledLock first) {
        if (tryLock(as)) { // at once: others block on the monitor meanwhile
            return;
        }
        first.parked = Thread.currentThread();
        try {
            parkUntilLocked(as, first);
        } finally {
            first.parked = null;
        }
    }

    /**
     * Acquires the lock. An interrupt is put off, since an interrupted thread would not park. No call follows the one
     * that acquires the lock: if it failed, the lock would stay held.
     */
    private void parkUntilLocked(int as, PolledLock first) {
        long pause = SHORTEST_PAUSE;
        for (int parks = 1; !tryLock(as); parks++) {
            boolean interrupted = Thread.interrupted();
            LockSupport.parkNanos(this, pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            if (interrupted) {
                Thread.currentThread().interrupt(); // the next round puts it off again
            }
            if (parks == PATIENCE) {
                first.setOverdue();
            }
        }
    }

    /**
     * Spins for some microseconds, without reading the lock: the lock holder, and the call after it, would wait for the
     * cache line, and two threads that read it would pass the lock to each other at each call.
     */
    private static void spin() {
        for (int i = 0; i < SPIN; i++) {
            Thread.onSpinWait();
        }
    }

    /** Called for the first lock when a thread has waited for long for one of the locks. Does nothing here. */
    void setOverdue() {}

    /** Wakes the thread that is parked for this lock, or for one of those released before it. */
    public final void wake() {
        Thread waiting = parked;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }
}
