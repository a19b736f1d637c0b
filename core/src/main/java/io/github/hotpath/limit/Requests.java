package io.github.hotpath.limit;

import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The calls on limiters, alone or together. */
final class Requests {
    private Requests() {}

    /** A call that returns what it has decided. */
    abstract static class Plain extends Transaction<Long> {
        @Override
        final Long result(Gate[] gates, long nanos, int permits, long decided) {
            return decided;
        }
    }

    private abstract static class Acquire<R> extends Transaction<R> {
        /** Returns the longest of the delays until each gate grants the permits at its own time; 0 if all do at once. */
        @Override
        final long decide(Gate[] gates, long nanos, int permits) {
            long delay = 0;
            for (Gate gate : gates) {
                delay = Math.max(delay, gate.delay(nanos, permits));
            }
            return delay;
        }

        @Override
        final void change(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                gate.acquireLocked(nanos, permits);
            }
        }
    }

    /** Acquires permits at each gate's own time; the result is the delay. */
    static final Transaction<Long> ACQUIRE = new Acquire<>() {
        @Override
        Long result(Gate[] gates, long nanos, int permits, long delay) {
            return delay;
        }
    };

    /** The same, but the result is whether they were granted. */
    static final Transaction<Boolean> TRY_ACQUIRE = new Acquire<>() {
        @Override
        Boolean result(Gate[] gates, long nanos, int permits, long delay) {
            return delay == 0;
        }

        @Override
        @Nullable
        Boolean knownResult(Gate gate, long nanos) {
            return gate.refuses(nanos) ? false : null;
        }
    };

    /** Acquires permits, and tells about all limits. */
    static final Transaction<Decision> DECIDE = new Decide(false);

    /** Only tells about them. */
    static final Transaction<Decision> PEEK = new Decide(true);

    private static final class Decide extends Acquire<Decision> {
        private final boolean onlyPeeks;

        Decide(boolean onlyPeeks) {
            this.onlyPeeks = onlyPeeks;
        }

        @Override
        boolean onlyReads() {
            return onlyPeeks;
        }

        @Override
        Decision result(Gate[] gates, long nanos, int permits, long delay) {
            int number = 0;
            for (Gate gate : gates) {
                number += gate.log.numberOfLimits();
            }
            Quota[] quotas = new Quota[number];
            int index = 0;
            for (Gate gate : gates) {
                index = gate.log.setQuotas(nanos, delay == 0 ? 0 : permits, quotas, index);
            }
            return new Decision(delay, quotas);
        }
    }

    /** Acquires permits at the earliest time that suits all gates, if that is early enough. */
    static final class Reserve extends Transaction<Reservation> {
        /** The maximum delay if the permits are to be acquired at once, or not at all. */
        static final long AT_ONCE = -1;

        private final long maxDelayNanos;

        /** To be woken when the reservation releases permits. */
        private final @Nullable WaitingLine line;

        /** Whether the permits count at each gate's own time, and when they count if not. */
        private boolean isAtOnce;

        private long slot;
        private long delay;
        private Reservation.Grant @Nullable [] grants;

        Reserve(long maxDelayNanos, @Nullable WaitingLine line) {
            this.maxDelayNanos = maxDelayNanos;
            this.line = line;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            delay = ACQUIRE.decide(gates, nanos, permits);
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

        @Override
        Reservation result(Gate[] gates, long nanos, int permits, long decided) {
            return new Reservation(delay, grants, line);
        }
    }

    /** Counts permits that have been used without asking. */
    static final Transaction<Long> RECORD = new Plain() {
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
    static final class Close extends Plain {
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
    static final class Least extends Plain {
        private final ToLongFunction<SlidingLog> value;

        Least(ToLongFunction<SlidingLog> value) {
            this.value = value;
        }

        @Override
        boolean onlyReads() {
            return true;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            long least = Long.MAX_VALUE;
            for (Gate gate : gates) {
                least = Math.min(least, value.applyAsLong(gate.log));
            }
            return least;
        }
    }
}
