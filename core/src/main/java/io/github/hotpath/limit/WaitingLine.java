package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** Those that wait for a {@link BlockingLimiter}, in the order of their arrival. Thread-safe. */
final class WaitingLine {
    /*
     * The monitor is held for a few stores, without a call: so neither a StackOverflowError nor an OutOfMemoryError can
     * be thrown in between, and no thread parks while it holds it. The first in line is woken with no lock held, since
     * that may call a scheduler. If it has left by then, it has woken the next one itself.
     */

    /** For a line that is not bounded. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    final int maxWaiting;
    private volatile @Nullable Waiter first;
    private @Nullable Waiter last;
    private volatile int size;

    /** Those that have left and could not be told why, by {@link Waiter#behind}. */
    private volatile @Nullable Waiter untold;

    WaitingLine(int maxWaiting) {
        this.maxWaiting = maxWaiting;
    }

    /** One of those that wait. */
    abstract static class Waiter {
        /** The neighbours in line. Written by the line alone. */
        private @Nullable Waiter before;

        private @Nullable Waiter behind;

        /** Whether this is in line. Written by the line alone. */
        volatile boolean isInLine;

        /** Why this fails. Set before it is told. */
        @Nullable
        Throwable rejection;

        /**
         * Called when this is the first in line and has to ask the limiter, perhaps again; also when it has just left.
         * No lock is held. What it throws, unless it is an error of the JVM, ends the wait.
         *
         * @return whether it still waits
         */
        abstract boolean wake();

        /** Called when this has left, with the rejection; once more if it throws an error. No lock is held. */
        void fail() {}

        /** Returns whether this waits no more, and is about to leave. */
        boolean isDone() {
            return false;
        }

        /** Returns whether this, the first in line, will not ask the limiter unless it is woken. */
        boolean isStranded() {
            return false;
        }
    }

    /** The current thread, which waits in line. */
    static final class ThreadWaiter extends Waiter {
        private final Thread thread = Thread.currentThread();
        private final Parking parking;

        /** Whether this has been woken; the thread takes it back before it looks. */
        volatile boolean isWoken;

        ThreadWaiter(Parking parking) {
            this.parking = parking;
        }

        @Override
        boolean wake() {
            isWoken = true;
            parking.unpark(thread);
            return true;
        }
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        Waiter before;
        int counted;
        do {
            before = first;
            counted = size;
        } while (before != first); // so it is one of those counted
        return before != null && before.isDone() ? counted - 1 : counted;
    }

    boolean isFirst(Waiter waiter) {
        return first == waiter;
    }

    /** Adds {@code waiter} behind all others, unless the line is full; returns whether it was added. */
    synchronized boolean join(Waiter waiter) {
        if (size >= maxWaiting) {
            return false;
        }
        Waiter before = last;
        waiter.before = before;
        if (before == null) {
            first = waiter;
        } else {
            before.behind = waiter;
        }
        last = waiter;
        size = size + 1;
        waiter.isInLine = true;
        return true;
    }

    /** Removes {@code waiter}, if it is still in line, and wakes the next one if it was the first. */
    void leave(Waiter waiter) {
        if (remove(waiter)) {
            wakeFirst();
        }
    }

    /**
     * Removes {@code waiter}, the first in line, and fails it when the next one has been woken. If it has left, whoever
     * removed it has completed it, or is about to.
     */
    void end(Waiter waiter, Throwable reason) {
        if (remove(waiter)) {
            waiter.rejection = reason;
            try {
                wakeFirst();
            } finally {
                failAll(waiter);
            }
        }
    }

    /** Removes {@code waiter}, if it is still in line; returns whether it was the first. */
    private synchronized boolean remove(Waiter waiter) {
        if (!waiter.isInLine) {
            return false;
        }
        Waiter before = waiter.before;
        Waiter behind = waiter.behind;
        if (behind == null) {
            last = before;
        } else {
            behind.before = before;
        }
        if (before == null) {
            first = behind;
        } else {
            before.behind = behind;
        }
        waiter.before = null;
        waiter.behind = null;
        size = size - 1;
        waiter.isInLine = false;
        return before == null;
    }

    /**
     * Wakes the first in line. Those that cannot be woken leave, and fail when the next one has been woken, as do those
     * that could not be told before.
     */
    void wakeFirst() {
        Waiter before = untold == null ? null : takeUntold();
        Waiter failed = null;
        Waiter lastFailed = null;
        try {
            for (Waiter waiter = first; waiter != null && !isAwake(waiter); waiter = first) {
                if (remove(waiter) && waiter.rejection != null) {
                    if (lastFailed == null) {
                        failed = waiter;
                    } else {
                        lastFailed.behind = waiter;
                    }
                    lastFailed = waiter;
                }
            }
        } finally {
            try {
                failAll(failed);
            } finally {
                failAll(before);
            }
        }
    }

    /**
     * Wakes {@code waiter}; returns whether it will ask. An error of the JVM is the trouble of the thread that wakes,
     * and no reason to fail another one's request: it is thrown, and another thread in line is to try again.
     */
    private boolean isAwake(Waiter waiter) {
        try {
            return waiter.wake();
        } catch (VirtualMachineError e) {
            Waiter other = firstOtherThread();
            if (other != null) {
                other.wake();
            }
            throw e;
        } catch (Throwable e) {
            waiter.rejection = e;
            return false;
        }
    }

    private @Nullable Waiter firstOtherThread() {
        Thread current = Thread.currentThread();
        synchronized (this) {
            Waiter waiter = first;
            while (waiter != null && !(waiter instanceof ThreadWaiter other && other.thread != current)) {
                waiter = waiter.behind;
            }
            return waiter;
        }
    }

    /**
     * Fails those from {@code failed} on, which this thread has removed, in the order of the line: all of them, also if
     * an error comes in between. Those whom it kept from being told are told with the next call.
     */
    private void failAll(@Nullable Waiter failed) {
        Error error = null;
        while (failed != null) {
            Waiter next = failed.behind;
            failed.behind = null;
            try {
                failed.fail();
            } catch (Error e) {
                error = e;
                if (!failed.isDone()) {
                    addUntold(failed);
                }
            }
            failed = next;
        }
        if (error != null) {
            throw error;
        }
    }

    private synchronized void addUntold(Waiter waiter) {
        waiter.behind = untold;
        untold = waiter;
    }

    private synchronized @Nullable Waiter takeUntold() {
        Waiter taken = untold;
        untold = null;
        return taken;
    }

    /** Wakes the first in line if it would not ask otherwise; if it is done, it leaves. */
    void wakeStranded() {
        Waiter waiter = first;
        if (untold != null || waiter != null && (waiter.isDone() || waiter.isStranded())) {
            wakeFirst();
        }
    }
}
