package io.github.hotpath.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
     * has to poll. Therefore only one thread polls: the one that began to wait first. Every other one is parked, which
     * costs no processor time for any number of threads. When the lock is free, the poller lets the next one poll, and
     * only then acquires the lock: to wake a thread often costs the one that wakes it its processor, and with the lock in
     * its hands all others would wait until it runs again. A thread that has held a stripe's lock for long wakes all;
     * after a short call, that would take longer than the call.
     *
     * Where there are more threads than processors, each in turn first waits for a processor. So a platform thread that
     * has waited for a millisecond for each that waits wakes all others, and they wait for that at once. If that was
     * sooner, or always so, they would too often meet a lock holder that has lost its processor, all of them. Virtual
     * threads are many for each processor, none loses it to another, and to wake one takes no system call; but to end a
     * timed park takes a thread of the JVM, which has to wait for a processor itself. So one that polls yields, and then
     * wakes all.
     *
     * A StackOverflowError can be thrown at every call, also in a finally block that releases a lock. Therefore who has
     * the lock is a volatile field that its users see: an exception handler releases by assigning it, without a call.
     * A thread that throws an error while it waits stays in the list, and lets no other one poll. So one that has waited
     * for LONG drops the list, whoever is in it.
     *
     * That field is of the subclass, because HotSpot places the fields of a superclass first: so a subclass decides
     * where in the object it is, which matters for what shares its cache line.
     */

    /** The lock is free. */
    public static final int FREE = 0;

    /** The lock is held. A subclass that tells kinds of calls apart has further numbers. */
    public static final int HELD = 1;

    /**
     * The rounds of a spin, about a µs: long enough for some short calls, and not so long that the spins of many threads
     * are among the slowest calls. None where nothing else runs meanwhile.
     */
    private static final int SPIN = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 32;

    private static final long SHORTEST_PAUSE = 1_000;
    private static final long LONGEST_PAUSE = 1_000_000;

    /** The poller wakes all if it has waited for so long for each that waits. */
    private static final long SHARE = 1_000_000;

    /** How long another one waits until it looks for itself, and wakes all; then it looks after each tenth of that. */
    private static final long LONG = 150_000_000;

    /** How often a virtual thread that polls yields before it pauses: some hundred microseconds. */
    private static final int YIELDS = 1_000;

    private static final VarHandle WAITING = field(MethodHandles.lookup(), PolledLock.class, "waiting", Waiter.class);

    /** {@code Thread.isVirtual}, if this JDK has virtual threads. */
    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    static {
        new Waiter(); // initialize what waits: where the stack or memory is short, that fails, and then for ever
        LockSupport.unpark(null);
    }

    /** The thread that began to wait last, and through it those before it; the first one polls. */
    private volatile @Nullable Waiter waiting;

    /** Creates a lock that is free. */
    protected PolledLock() {}

    /**
     * Returns the access to the volatile {@code int holder} of a subclass, {@link #FREE} if no thread holds the lock.
     * For its initializer: where the stack or memory is too short for that, it fails, and then for ever.
     */
    protected static VarHandle holderOf(MethodHandles.Lookup lookup) {
        return field(lookup, lookup.lookupClass(), "holder", int.class);
    }

    private static VarHandle field(MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(owner, name, type);
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

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Acquires the lock, {@code as} a kind of call. */
    public final void lock(int as) {
        if (waiting == null && tryLockSpinning(as)) { // if one waits, the lock holder takes long or does not run
            return;
        }
        long since = System.nanoTime();
        do {
            awaitFree(since);
        } while (!tryLock(as)); // no call after this: it could fail, with the lock held
    }

    private boolean tryLockSpinning(int as) {
        spin();
        return holder() == FREE && tryLock(as);
    }

    /** Waits until the lock is free, or has been: the caller has waited {@code since} then. */
    private void awaitFree(long since) {
        Waiter waiter = new Waiter();
        Waiter last;
        do {
            last = waiting;
            waiter.before = last;
            waiter.number = last == null ? 0 : last.number + 1;
        } while (!WAITING.compareAndSet(this, last, waiter));
        if (last == null) {
            waiter.polls = true;
        }
        awaitFree(waiter, since);
    }

    /** An interrupt is put off until the lock is free, since an interrupted thread would not park. */
    private void awaitFree(Waiter waiter, long since) {
        boolean interrupted = false;
        try {
            while (!waiter.isWoken) {
                if (holder() == FREE) {
                    if (waiter.polls && WAITING.compareAndSet(this, waiter, (Waiter) null)) {
                        return; // no other one waits
                    }
                    if (mayWakeAll(waiter, since)) {
                        wake();
                        return;
                    }
                    if (waiter.polls) {
                        passOn(waiter);
                        return;
                    }
                }
                interrupted |= Thread.interrupted();
                waiter.pause(this, since);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether one that finds the lock free is to wake all others: see above. */
    private boolean mayWakeAll(Waiter waiter, long since) {
        Waiter last = waiting;
        if (last == null || waiter.polls && waiter.isVirtual) {
            return true;
        }
        return System.nanoTime() - since >= (waiter.polls ? SHARE * (last.number - waiter.number) : LONG);
    }

    /** Lets the one that began to wait after {@code poller} poll. */
    private void passOn(Waiter poller) {
        Waiter last = waiting;
        if (poller.after == null && last != null) {
            linkFromFirst(last);
        }
        Waiter next = poller.after; // none if all have been woken meanwhile
        if (next != null) {
            next.before = null; // this one is no longer in the list
            next.polls = true;
            LockSupport.unpark(next.thread);
        }
    }

    /** Wakes all that wait, in the order in which they began to. */
    public final void wake() {
        Waiter last = waiting == null ? null : (Waiter) WAITING.getAndSet(this, (Waiter) null);
        for (Waiter waiter = last == null ? null : linkFromFirst(last); waiter != null; waiter = waiter.after) {
            waiter.isWoken = true;
            LockSupport.unpark(waiter.thread);
        }
    }

    /** Links each waiter to the one after it, and returns the first one. */
    private static Waiter linkFromFirst(Waiter last) {
        Waiter waiter = last;
        for (Waiter before = waiter.before; before != null; before = waiter.before) {
            before.after = waiter;
            waiter = before;
        }
        return waiter;
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

    /** A thread while it waits. It may be woken when it waits no more, which does no harm. */
    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        final boolean isVirtual = isVirtual(thread);

        /** The one that began to wait before this one; null if this is the first. */
        @Nullable
        Waiter before;

        /** The one that began to wait after this one, once the first one has looked who did. */
        @Nullable
        Waiter after;

        /** One more than that of the one before. */
        int number;

        /** Whether this is the first one. */
        volatile boolean polls;

        /** Whether this is no longer in the list. */
        volatile boolean isWoken;

        private int yields;
        private long pause = SHORTEST_PAUSE;

        private static boolean isVirtual(Thread thread) {
            try {
                return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
            } catch (Throwable e) {
                return false; // such as a stack overflow: it may wait in either way
            }
        }

        /** Waits for a while: until the next poll, or until it is its turn to poll. */
        @SuppressWarnings("ThreadPriorityCheck") // virtual threads alone: all others run first
        void pause(PolledLock lock, long since) {
            if (!polls) {
                LockSupport.parkNanos(lock, Math.max(LONG - (System.nanoTime() - since), LONG / 10));
            } else if (isVirtual && yields < YIELDS) {
                yields++;
                Thread.yield();
            } else {
                LockSupport.parkNanos(lock, pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
        }
    }
}
