package io.github.hotpath.limit;

import io.github.hotpath.internal.PolledLock;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A call on one gate or on several, with the locks of all held: it changes all of them, or none. */
abstract class Transaction<R> {
    /*
     *   look up  ->  lock all  ->  decide  ->  retract  ->  current?  ->  change, publish  ->  unlock all  ->  rotate
     *      ^                                                   | no
     *      +---------------------------------------------------+
     *
     * JointLimiter.run looks up the gates, and begins again if one of them is no longer in use.
     *
     * Most often all locks are free: then they are acquired without waiting, in the order in which the members were
     * named. Otherwise they are acquired in the order of the gates' numbers, so that threads do not wait for each other
     * in a circle.
     *
     * Several gates publish in two steps: first every gate takes back what it has published, then each changes and
     * publishes anew. Otherwise a thread could be refused by one gate as it is after the call, and then by another one
     * as it was before. For the same reason they have to be current after the first step.
     */

    /** Change the gates. Also the delay of a request that is granted. */
    static final long CHANGE = 0;

    /** Change nothing. So does every other decision but 0. */
    static final long NO_CHANGE = 1;

    private static final Comparator<Gate> BY_NUMBER = Comparator.comparingLong(gate -> gate.number);

    /** Decides whether to change the gates, which are locked, unless the call only reads: {@link #CHANGE}, or not. */
    abstract long decide(Gate[] gates, long nanos, int permits);

    /** Changes the gates, each of which publishes that. */
    void change(Gate[] gates, long nanos, int permits) {}

    /** Returns the result, with the locks held, when the gates have been changed, or are not to be. */
    abstract R result(Gate[] gates, long nanos, int permits, long decided);

    /** Returns the result if it is known without a lock, by one of the gates, and nothing is to be changed. */
    @Nullable
    R knownResult(Gate gate, long nanos) {
        return null;
    }

    /** Returns whether the call changes nothing, and a key without entry gets none. */
    boolean onlyReads() {
        return false;
    }

    /** Makes the call on gates that are known, each once; returns null if one of them is not current. */
    @Nullable
    final R runOnce(Gate[] gates, long nanos, int permits) {
        Gate[] order = gates;
        int held = 0;
        try {
            while (held < order.length && order[held].log.tryLock()) {
                held++;
            }
            if (held < order.length) {
                while (held > 0) {
                    held--;
                    order[held].log.holder = PolledLock.FREE;
                }
                order = gates.clone();
                Arrays.sort(order, BY_NUMBER);
                while (held < order.length) {
                    SlidingLog log = order[held].log;
                    if (!log.tryLock()) {
                        log.lock();
                    }
                    held++;
                }
            }
            R result = runLocked(gates, nanos, permits);
            while (held > 0) {
                order[held - 1].log.unlock(); // a call, which may fail: the lock counts as held until it has returned
                held--;
            }
            return result;
        } catch (Throwable e) {
            for (int i = 0; i < held; i++) { // stores alone: after a stack overflow a call could overflow again
                order[i].log.holder = PolledLock.FREE;
            }
            throw e;
        }
    }

    private @Nullable R runLocked(Gate[] gates, long nanos, int permits) {
        long decided = decide(gates, nanos, permits);
        boolean changes = decided == CHANGE && !onlyReads();
        boolean retracts = changes && gates.length > 1;
        for (int i = 0; retracts && i < gates.length; i++) {
            gates[i].retract();
        }
        for (Gate gate : gates) {
            if (!gate.isCurrent()) {
                for (int i = 0; retracts && i < gates.length; i++) {
                    gates[i].publish();
                }
                return null;
            }
        }
        if (changes) {
            change(gates, nanos, permits);
        }
        return result(gates, nanos, permits, decided);
    }
}
