package io.github.hotpath.limit;

import io.github.hotpath.internal.PolledLock;

/**
 * Acquires permits of several limiters as {@link AcquireCall} does, if all of them are there and their locks are free,
 * which is most often so. Allocates nothing. Of its members, which calls of several threads may share, it changes only
 * {@link Member#wait}, and writes and reads that while it holds the limiters' locks.
 */
final class UncontendedAcquire {
    /** The result if a limiter is not there, or its lock is held: nothing has been decided or changed. */
    static final long UNDECIDED = -1;

    private UncontendedAcquire() {}

    /** Acquires permits and returns 0; or returns the delay until an attempt succeeds, or {@link #UNDECIDED}. */
    static long delayNanos(Member[] members, long nanos, int permits) {
        int held = 0;
        int released = 0;
        try {
            boolean areFree = true;
            boolean areByFar = true;
            while (areFree && held < members.length) {
                SlidingWindowLimiter limiter = members[held].limiter;
                areFree = members[held].isFound() && limiter.log.tryLock(PolledLock.ALONE);
                if (areFree) {
                    held++;
                    areByFar = areByFar && limiter.isAvailableByFar(nanos, permits);
                }
            }
            long delay = UNDECIDED;
            if (areFree) {
                members[0].limiter.inUse = members;
                delay = !JointCall.areCurrent(members) ? UNDECIDED : areByFar ? 0 : acquire(members, nanos, permits);
                members[0].limiter.inUse = null;
            }
            while (released < held) {
                SlidingWindowLimiter limiter = members[released].limiter;
                if (delay == 0 && areByFar) {
                    limiter.log.acquireByFar(nanos, permits); // and there is nothing to publish
                }
                limiter.log.unlock();
                released++;
            }
            for (int i = 0; delay == 0 && i < held; i++) {
                members[i].finish(nanos, false);
            }
            return delay;
        } catch (Throwable e) {
            for (; released < held; released++) { // stores alone: after a stack overflow a call could overflow again
                SlidingWindowLimiter limiter = members[released].limiter;
                limiter.inUse = null;
                limiter.state = limiter.state == SlidingWindowLimiter.RETIRED
                        ? SlidingWindowLimiter.RETIRED
                        : SlidingWindowLimiter.UNKNOWN;
                limiter.log.holder = PolledLock.FREE;
            }
            throw e;
        }
    }

    /** Acquires permits if every limiter, its lock held, grants them at its own time. */
    private static long acquire(Member[] members, long nanos, int permits) {
        long delay = 0;
        for (Member member : members) {
            SlidingLog log = member.limiter.log;
            long time = log.evaluatedAt(nanos);
            delay = Math.max(delay, log.delay(nanos, time, log.waitFor(permits, time)));
        }
        if (delay == 0) {
            for (Member member : members) {
                member.limiter.retract();
            }
            for (Member member : members) {
                SlidingLog log = member.limiter.log;
                long time = log.evaluatedAt(nanos);
                member.wait = log.grant(time, time, permits);
            }
            for (Member member : members) {
                member.limiter.publish(member.wait);
            }
        }
        return delay;
    }
}
