package io.github.hotpath.limit;

import io.github.hotpath.internal.PolledLock;
import java.util.Arrays;
import java.util.Comparator;

/** A call on one gate or on several, with the locks of all held: it changes all of them, or none. */
abstract class Transaction {
    /*
     *   look up  ->  lock all  ->  decide  ->  retract  ->  current?  ->  change, publish  ->  unlock all  ->  rotate
     *      ^                                                   | no
     *      +---------------------------------------------------+
     *
     * A key without entry gets one, unless the call only reads: then it has an entry that only this call knows.
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

    /** Change nothing. So does every other result above 0. */
    static final long NO_CHANGE = 1;

    private static final Comparator<Gate> BY_NUMBER = Comparator.comparingLong(gate -> gate.number);

    /** Decides whether to change the gates, which are locked: {@link #CHANGE}, or any other result not negative. */
    abstract long decide(Gate[] gates, long nanos, int permits);

    /** Changes the gates, each of which publishes that. */
    void change(Gate[] gates, long nanos, int permits) {}

    /** Called with the locks held when the gates have been changed, or are not to be. */
    void conclude(Gate[] gates, long nanos, int permits) {}

    /** Returns whether it is known without a lock that the call changes nothing, whatever its result. */
    boolean isRefused(Gate gate, long nanos) {
        return false;
    }

    /** Returns whether a key without entry gets none. */
    boolean onlyReads() {
        return false;
    }

    /** Makes the call, and returns the result of {@link #decide}. */
    final long run(Member[] members, long nanos, int permits) {
        if (!(members instanceof Gate[] gates)) {
            return runWithKeys(members, nanos, permits);
        }
        for (Gate gate : gates) {
            if (isRefused(gate, nanos)) {
                return NO_CHANGE;
            }
        }
        return runOnce(gates, nanos, permits);
    }

    private long runWithKeys(Member[] members, long nanos, int permits) {
        long result;
        do {
            Gate[] gates = new Gate[members.length];
            for (int i = 0; i < gates.length; i++) {
                Gate gate = members[i].find();
                if (gate != null) {
                    gates[i] = gate;
                    if (isRefused(gate, nanos)) {
                        return NO_CHANGE;
                    }
                }
            }
            for (int i = 0; i < gates.length; i++) {
                if (gates[i] == null) {
                    gates[i] = members[i].findOrMake(onlyReads());
                }
            }
            try {
                result = runOnce(gates, nanos, permits);
            } finally {
                for (int i = 0; !onlyReads() && i < gates.length; i++) {
                    gates[i].rotate(nanos);
                }
            }
        } while (result == Gate.AGAIN);
        return result;
    }

    /** Makes the call on gates that are known, each once; returns {@link Gate#AGAIN} if one of them is not current. */
    final long runOnce(Gate[] gates, long nanos, int permits) {
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
            long result = runLocked(gates, nanos, permits);
            while (held > 0) {
                held--;
                order[held].log.unlock();
            }
            return result;
        } catch (Throwable e) {
            for (int i = 0; i < held; i++) { // stores alone: after a stack overflow a call could overflow again
                order[i].log.holder = PolledLock.FREE;
            }
            throw e;
        }
    }

    private long runLocked(Gate[] gates, long nanos, int permits) {
        long result = decide(gates, nanos, permits);
        boolean retracts = result == CHANGE && gates.length > 1;
        for (int i = 0; retracts && i < gates.length; i++) {
            gates[i].retract();
        }
        for (Gate gate : gates) {
            if (!gate.isCurrent()) {
                for (int i = 0; retracts && i < gates.length; i++) {
                    gates[i].publish();
                }
                return Gate.AGAIN;
            }
        }
        if (result == CHANGE) {
            change(gates, nanos, permits);
        }
        conclude(gates, nanos, permits);
        return result;
    }
}
