package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.Invariants;
import io.github.hotpath.internal.PolledLock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log, and what is published of it, so that requests that must fail are refused without its lock. This is what a
 * {@link SlidingWindowLimiter} is, and the entry of a key.
 */
abstract class Gate extends Member {
    /*
     * Every access to the log holds its lock. A handler of errors releases it by an assignment, which cannot fail as a
     * call can when the stack overflows: here for a single gate, the way of most calls, and in Transaction for several.
     *
     * Requests that must fail are refused without the lock, by two fields: while a limit is exhausted or a slot is
     * pending, a single permit is refused before some time, hence any request. Another field tells whether that time is
     * valid, since no long means "at no time". A writer writes the time first, and a reader reads it last. If it was
     * written after the other field was read, it is that of a call in progress or later, after which the limiter was
     * exhausted until then; otherwise it was valid when the other field was read. Either way there was a moment during
     * the call at which the request had to be refused.
     *
     * HotSpot can replace an object that does not escape by its fields. If memory ends while it leaves such code, and
     * has to create the object after all, it drops the frames without running their handlers, and the lock stays held.
     * So each object that a call makes with the lock held is reachable from a field meanwhile.
     */

    /** Requests may be granted. */
    static final int OPEN = 0;

    /** Requests before {@link #closedBefore} are refused. */
    static final int CLOSED = 1;

    /** Every request is refused: a single permit is never granted. */
    static final int CLOSED_FOR_EVER = 2;

    /** An error was thrown, or a transaction is changing several gates: what has been published may not be right. */
    static final int UNKNOWN = 3;

    /** Nothing has happened yet to this entry of a key, whose limits may not be known. Only transactions use it. */
    static final int FRESH = 4;

    /** This entry of a key has been evicted or removed: the call begins again. */
    static final int RETIRED = 5;

    /** The result of a call on an entry that is fresh or retired: nothing has been decided. */
    static final long NOT_READY = -1;

    /** Its own lock, which guards it. */
    final SlidingLog log;

    /** One of the states above. Written with the lock held. */
    volatile int state;

    /** The slot of a single permit, if the state is {@link #CLOSED}. Written before the state, read after it. */
    private volatile long closedBefore;

    /** The transaction that holds the lock, and with it the objects that it makes. Never read. */
    @Nullable
    Object inUse;

    Gate(SlidingLog log, int state) {
        this.log = log;
        this.state = state;
    }

    /** Returns a copy of the limits, if they are valid. */
    static List<Limit> checked(List<Limit> limits) {
        List<Limit> copy = Arguments.copyOf(limits, "limits");
        if (copy.size() > SlidingLog.MAX_LIMITS) {
            throw Arguments.rejected("limits", copy.size() + " limits", "at most " + SlidingLog.MAX_LIMITS);
        }
        return copy;
    }

    @Override
    final Gate find() {
        return this;
    }

    @Override
    final Gate findOrAdd() {
        return this;
    }

    /** Returns whether requests are decided here at this moment. If the lock is held, the entry of a key stays so. */
    boolean isCurrent() {
        return true;
    }

    /** Called with the lock held before a transaction on a fresh gate. */
    void begin() {}

    /** Returns whether it is known without the lock that any request at {@code nanos} is refused. */
    final boolean refuses(long nanos) {
        int seen = state;
        return seen == CLOSED ? nanos - closedBefore < 0 : seen == CLOSED_FOR_EVER;
    }

    /** Acquires permits and returns 0; or returns the delay until an attempt succeeds, or {@link #NOT_READY}. */
    final long acquireOrDelay(long nanos, int permits) {
        int seen = state;
        if (seen == CLOSED_FOR_EVER) {
            return Long.MAX_VALUE;
        }
        if (seen == CLOSED && permits == 1) {
            long ahead = nanos - closedBefore;
            if (ahead < 0) {
                return ahead == Long.MIN_VALUE ? Long.MAX_VALUE : -ahead;
            }
        }
        return acquire(nanos, permits);
    }

