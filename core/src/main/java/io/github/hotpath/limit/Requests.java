package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of a {@link Limiter} as transactions. */
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

    /** Acquires permits at each gate's own time; the result is the delay. Has no state, so it may be used again. */
    static class Acquire extends Transaction {
        Acquire(Member... members) {
            super(members);
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            return delay(gates, nanos, permits);
        }

        @Override
        final void change(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                gate.acquireAtOnce(nanos, permits);
            }
        }
    }

    /** Acquires permits at the earliest time that suits all gates, if that is early enough. */
    static final class Reserve extends Transaction {
        /** The maximum delay if the permits are to be acquired at once, or not at all. */
        static final long AT_ONCE = -1;

        private final long maxDelayNanos;

        /** To be woken when the reservation releases permits; {@code null} if there is none. */
        private final @Nullable WaitingLine line;

        /** Whether the permits count at each gate's own time. */
        private boolean isAtOnce;

        /** When they count if not. */
        private long slot;

        private @Nullable Reservation reservation;

        Reserve(long maxDelayNanos, @Nullable WaitingLine line, Member... members) {
            super(members);
            this.maxDelayNanos = maxDelayNanos;
            this.line = line;
        }

        Reservation reservation(long nanos, int permits) {
            run(nanos, permits);
            return requireNonNull(reservation);
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            long delay = delay(gates, nanos, permits);
            isAtOnce = delay == 0;
            if (!isAtOnce && maxDelayNanos != AT_ONCE) {
                return findSlot(gates, nanos, permits);
            }
            reservation = isAtOnce ? granted(0, gates, nanos, permits) : Reservation.refused(delay);
            return delay;
        }

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
            long delay = SlidingLog.plus(behind, wait);
            boolean isGranted = wait >= 0 && wait <= maxDelayNanos && delay < Long.MAX_VALUE;
            reservation = isGranted ? granted(delay, gates, nanos, permits) : Reservation.refused(delay);
            return isGranted ? CHANGE : NO_CHANGE;
        }

        /**
         * Returns the reservation of a slot. Its delay is measured from the time passed in, also if the slot is the
         * latest of the gates' times: the permits count at that time, so they may be used then.
         */
        private Reservation granted(long delay, Gate[] gates, long nanos, int permits) {
            Reservation.Grant[] grants = new Reservation.Grant[gates.length];
            for (int i = 0; i < gates.length; i++) {
                grants[i] = new Reservation.Grant(gates[i], slotIn(gates[i], nanos), permits);
            }
            return new Reservation(delay, grants, line);
        }

        private long slotIn(Gate gate, long nanos) {
            return isAtOnce ? gate.log.evaluatedAt(nanos) : slot;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                gate.grant(gate.log.evaluatedAt(nanos), slotIn(gate, nanos), permits);
            }
        }

        @Override
        boolean isRevocable() {
            return true;
        }
    }

    /** Acquires permits, if it is to acquire any, and tells about all limits. */
    static final class Decide extends Acquire {
        private final boolean acquires;
        private long delay;

        /** A field, since the locks are held while it is filled: see {@link Gate}. */
        private final List<Quota> quotas;

        Decide(boolean acquires, Member... members) {
            super(members);
            this.acquires = acquires;
            quotas = new ArrayList<>(members.length + 1);
        }

        Decision decision(long nanos, int permits) {
            run(nanos, permits);
            return new Decision(delay, quotas);
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            delay = super.decide(gates, nanos, permits);
            return delay == 0 && acquires ? CHANGE : NO_CHANGE;
        }

        @Override
        void conclude(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                gate.log.addQuotas(nanos, delay == 0 ? 0 : permits, quotas);
            }
        }
    }

    /** Tells how many permits all gates would grant. */
    static final class Available extends Transaction {
        private long available;

        Available(Member... members) {
            super(members);
        }

        long available(long nanos) {
            run(nanos, 1);
            return available;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            available = Long.MAX_VALUE;
            for (Gate gate : gates) {
                available = Math.min(available, gate.log.available(nanos));
            }
            return NO_CHANGE;
        }
    }

    /** Tells whether all gates are idle. */
    static final class Idle extends Transaction {
        private boolean areIdle;

        Idle(Member... members) {
            super(members);
        }

        boolean areIdle(long nanos) {
            run(nanos, 1);
            return areIdle;
        }

        @Override
        boolean needsLimits() {
            return false;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            areIdle = true;
            for (Gate gate : gates) {
                areIdle &= gate.isFresh() || gate.log.isIdle(nanos);
            }
            return NO_CHANGE;
        }
    }

    /** Counts permits that have been used without asking. */
    static final class RecordUsed extends Transaction {
        RecordUsed(Member... members) {
            super(members);
        }

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
    }

    /** Grants nothing for some time. */
    static final class Close extends Transaction {
        private final long durationNanos;

        Close(long durationNanos, Member... members) {
            super(members);
            this.durationNanos = durationNanos;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            boolean isAny = false;
            for (Gate gate : gates) {
                isAny |= concerns(gate, nanos);
            }
            return isAny ? CHANGE : NO_CHANGE;
        }

        /** Returns whether a gate is changed: no key is added for nothing. */
        private boolean concerns(Gate gate, long nanos) {
            return wait(gate, nanos) > 0 || !gate.isFresh();
        }

        /** Returns for how long after its own time a gate is closed. */
        private long wait(Gate gate, long nanos) {
            long behind = gate.log.evaluatedAt(nanos) - nanos; // unsigned
            boolean isLater = Long.compareUnsigned(durationNanos, behind) > 0;
            return isLater ? Math.min(durationNanos - behind, Long.MAX_VALUE - 1) : 0;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            for (Gate gate : gates) {
                if (concerns(gate, nanos)) {
                    gate.closeFor(gate.log.evaluatedAt(nanos), wait(gate, nanos));
                }
            }
        }

        @Override
        boolean isRevocable() {
            return true;
        }
    }
}
