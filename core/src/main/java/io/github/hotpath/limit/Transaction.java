package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.PolledLock;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A call on one gate or on several, with the locks of all held: it changes all of them, or none. */
abstract class Transaction<R> {
    /*
     *   look up  ->  lock all  ->  decide  ->  retract  ->  current?  ->  change, settle  ->  unlock all  ->  rotate
     *      ^                                                   | no
     *      +---------------------------------------------------+
     *
     * Locks are acquired in the order in which the members were named. For the first one a thread waits, since it holds
     * none yet: threads that name the same members in the same order wait there, and seldom for another one. If another
     * one is held, all are released, and acquired in the order of the gates' numbers, so that threads do not wait for
     * each other in a circle.
     *
     * Several gates publish in two steps: first each takes back what it has published, then each changes and publishes
     * anew. Otherwise a thread could be refused by one gate as it is after the call, and then by another one as it was
     * before. For the same reason they have to be current after the first step.
     */

    private static final Comparator<Gate> BY_NUMBER = Comparator.comparingLong(gate -> gate.number);

    /** Decides whether to change the gates, which are locked. */
    abstract boolean decide(Gate[] gates, long nanos, int permits);

    /** Changes one of the gates, whose log then settles. */
    void change(Gate gate, int index, long nanos, int permits) {}

    /** Returns the result, with the locks held, when the gates have been changed, or are not to be. */
    abstract R result(Gate[] gates, long nanos, int permits, boolean isChanged);

    /** Returns the result if it is known without a lock, by one of the gates, and nothing is to be changed. */
    @Nullable
    R knownResult(Gate gate, long nanos, int permits) {
        return null;
    }

    /** Returns whether the call changes nothing, and a key without entry gets none. */
    boolean onlyReads() {
        return false;
    }

    /** Makes the call on members, each once. A key without entry gets one, unless the call only reads. */
    final R run(Member[] members, long nanos, int permits) {
        R result;
        do {
            Gate[] gates = new Gate[members.length];
            for (int i = 0; i < gates.length; i++) {
                Gate gate = members[i].find();
                R known = gate == null ? null : knownResult(gate, nanos, permits);
                if (known != null) {
                    return known;
                }
                if (gate != null) {
                    gates[i] = gate;
                }
            }
            try {
                for (int i = 0; i < gates.length; i++) {
                    if (gates[i] == null) {
                        gates[i] = members[i].make(onlyReads());
                    }
                }
                result = runOnce(gates, nanos, permits);
            } finally { // also if the limits of another key are not found: what was added is examined
                for (int i = 0; !onlyReads() && i < gates.length; i++) {
                    if (gates[i] != null) {
                        gates[i].rotate(nanos);
                    }
                }
            }
        } while (result == null);
        return result;
    }

    /** Makes the call on single limiters, each once: these are always current. */
    final R runOnGates(Gate[] gates, long nanos, int permits) {
        for (Gate gate : gates) {
            R known = knownResult(gate, nanos, permits);
            if (known != null) {
                return known;
            }
        }
        return requireNonNull(runOnce(gates, nanos, permits));
    }

    /** Makes the call on gates that are known, each once; returns null if one of them is not current. */
    @Nullable
    final R runOnce(Gate[] gates, long nanos, int permits) {
        Gate[] order = gates;
        int held = 0;
        try {
            while (held < order.length) {
                SlidingLog log = order[held].log;
                if (!log.tryLock()) {
                    if (held > 0 && order == gates) {
                        while (held > 0) {
                            held--;
                            order[held].log.holder = PolledLock.FREE;
                        }
                        order = gates.clone();
                        Arrays.sort(order, BY_NUMBER);
                        continue;
                    }
                    log.lock();
                }
                held++;
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
        boolean isChanging = decide(gates, nanos, permits);
        boolean retracts = isChanging && gates.length > 1;
        for (int i = 0; retracts && i < gates.length; i++) {
            gates[i].log.retract();
        }
        for (Gate gate : gates) {
            if (!gate.isCurrent()) {
                for (int i = 0; retracts && i < gates.length; i++) {
                    gates[i].log.settle(); // what is published also decides the requests with the lock
                }
                return null;
            }
        }
        for (int i = 0; isChanging && i < gates.length; i++) {
            change(gates[i], i, nanos, permits);
        }
        return result(gates, nanos, permits, isChanging);
    }

    /** A call whose result is whether it has changed anything. */
    abstract static class Plain extends Transaction<Boolean> {
        @Override
        final Boolean result(Gate[] gates, long nanos, int permits, boolean isChanged) {
            return isChanged;
        }
    }
}