    /** The same with the lock in any case: the short form of a transaction. */
    final long acquire(long nanos, int permits) {
        SlidingLog log = this.log;
        if (!log.tryLock()) {
            log.lock();
        }
        try {
            long delay = 0;
            if (hasHeadroom(nanos, permits)) {
                log.grantWithHeadroom(nanos, permits);
            } else {
                delay = acquireLocked(nanos, permits);
            }
            log.unlock();
            return delay;
        } catch (Throwable e) {
            state = state < FRESH ? UNKNOWN : state; // stores alone: after a stack overflow a call could overflow again
            log.holder = PolledLock.FREE;
            throw e;
        }
    }

    private long acquireLocked(long nanos, int permits) {
        int seen = state;
        if (seen >= FRESH) {
            return NOT_READY;
        }
        long time = log.evaluatedAt(nanos);
        long wait = log.waitFor(permits, time);
        if (wait == 0) {
            publish(log.grant(time, time, permits));
        } else if (seen == UNKNOWN) {
            publish();
        }
        return log.delay(nanos, time, wait);
    }

    /** Returns whether the permits can be acquired by stores alone, after which there is nothing to publish. */
    private boolean hasHeadroom(long nanos, int permits) {
        return state == OPEN && log.hasHeadroom(nanos, permits);
    }

    /** Returns the delay until the permits can be acquired; 0 if at once. */
    final long delay(long nanos, int permits) {
        if (hasHeadroom(nanos, permits)) {
            return 0;
        }
        long time = log.evaluatedAt(nanos);
        return log.delay(nanos, time, log.waitFor(permits, time));
    }

    /** Acquires permits for which the delay is 0. */
    final void acquireAtOnce(long nanos, int permits) {
        if (hasHeadroom(nanos, permits)) {
            log.grantWithHeadroom(nanos, permits);
        } else {
            long time = log.evaluatedAt(nanos);
            grant(time, time, permits);
        }
    }

    /** Makes {@code time} the latest time, and grants permits at a slot. */
    final void grant(long time, long slot, int permits) {
        setUsed();
        publish(log.grant(time, slot, permits));
    }

    /** Makes {@code time} the latest time, and grants nothing for so long. */
    final void closeFor(long time, long wait) {
        setUsed();
        log.closeFor(time, wait);
        publish();
    }

    /** Notes, before the log changes, that something has happened. */
    private void setUsed() {
        if (state == FRESH) {
            state = UNKNOWN;
        }
    }

    final boolean isFresh() {
        return state == FRESH;
    }

    final boolean isRetired() {
        return state == RETIRED;
    }

    /** Retires this entry, for ever. */
    final void retire() {
        state = RETIRED;
    }

    /** Returns whether a call holds the lock at this moment. */
    final boolean isInUse() {
        return log.holder != PolledLock.FREE;
    }

    /** Takes back what has been published, before the log changes: until it is published again, requests wait. */
    final void retract() {
        if (state == CLOSED || state == CLOSED_FOR_EVER) {
            state = UNKNOWN;
        }
    }

    /** Publishes until when a single permit is refused. */
    final void publish() {
        if (state < FRESH) {
            publish(log.waitForOne());
        }
    }

    /** The same if it is known that a single permit can be granted so long after the latest time. */
    private void publish(long wait) {
        int next = wait == 0 ? OPEN : wait < 0 ? CLOSED_FOR_EVER : CLOSED;
        if (next == CLOSED) {
            closedBefore = log.latest() + wait;
        }
        if (next != state) {
            state = next;
        }
    }

    /** Throws if an invariant does not hold. No other thread uses this. For tests. */
    void checkInvariants() {
        log.checkInvariants();
        long wait = log.waitForOne();
        boolean isRight = wait == 0
                ? state == OPEN
                : wait < 0 ? state == CLOSED_FOR_EVER : state == CLOSED && closedBefore == log.latest() + wait;
        Invariants.check(isRight || state >= UNKNOWN, "refuses what it should not, or not what it should");
        Invariants.check(!isInUse(), "a lock that is held");
    }
}
