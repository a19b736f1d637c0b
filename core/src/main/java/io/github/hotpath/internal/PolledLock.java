package io.github.hotpath.internal;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock for calls of a few nanoseconds: acquired by one compare-and-set, released by a store. Threads that have to wait
 * queue at a lock of the JDK, whose holder polls this one. Not reentrant, not fair.
 */
public abstract class PolledLock {
    /*
     * A record in a stripe, or a grant, holds its lock for some nanoseconds, and the lock is most of what it costs. The
     * locks of the JDK need a second atomic instruction to release. A release by a store wakes no thread, so the one
     * that waits for it has to poll; the others are parked, which costs nothing for any number of threads. The poller
     * parks between two looks, since each look takes the cache line from the holder: two threads that call in a loop
     * would pass the lock, and all that it guards, to each other at each call.
     *
     * Whether the lock is held is a volatile field of the subclass, for two reasons. A StackOverflowError can be thrown
     * at every call, also in a finally block: so a catch block releases by assigning the field, without a call. And
     * HotSpot places the fields of a superclass first, so a subclass decides where in the object it is, which matters
     * for what shares its cache line. The queue is a lock of the JDK, which an overflow may leave held: then those that
     * wait, wait for ever.
     */

    /** The lock is free. */
    public static final int FREE = 0;

    /** The lock is held. */
    public static final int HELD = 1;

    /** The rounds of the spin before the first look, about 100 ns; none where there is one processor. */
    private static final int FIRST_SPINS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 4;

    /**
     * The first of those that wait spins on for some microseconds. A thread that parks sleeps for some 60, and calls
     * for all that was due meanwhile at once: then another one finds the lock held for so long, and would park in turn.
     */
    private static final int LATER_SPINS = 8 * FIRST_SPINS;

    /** How often a thread looks before it queues, and the first one before it parks. */
    private static final int LOOKS = 3;

    /** Only one thread polls, so a short pause costs little; with a longer one, a thread in a loop passes it for long. */
    private static final long SHORTEST_PAUSE_NANOS = 1_000;

    private static final long LONGEST_PAUSE_NANOS = 100_000;

    private static final VarHandle QUEUE = field(MethodHandles.lookup(), "queue", ReentrantLock.class);

    /** Those that wait; null until a thread has to. */
    private volatile @Nullable ReentrantLock queue;

    /** Creates a lock that is free. */
    protected PolledLock() {}

    /** Returns the access to the volatile {@code int holder} of a subclass: {@link #FREE} or {@link #HELD}. */
    protected static VarHandle holderOf(MethodHandles.Lookup lookup) {
        return field(lookup, "holder", int.class);
    }

    /** Returns the access to a field of the class that looks it up. */
    protected static VarHandle field(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Acquires the lock if it is free; returns whether it did. May fail spuriously. */
    public abstract boolean tryLock();

    /** Releases the lock. */
    public abstract void unlock();

    /** Returns whether the lock is held: {@link #FREE} or {@link #HELD}. */
    protected abstract int holder();

    /** Acquires the lock, after {@link #tryLock} has failed. An interrupt does not end the wait, and stays set. */
    public final void lock() {
        // A tryLock() that succeeds must be the last call of this method: a later one could overflow the stack, with
        // the lock held and no handler to release it.
        do {
            awaitFree();
        } while (!tryLock());
    }

    /**
     * Waits until the lock is free, or has been: {@link #tryLock} may fail again. An interrupt is put aside meanwhile.
     * A thread that is interrupted does not park, and a virtual one would never leave its carrier to the lock's holder.
     */
    private void awaitFree() {
        if (isFreeAfter(FIRST_SPINS)) {
            return;
        }
        ReentrantLock queue = queue();
        boolean wasInterrupted = false;
        queue.lock();
        try {
            boolean isFree = isFreeAfter(LATER_SPINS);
            for (long pause = SHORTEST_PAUSE_NANOS; !isFree; pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS)) {
                wasInterrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, pause);
                isFree = holder() == FREE;
            }
        } finally {
            queue.unlock();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Spins, looks, spins twice as long, and so on; returns whether the lock was free. */
    private boolean isFreeAfter(int spins) {
        for (int look = 0; look < LOOKS; look++) {
            for (int i = 0; i < spins << look; i++) {
                Thread.onSpinWait(); // without a look: it would take the cache line from the holder
            }
            if (holder() == FREE) {
                return true;
            }
        }
        return false;
    }

    private ReentrantLock queue() {
        if (queue == null) {
            QUEUE.compareAndSet(this, (ReentrantLock) null, new ReentrantLock());
        }
        return requireNonNull(queue);
    }
}
