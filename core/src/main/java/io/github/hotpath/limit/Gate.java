package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A log, and what is published of it, so that requests that must fail are refused without its lock. This is what a
 * {@link SlidingWindowLimiter} is, and the entry of a key.
 */
abstract class Gate {
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
     */

    /** The result of a call on the entry of a key that is no longer in the map: nothing has been decided. */
    static final long AGAIN = -1;

    /** Requests may be granted. */
    static final int OPEN = 0;

    /** Requests before {@link #closedBefore} are refused. */
    static final int CLOSED = 1;

    /** Every request is refused: a single permit is never granted. */
    static final int CLOSED_FOR_EVER = 2;

    private static final AtomicLong CREATED = new AtomicLong();

    /** Threads that need several locks acquire them in the order of these numbers. */
    final long number = CREATED.getAndIncrement();

    /** Its own lock, which guards it. */
    final SlidingLog log;

    /** One of the states above. Written with the lock held. */
    volatile int state;

    /** The slot of a single permit, if the state is {@link #CLOSED}. Written before the state, read after it. */
    volatile long closedBefore;

    Gate(SlidingLog log) {
        this.log = log;
        publish(); // what was read, or a limit of 0, may refuse
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

    /** Called without the lock after a call: an entry that may have been idle lets others be examined. */
    void rotate(long nanos) {}

    /** Returns whether it is known without the lock that any request at {@code nanos} is refused. */
    final boolean refuses(long nanos) {
        int seen = state;
        return seen == CLOSED ? nanos - closedBefore < 0 : seen == CLOSED_FOR_EVER;
    }

    /** Returns the delay of a request if it is known without the lock, otherwise 0. */
    final long knownDelay(long nanos, int permits) {
        int seen = state;
        if (seen == CLOSED && permits == 1) {
            long ahead = nanos - closedBefore;
            return ahead < 0 ? (ahead == Long.MIN_VALUE ? Long.MAX_VALUE : -ahead) : 0;
        }
        return seen == CLOSED_FOR_EVER ? Long.MAX_VALUE : 0;
    }

    /** Acquires permits and returns 0; or returns the delay until an attempt succeeds, or {@link #AGAIN}. */
    final long acquire(long nanos, int permits) {
        SlidingLog log = this.log;
        if (!log.tryLock()) {
            log.lock();
        }
        try {
            long delay = isCurrent() ? acquireLocked(nanos, permits) : AGAIN;
            log.unlock();
            return delay;
        } catch (Throwable e) {
            log.holder = PolledLock.FREE;
            throw e;
        }
    }

    /** The same with the lock held, for a gate that is current. */
    final long acquireLocked(long nanos, int permits) {
        if (log.isFarFromLimits(nanos, permits)) {
            log.grantFarFromLimits(nanos, permits); // and so there is nothing to publish
            return 0;
        }
        long time = log.evaluatedAt(nanos);
        long wait = log.waitFor(permits, time);
        if (wait == 0) {
            publish(log.grant(time, time, permits));
        }
        return log.delay(nanos, time, wait);
    }

    /** Returns the delay until the permits can be acquired; 0 if at once. */
    final long delay(long nanos, int permits) {
        if (log.isFarFromLimits(nanos, permits)) {
            return 0;
        }
        long time = log.evaluatedAt(nanos);
        return log.delay(nanos, time, log.waitFor(permits, time));
    }

    /** Makes {@code time} the latest time, and grants permits at a slot. */
    final void grant(long time, long slot, int permits) {
        publish(log.grant(time, slot, permits));
    }

    /** Takes back what has been published, before the log changes: until it is published again, requests wait. */
    final void retract() {
        if (state != OPEN) {
            state = OPEN;
        }
    }

    /** Publishes until when a single permit is refused. */
    final void publish() {
        publish(log.waitForOne());
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

    /** Returns what {@code call} returns of the log, with its lock held, and publishes what it has changed. */
    final <T extends @Nullable Object> T locked(Function<SlidingLog, T> call) {
        SlidingLog log = this.log;
        if (!log.tryLock()) {
            log.lock();
        }
        try {
            return callAndPublish(call);
        } finally {
            log.holder = PolledLock.FREE;
        }
    }

    /** Does the same if the lock is free; otherwise returns false. */
    final boolean tryLocked(Function<SlidingLog, Boolean> call) {
        SlidingLog log = this.log;
        if (!log.tryLock()) {
            return false;
        }
        try {
            return callAndPublish(call);
        } finally {
            log.holder = PolledLock.FREE;
        }
    }

    /** Called with the lock held, in a {@code try}: the stack may overflow at this very call. */
    private <T extends @Nullable Object> T callAndPublish(Function<SlidingLog, T> call) {
        T result = call.apply(log);
        if (isCurrent()) {
            publish();
        }
        return result;
    }
}
