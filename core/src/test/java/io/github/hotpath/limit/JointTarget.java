package io.github.hotpath.limit;

import java.time.Duration;
import java.util.function.IntPredicate;

/** What is called when several threads call: a limiter, or the model of it. */
interface JointTarget {
    boolean tryAcquire(long nanos, int permits);

    long tryAcquireOrDelay(long nanos, int permits);

    Decision decide(long nanos, int permits);

    Decision peek(long nanos, int permits);

    Reserved reserve(long nanos, int permits, long maxDelayNanos);

    void record(long nanos, int permits);

    void closeFor(long nanos, long durationNanos);

    long available(long nanos);

    /** A reservation, and how to adjust it. */
    record Reserved(String text, IntPredicate adjustment) {}

    static JointTarget of(Limiter limiter) {
        return new JointTarget() {
            @Override
            public boolean tryAcquire(long nanos, int permits) {
                return limiter.tryAcquire(nanos, permits);
            }

            @Override
            public long tryAcquireOrDelay(long nanos, int permits) {
                return limiter.tryAcquireOrDelay(nanos, permits);
            }

            @Override
            public Decision decide(long nanos, int permits) {
                return limiter.decide(nanos, permits);
            }

            @Override
            public Decision peek(long nanos, int permits) {
                return limiter.peek(nanos, permits);
            }

            @Override
            public Reserved reserve(long nanos, int permits, long maxDelayNanos) {
                Reservation reservation = limiter.reserve(nanos, permits, Duration.ofNanos(maxDelayNanos));
                return new Reserved(reservation.toString(), reservation::adjustTo);
            }

            @Override
            public void record(long nanos, int permits) {
                limiter.record(nanos, permits);
            }

            @Override
            public void closeFor(long nanos, long durationNanos) {
                limiter.closeFor(nanos, Duration.ofNanos(durationNanos));
            }

            @Override
            public long available(long nanos) {
                return limiter.available(nanos);
            }
        };
    }

    static JointTarget of(NaiveJoint model) {
        return new JointTarget() {
            @Override
            public boolean tryAcquire(long nanos, int permits) {
                return model.tryAcquire(nanos, permits);
            }

            @Override
            public long tryAcquireOrDelay(long nanos, int permits) {
                return model.tryAcquireOrDelay(nanos, permits);
            }

            @Override
            public Decision decide(long nanos, int permits) {
                return model.decide(nanos, permits);
            }

            @Override
            public Decision peek(long nanos, int permits) {
                return model.peek(nanos, permits);
            }

            @Override
            public Reserved reserve(long nanos, int permits, long maxDelayNanos) {
                NaiveJoint.Reserved reserved = model.reserve(nanos, permits, maxDelayNanos);
                return new Reserved(reserved.text(), reserved::adjust);
            }

            @Override
            public void record(long nanos, int permits) {
                model.record(nanos, permits);
            }

            @Override
            public void closeFor(long nanos, long durationNanos) {
                model.closeFor(nanos, durationNanos);
            }

            @Override
            public long available(long nanos) {
                return model.available(nanos);
            }
        };
    }
}
