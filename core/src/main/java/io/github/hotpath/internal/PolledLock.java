package io.github.hotpath.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A lock for calls of a few nanoseconds: one atomic instruction, not two. Of the threads that wait, one polls. Not
 * reentrant.
 */
public abstract class PolledLock {
    /*
     * A record in a stripe of a window, or a grant of a limiter, holds its lock for a nanosecond or two, and the lock
     * is most of what it costs. So it is acquired by one compare-and-set and released by a release store; the locks of
     * the JDK need a second atomic instruction to release. Such a release wakes no thread, so the one that waits for it
     * has to poll. Therefore only one thread polls: the one that holds the monitor of the lock. Every other one blocks
     * on that monitor, which costs no processor time for any number of threads. A thread that has held the lock for
     * long wakes the poller; after a short call, that would take longer than the call.
     *
     * The poller waits until the lock is free, leaves the monitor, and only then acquires the lock. To leave a monitor
     * wakes the next thread that blocks on it, and that one often takes the processor of the one that has left: if it
     * had the lock, all others would wait until it runs again.
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

    /** The lock is held by the only kind of call there is; a subclass may have others, by other numbers. */
    public static final int ALONE = 1;

    /**
     * The rounds of a spin, about a µs: long enough for some short calls, and not so long that the spins of many threads
     * are among the slowest calls. None where nothing else runs meanwhile.
     */
    private static final int SPIN = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 32;

    private static final long SHORTEST_PAUSE = 1_000;
    private static final long LONGEST_PAUSE = 1_000_000;

    static {
        LockSupport.unpark(null); // initialize it: where the stack or memory is short, that fails, and then for ever
    }

    /** The thread that polls and is parked, or about to be. */
    private volatile @Nullable Thread parked;

    /** Creates a lock that is free. */
    protected PolledLock() {}

    /**
     * Returns the access to the volatile {@code int holder} of a subclass, {@link #FREE} if no thread holds the lock.
     * For its initializer: where the stack or memory is too short for that, it fails, and then for ever.
     */
    protected static VarHandle holderOf(MethodHandles.Lookup lookup) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), "holder", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Acquires the lock if it is free, {@code as} a kind of call; returns whether it did. May fail spuriously. */
    public abstract boolean tryLock(int as);

    /** Releases the lock. */
    public abstract void unlock();

    /** Returns which kind of call holds the lock, or {@link #FREE}. */
    protected abstract int holder();

    /** Acquires the lock, {@code as} a kind of call. */
    public final void lock(int as) {
        if (parked == null && tryLockSpinning(as)) { // if one is parked, the lock holder takes long or does not run
            return;
        }
        do {
            synchronized (this) {
                pollUntilFree();
            }
        } while (!tryLock(as)); // no call after this: it could fail, with the lock held
    }

    private boolean tryLockSpinning(int as) {
        spin();
        return holder() == FREE && tryLock(as);
    }

    /** Waits until the lock is free; the caller is the only thread that polls. */
    private void pollUntilFree() {
        if (holder() == FREE) { // at once: others block on the monitor meanwhile
            return;
        }
        parked = Thread.currentThread();
        try {
            parkUntilFree();
        } finally {
            parked = null;
        }
    }

    /** Waits until the lock is free. An interrupt is put off until then, since an interrupted thread would not park. */
    private void parkUntilFree() {
        boolean interrupted = false;
        try {
            for (long pause = SHORTEST_PAUSE; holder() != FREE; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, pause);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Spins for about a microsecond, without reading the lock: the lock holder, and the call after it, would wait for
     * the cache line, and two threads that read it would pass the lock to each other at each call.
     */
    private static void spin() {
        for (int i = 0; i < SPIN; i++) {
            Thread.onSpinWait();
        }
    }

    /** Wakes the thread that polls, if it is parked. */
    public final void wake() {
        Thread waiting = parked;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }
}
