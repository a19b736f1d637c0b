package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.PolledLock;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A call on one gate or on several, with the locks of all held: it changes those that it concerns, or none. */
abstract class Transaction {
    /*
     *   look up  ->  lock all  ->  decide  ->  retract  ->  current?  ->  change, publish  ->  unlock all  ->  finish
     *      ^                                                   | no
     *      +---------------------------------------------------+
     *
     * The gates of keys are looked up, and added where there are none, before any lock is held. If one of them is not
     * current any more when the locks are held, since its key was evicted, removed or cleared, the call begins again.
     *
     * Most often all locks are free: then they are acquired in the order in which the members were named, without
     * waiting. Otherwise they are acquired in the order of the gates' identity hashes, so that threads do not wait for
     * each other in a circle; of the threads that have gates with equal hashes, one at a time acquires locks. Two
     * members can have the same gate if equals of their keys is not symmetric: then its lock is not free for the
     * second, and the gate is found to be there twice.
     *
     * Several gates publish in two steps: first every gate takes back what it has published, then each changes and
     * publishes anew. Otherwise a thread could be refused by one gate as it is after the call, and then by another one
     * as it was before. For the same reason they have to be current after the first step. A single gate replaces what
     * it has published: until then requests are refused as before.
     */

    /** The result of {@link #decide} if the gates are to be changed; of a request, which is granted, also the delay. */
    static final long CHANGE = 0;

    /** A result if they are not, as any other one is. */
    static final long NO_CHANGE = 1;

    /** A gate was not current: nothing was changed, and the call begins again. */
    private static final long AGAIN = -1;

    private final Member[] members;

    /** The gate of each member, once it has been looked up; the same array if the members are gates. */
    private final Gate[] gates;

    /** Which gates were fresh when they were found, and so are noted to be in use; {@code null} if none was. */
    private boolean @Nullable [] entered;

    Transaction(Member... members) {
        this.members = members;
        this.gates = members instanceof Gate[] known ? known : new Gate[members.length];
    }

    /**
     * Decides whether to change the gates; changes none.
     *
     * @param gates each once, locked
     * @return {@link #CHANGE}, or any other result that is not negative
     */
    abstract long decide(Gate[] gates, long nanos, int permits);

    /** Changes the gates, each of which publishes that. */
    void change(Gate[] gates, long nanos, int permits) {}

    /** Called with the locks held when the gates have been changed, or are not to be. */
    void conclude(Gate[] gates, long nanos, int permits) {}

    /** Returns whether the limits of the gates have to be known. */
    boolean needsLimits() {
        return true;
    }

    /** Returns whether what the call changes can be taken back, or counts nothing. */
    boolean isRevocable() {
        return false;
    }

