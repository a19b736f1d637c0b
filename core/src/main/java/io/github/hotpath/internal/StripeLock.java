package io.github.hotpath.internal;

import org.jspecify.annotations.Nullable;

/**
 * The lock of one of several stripes, for calls that lock one and calls that lock all. To lock all, lock the first one
 * with {@link #lockFirst} and then the others with {@link #lockAfterFirst}.
 */
public abstract class StripeLock extends PolledLock {
    /** Of the first lock: whether a thread waits that has been overtaken for long by calls that lock all stripes. */
    private volatile boolean overdue;

    /**
     * Of the first lock: an object that the call that holds all locks uses. HotSpot does not replace an object by its
     * fields that is assigned to a field anywhere, for however long: see docs/design.md.
     */
    public @Nullable Object escape;

    /** Creates a lock that is free. */
    protected StripeLock() {}

    /** Acquires this lock, the first of all, without overtaking a thread that has waited for long. */
    public final void lockFirst() {
        if (overdue || !tryLock(ALL)) {
            lock(ALL, this);
            overdue = false; // the thread that waited has its lock
        }
    }

    /** Acquires this lock together with the first one, which is held: waits for at most one short call. */
    public final void lockAfterFirst() {
        if (!tryLock(ALL)) {
            poll(ALL, this);
        }
    }

    /** Releases this lock, which is held together with all others. */
    public final void unlockAfterAll() {
        if (holder() != ALL) {
            throw new IllegalMonitorStateException("a lock that was released, or never acquired: " + holder());
        }
        unlock();
    }

    @Override
    final void setOverdue() {
        overdue = true;
    }
}
