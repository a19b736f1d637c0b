package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A log, and the calls on it with its lock held. This is what a {@link SlidingWindowLimiter} is, and the entry of a key. */
abstract class Gate extends Member {
    /*
     * Every access to the log holds its lock. A handler of errors releases it by an assignment, which cannot fail as a
     * call can when the stack overflows: here for a single gate, the way of most calls, and in Transaction for several.
     */

    /** The result of a call on the entry of a key that is no longer in the map: nothing has been decided. */
    static final long AGAIN = -1;

    private static final AtomicLong CREATED = new AtomicLong();

    /** Threads that need several locks acquire them in the order of these numbers. */
    final long number = CREATED.getAndIncrement();

    /** Its own lock, which guards it. */
    final SlidingLog log;

    Gate(SlidingLog log) {
        this.log = log;
    }

    /** Returns a copy of the limits, if they are valid. */
    static List<Limit> checked(List<Limit> limits) {
        List<Limit> copy = Arguments.copyOf(limits, "limits");
        if (copy.size() > SlidingLog.MAX_LIMITS) {
            throw Arguments.rejected("limits", copy.size() + " limits", "at most " + SlidingLog.MAX_LIMITS);
        }
        return copy;
    }

    /** Returns whether requests are decided here at this moment. If the lock is held, the entry of a key stays so. */
    boolean isCurrent() {
        return true;
    }

    @Override
    final Gate find() {
        return this;
    }

    @Override
    final Gate make(boolean onlyReads) {
        return this;
    }

    /** Called without the lock after a call: an entry that may have been idle lets others be examined. */
    void rotate(long nanos) {}

    /** Acquires permits and returns 0; or returns the delay until an attempt succeeds, or {@link #AGAIN}. */
    final long acquire(long nanos, int permits) {
        SlidingLog log = this.log;
        if (!log.tryLock()) {
            log.lock();
        }
        long delay;
        boolean wasIdle;
        try {
            delay = isCurrent() ? log.acquire(nanos, permits) : AGAIN;
            wasIdle = log.wasIdle(); // when the lock is free, another thread may have the cache line
            log.unlock();
        } catch (Throwable e) {
            log.holder = PolledLock.FREE;
            throw e;
        }
        if (wasIdle) {
            rotate(nanos);
        }
        return delay;
    }

    /** Returns what {@code call} returns of the log, with its lock held. */
    final <T extends @Nullable Object> T locked(Function<SlidingLog, T> call) {
        SlidingLog log = this.log;
        if (!log.tryLock()) {
            log.lock();
        }
        try {
            return call.apply(log);
        } finally {
            log.holder = PolledLock.FREE;
        }
    }

    /** Does the same if the lock is free; otherwise returns false. */
    final boolean tryLocked(Predicate<SlidingLog> call) {
        SlidingLog log = this.log;
        if (!log.tryLock()) {
            return false;
        }
        try {
            return call.test(log);
        } finally {
            log.holder = PolledLock.FREE;
        }
    }
}
