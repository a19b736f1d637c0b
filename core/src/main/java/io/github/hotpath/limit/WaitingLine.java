package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** Those that wait for a {@link BlockingLimiter}, in the order of their arrival. Thread-safe. */
final class WaitingLine {
    /*
     * The monitor is held for a few stores, without a call: so neither a StackOverflowError nor an OutOfMemoryError can
     * be thrown in between, and no thread parks while it holds it. The first in line is woken with no lock held, since
     * that may call a scheduler. If it has left by then, it has woken the next one itself.
     */

    private volatile @Nullable Waiter first;
    private @Nullable Waiter last;
    private volatile int size;

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    boolean isFirst(Waiter waiter) {
        return first == waiter;
    }

    /** Adds {@code waiter} behind all others. */
    synchronized void join(Waiter waiter) {
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
    }

    /** Removes {@code waiter}, if it is still in line, and wakes the next one if it was the first. */
    void leave(Waiter waiter) {
        if (remove(waiter)) {
            wakeFirst();
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

    /** Wakes the first in line. One that cannot be woken leaves, and fails when the next one has been woken. */
    void wakeFirst() {
        Waiter failed = null;
        for (Waiter waiter = first; waiter != null; waiter = first) {
            if (waiter.wake()) {
                break;
            }
            if (remove(waiter)) {
                waiter.behind = failed;
                failed = waiter;
            }
        }
        while (failed != null) {
            Waiter next = failed.behind;
            failed.behind = null;
            failed.fail();
            failed = next;
        }
    }

    /** Removes the first in line if nothing will serve it any more; so it does not block the others. */
    void removeDead() {
        Waiter waiter = first;
        if (waiter != null && waiter.isDead()) {
            wakeFirst();
        }
    }
}
