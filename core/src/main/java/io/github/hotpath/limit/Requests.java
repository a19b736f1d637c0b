package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The calls on limiters, alone or together. */
final class Requests {
    private Requests() {}

    /** Returns the longest of the delays until each gate grants the permits at its own time; 0 if all do at once. */
    private static long delay(Gate[] gates, long nanos, int permits) {
        long delay = 0;
        for (Gate gate : gates) {
            delay = Math.max(delay, gate.delay(nanos, permits));
        }
        return delay;
    }

    /** Acquires permits at each gate's own time; the result is the delay. */
    static final Transaction ACQUIRE = new Acquire();

    /** The same, but the result need not be the delay. */
    static final Transaction TRY_ACQUIRE = new Acquire() {
        @Override
        boolean isRefused(Gate gate, long nanos) {
            return gate.refuses(nanos);
        }
    };

    static class Acquire extends Transaction {
        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            return delay(gates, nanos, permits);
        }

        @Override
        final void change(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                gate.acquireLocked(nanos, permits);
            }
        }
    }

    /** Acquires permits, if it is to acquire any, and tells about all limits. */
    static final class Decide extends Acquire {
        private final boolean onlyPeeks;
        private List<Quota> quotas = List.of();
        private long delay;

        Decide(boolean onlyPeeks) {
            this.onlyPeeks = onlyPeeks;
        }

        Decision decision(Member[] members, long nanos, int permits) {
            run(members, nanos, permits);
            return new Decision(delay, quotas);
        }

        @Override
        boolean onlyReads() {
            return onlyPeeks;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            delay = super.decide(gates, nanos, permits);
            return delay == 0 && !onlyPeeks ? CHANGE : NO_CHANGE;
        }

        @Override
        void conclude(Gate[] gates, long nanos, int permits) {
            quotas = new ArrayList<>(gates.length); // most have one limit
            for (Gate gate : gates) {
                gate.log.addQuotas(nanos, delay == 0 ? 0 : permits, quotas);
            }
        }
    }

    /** Acquires permits at the earliest time that suits all gates, if that is early enough. */
    static final class Reserve extends Transaction {
        /** The maximum delay if the permits are to be acquired at once, or not at all. */
        static final long AT_ONCE = -1;

        private final long maxDelayNanos;

        /** Whether the permits count at each gate's own time, and when they count if not. */
        private boolean isAtOnce;

        private long slot;
        private long delay;
        private Reservation.Grant @Nullable [] grants;

        Reserve(long maxDelayNanos) {
            this.maxDelayNanos = maxDelayNanos;
        }

        /** @param line to be woken when the reservation releases permits */
        Reservation reservation(Member[] members, long nanos, int permits, @Nullable WaitingLine line) {
            run(members, nanos, permits);
            return new Reservation(delay, grants, line);
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            delay = delay(gates, nanos, permits);
            isAtOnce = delay == 0;
            return isAtOnce || maxDelayNanos == AT_ONCE ? delay : findSlot(gates, nanos, permits);
        }

        /**
         * Finds a slot. The delay is measured from the time passed in, also if the slot is the latest of the gates'
         * times: the permits count at that time, so they may be used then.
         */
        private long findSlot(Gate[] gates, long nanos, int permits) {
            long behind = 0; // unsigned: how long after nanos the latest of the times is at which the gates evaluate
            for (Gate gate : gates) {
                long other = gate.log.evaluatedAt(nanos) - nanos;
                behind = Long.compareUnsigned(other, behind) > 0 ? other : behind;
            }
            long from = nanos + behind;
            long wait = 0;
            for (Gate gate : gates) {
                long own = gate.log.waitFor(permits, from);
                wait = wait < 0 || own < 0 ? SlidingLog.NEVER : Math.max(wait, own);
            }
            slot = from + wait;
            delay = SlidingLog.plus(behind, wait);
            return wait >= 0 && wait <= maxDelayNanos && delay < Long.MAX_VALUE ? CHANGE : NO_CHANGE;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            Reservation.Grant[] granted = new Reservation.Grant[gates.length];
            for (int i = 0; i < gates.length; i++) {
                long time = gates[i].log.evaluatedAt(nanos);
                granted[i] = new Reservation.Grant(gates[i], isAtOnce ? time : slot, permits);
                gates[i].grant(time, granted[i].slot, permits);
            }
            grants = granted;
        }
    }

    /** Counts permits that have been used without asking. */
    static final Transaction RECORD = new Transaction() {
        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                gate.log.checkSum(permits, 0, gate.log.evaluatedAt(nanos));
            }
            return CHANGE;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                long time = gate.log.evaluatedAt(nanos);
                gate.grant(time, gate.log.orLastSlot(time), permits);
            }
        }
    };

    /** Grants nothing for some time. */
    static final class Close extends Transaction {
        private final long durationNanos;

        Close(long durationNanos) {
            this.durationNanos = durationNanos;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            return CHANGE;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                long time = gate.log.evaluatedAt(nanos);
                long behind = time - nanos; // unsigned
                boolean isLater = Long.compareUnsigned(durationNanos, behind) > 0;
                gate.log.closeFor(time, isLater ? Math.min(durationNanos - behind, Long.MAX_VALUE - 1) : 0);
                gate.publish();
            }
        }
    }

    /** Returns the least value of the logs of all gates, at one instant. */
    static long least(Member[] members, ToLongFunction<SlidingLog> value) {
        Least least = new Least(value);
        least.run(members, 0, 1);
        return least.least;
    }

    private static final class Least extends Transaction {
        private final ToLongFunction<SlidingLog> value;
        private long least;

        Least(ToLongFunction<SlidingLog> value) {
            this.value = value;
        }

        @Override
        boolean onlyReads() {
            return true;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            least = Long.MAX_VALUE;
            for (Gate gate : gates) {
                least = Math.min(least, value.applyAsLong(gate.log));
            }
            return NO_CHANGE;
        }
    }
}