    /** Returns whether the locked gates are those of their members: if not, the call begins again. */
    boolean areCurrent() {
        if (gates == members) {
            return true; // they were not looked up
        }
        for (Gate gate : gates) {
            if (!gate.isCurrent()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a gate refuses any request at {@code nanos}, without a lock. */
    final boolean isRefused(long nanos) {
        for (int i = 0; i < members.length; i++) {
            Gate gate = gates == members ? gates[i] : members[i].find();
            if (gate != null) {
                if (gate.refuses(nanos)) {
                    return true;
                }
                if (gates != members && !gate.isFresh() && gate.isCurrent()) {
                    gates[i] = gate;
                }
            }
        }
        return false;
    }

    /** Makes the call, and returns the result of {@link #decide}. */
    final long run(long nanos, int permits) {
        boolean hasKeys = gates != members;
        Gate[] order = gates;
        int held = 0; // so many locks are held, in this order
        try {
            long result;
            do {
                if (hasKeys) {
                    lookUp();
                }
                Gate[] distinct = gates;
                order = distinct;
                while (held < order.length && order[held].log.tryLock()) {
                    held++;
                }
                if (held < order.length) {
                    for (; held > 0; held--) {
                        order[held - 1].log.unlock();
                    }
                    distinct = distinct(order);
                    Gate[] ordered = ordered(distinct);
                    Object tie = isTied(ordered) ? Transaction.class : ordered;
                    order = ordered;
                    synchronized (tie) {
                        for (; held < order.length; held++) {
                            PolledLock lock = order[held].log;
                            if (!lock.tryLock()) {
                                lock.lock();
                            }
                        }
                    }
                }
                if (held > 0) {
                    order[0].inUse = this;
                }
                result = decideAndChange(distinct, nanos, permits);
                if (held > 0) {
                    order[0].inUse = null;
                }
                for (; held > 0; held--) {
                    order[held - 1].log.unlock();
                }
            } while (result == AGAIN);
            if (hasKeys) {
                finish(nanos, result == CHANGE);
            }
            return result;
        } catch (Throwable e) {
            for (; held > 0; held--) { // stores alone, as in Gate
                Gate gate = order[held - 1];
                gate.inUse = null;
                gate.state = gate.state < Gate.FRESH ? Gate.UNKNOWN : gate.state;
                gate.log.holder = PolledLock.FREE;
            }
            for (int i = 0; hasKeys && i < gates.length; i++) { // an error of one key is no business of another one
                try {
                    if (gates[i] != null) {
                        leave(i);
                        members[i].finish(gates[i], nanos, false, false);
                    }
                } catch (Throwable second) { // the first error is thrown
                    if (gates[i] instanceof KeyedEntry<?> entry) {
                        entry.isAbandoned = true;
                    }
                }
            }
            throw e;
        }
    }

    private void lookUp() {
        for (int i = 0; i < members.length; i++) {
            Gate gate = gates[i];
            if (gate == null || !gate.isCurrent()) {
                leave(i);
                gate = members[i].findOrAdd();
                gates[i] = gate;
                enter(i);
            }
            if (gate.isFresh() && needsLimits()) {
                members[i].ask(gate);
            }
        }
    }

    /** Notes that a gate is in use, if it is fresh: until this ends, no other call removes it. */
    private void enter(int i) {
        if (gates[i] instanceof KeyedEntry<?> entry && entry.isFresh()) {
            boolean[] entered = this.entered == null ? new boolean[members.length] : this.entered;
            this.entered = entered;
            entry.enter();
            entered[i] = true;
        }
    }

    private void leave(int i) {
        boolean[] entered = this.entered;
        if (entered != null && entered[i] && gates[i] instanceof KeyedEntry<?> entry) {
            entry.leave();
            entered[i] = false;
        }
    }

    private void finish(long nanos, boolean isChanged) {
        for (int i = 0; i < members.length; i++) {
            leave(i);
            members[i].finish(gates[i], nanos, isChanged, isRevocable());
        }
    }

    private long decideAndChange(Gate[] distinct, long nanos, int permits) {
        for (Gate gate : distinct) {
            if (gate.isFresh()) {
                gate.begin();
            }
        }
        long result = decide(distinct, nanos, permits);
        if (result == CHANGE && distinct.length > 1) {
            for (Gate gate : distinct) {
                gate.retract();
            }
        }
        boolean areCurrent = areCurrent();
        if (areCurrent && result == CHANGE) {
            change(distinct, nanos, permits);
        }
        for (Gate gate : distinct) {
            if (gate.state == Gate.UNKNOWN) {
                gate.publish(); // it was not changed
            }
        }
        if (!areCurrent) {
            return AGAIN;
        }
        conclude(distinct, nanos, permits);
        return result;
    }

    private static Gate[] distinct(Gate[] gates) {
        return gates.length == 1 ? gates : new LinkedHashSet<>(List.of(gates)).toArray(new Gate[0]);
    }

    /** Returns the gates in the order of their identity hashes. */
    private static Gate[] ordered(Gate[] gates) {
        long[] order = new long[gates.length]; // hashes, each with the index of its gate
        for (int i = 0; i < order.length; i++) {
            order[i] = (long) System.identityHashCode(gates[i]) << Integer.SIZE | i;
        }
        Arrays.sort(order);
        Gate[] ordered = new Gate[gates.length];
        for (int i = 0; i < ordered.length; i++) {
            ordered[i] = gates[(int) order[i]];
        }
        return ordered;
    }

    private static boolean isTied(Gate[] ordered) {
        for (int i = 1; i < ordered.length; i++) {
            if (System.identityHashCode(ordered[i - 1]) == System.identityHashCode(ordered[i])) {
                return true;
            }
        }
        return false;
    }

    /** Returns what {@code call} returns of the log of a gate, whether the gate is current or not. */
    static <T> T read(Gate gate, Function<SlidingLog, T> call) {
        Read<T> read = new Read<>(gate, call);
        read.run(0, 0);
        return requireNonNull(read.value);
    }

    static void change(Gate gate, Consumer<SlidingLog> change) {
        new Change(gate, change).run(0, 0);
    }

    private static final class Change extends Transaction {
        private final Consumer<SlidingLog> change;

        Change(Gate gate, Consumer<SlidingLog> change) {
            super(new Gate[] {gate});
            this.change = change;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            return CHANGE;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            change.accept(gates[0].log);
            gates[0].publish();
        }
    }

    private static final class Read<T> extends Transaction {
        private final Function<SlidingLog, T> call;
        private @Nullable T value;

        Read(Gate gate, Function<SlidingLog, T> call) {
            super(new Gate[] {gate});
            this.call = call;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            value = call.apply(gates[0].log);
            return NO_CHANGE;
        }
    }
}
