package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The calls on limiters, alone or together. */
final class Requests {
    private Requests() {}

    /** Returns the longest of the delays until each gate grants the permits at its own time; 0 if all do at once. */
    private static long delay(Gate[] gates, long nanos, int permits) {
        long delay = 0;
        for (Gate gate : gates) {
            delay = Math.max(delay, gate.log.delay(nanos, permits));
        }
        return delay;
    }

    private abstract static class Acquire<R> extends Transaction<R> {
        @Override
        boolean decide(Gate[] gates, long nanos, int permits) {
            return delay(gates, nanos, permits) == 0;
        }

        @Override
        final void change(Gate gate, int index, long nanos, int permits) {
            gate.log.grant(nanos, permits);
        }
    }

    /** Acquires permits at each gate's own time; the result is the delay. */
    static final Transaction<Long> ACQUIRE = new Acquire<>() {
        @Override
        Long result(Gate[] gates, long nanos, int permits, boolean isGranted) {
            return isGranted ? 0 : delay(gates, nanos, permits);
        }
    };

    /** The same, but the result is whether they were granted. */
    static final Transaction<Boolean> TRY_ACQUIRE = new Acquire<>() {
        @Override
        Boolean result(Gate[] gates, long nanos, int permits, boolean isGranted) {
            return isGranted;
        }

        @Override
        @Nullable
        Boolean knownResult(Gate gate, long nanos, int permits) {
            return gate.log.refuses(nanos, permits) ? false : null;
        }
    };

    /** Acquires permits, and tells about all limits. */
    static final Transaction<Decision> DECIDE = new Decide();

    private static class Decide extends Acquire<Decision> {
        @Override
        final Decision result(Gate[] gates, long nanos, int permits, boolean isGranted) {
            long delay = isGranted ? 0 : delay(gates, nanos, permits);
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

    /** Only tells about them. */
    static final Transaction<Decision> PEEK = new Decide() {
        @Override
        boolean onlyReads() {
            return true;
        }

        @Override
        boolean decide(Gate[] gates, long nanos, int permits) {
            return false;
        }
    };

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
        boolean decide(Gate[] gates, long nanos, int permits) {
            delay = Requests.delay(gates, nanos, permits);
            isAtOnce = delay == 0;
            boolean isGranted = isAtOnce || maxDelayNanos != AT_ONCE && findSlot(gates, nanos, permits);
            grants = isGranted ? new Reservation.Grant[gates.length] : null;
            return isGranted;
        }

        /**
         * Finds a slot. The delay is measured from the time passed in, also if the slot is the latest of the gates'
         * times: the permits count at that time, so they may be used then.
         */
        private boolean findSlot(Gate[] gates, long nanos, int permits) {
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
            return wait >= 0 && wait <= maxDelayNanos && delay < Long.MAX_VALUE;
        }

        @Override
        void change(Gate gate, int index, long nanos, int permits) {
            long time = gate.log.evaluatedAt(nanos);
            long its = isAtOnce ? time : slot;
            requireNonNull(grants)[index] = new Reservation.Grant(gate, its, permits);
            gate.log.grant(time, its, permits);
        }

        @Override
        Reservation result(Gate[] gates, long nanos, int permits, boolean isGranted) {
            return new Reservation(delay, grants, line);
        }
    }

    /** Counts permits that have been used without asking. */
    static final Transaction<Boolean> RECORD = new Transaction.Plain() {
        @Override
        boolean decide(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                gate.log.checkSum(permits, 0, gate.log.evaluatedAt(nanos));
            }
            return true;
        }

        @Override
        void change(Gate gate, int index, long nanos, int permits) {
            long time = gate.log.evaluatedAt(nanos);
            gate.log.grant(time, gate.log.orLastSlot(time), permits);
        }
    };

    /** Grants nothing for some time. */
    static final class Close extends Transaction.Plain {
        private final long durationNanos;

        Close(long durationNanos) {
            this.durationNanos = durationNanos;
        }

        @Override
        boolean decide(Gate[] gates, long nanos, int permits) {
            return true;
        }

        @Override
        void change(Gate gate, int index, long nanos, int permits) {
            long time = gate.log.evaluatedAt(nanos);
            long behind = time - nanos; // unsigned
            boolean isLater = Long.compareUnsigned(durationNanos, behind) > 0;
            gate.log.closeFor(time, isLater ? Math.min(durationNanos - behind, Long.MAX_VALUE - 1) : 0);
        }
    }

    /** Returns the least value of the logs of all gates, at one instant. */
    static final class Least extends Transaction<Long> {
        private final ToLongFunction<SlidingLog> value;

        Least(ToLongFunction<SlidingLog> value) {
            this.value = value;
        }

        @Override
        boolean onlyReads() {
            return true;
        }

        @Override
        boolean decide(Gate[] gates, long nanos, int permits) {
            return false;
        }

        @Override
        Long result(Gate[] gates, long nanos, int permits, boolean isChanged) {
            long least = Long.MAX_VALUE;
            for (Gate gate : gates) {
                least = Math.min(least, value.applyAsLong(gate.log));
            }
            return least;
        }
    }
}
