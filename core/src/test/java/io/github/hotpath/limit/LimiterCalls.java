package io.github.hotpath.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What can be called of a limiter, or of the model, and of the reservations made by these calls.
 *
 * @param <R> a reservation
 */
abstract class LimiterCalls<R> {
    private final List<R> reservations = new ArrayList<>();

    abstract boolean tryAcquire(long nanos, int permits);

    abstract long tryAcquireOrDelay(long nanos, int permits);

    abstract R reserve(long nanos, int permits, long maxDelayNanos);

    abstract boolean adjust(R reservation, int permits);

    abstract void record(long nanos, int permits);

    abstract void closeFor(long nanos, long durationNanos);

    abstract Decision decide(long nanos, int permits);

    abstract Decision peek(long nanos, int permits);

    abstract long available(long nanos);

    abstract boolean isIdle(long nanos);

    abstract void clear();

    /** Returns the reservation's string. */
    final String reserveNext(long nanos, int permits, long maxDelayNanos) {
        reservations.add(reserve(nanos, permits, maxDelayNanos));
        return reservations.get(reservations.size() - 1).toString();
    }

    /** Adjusts the reservation before so many later ones, if there is one. */
    final boolean adjustEarlier(int later, int permits) {
        int reservation = reservations.size() - 1 - later;
        return reservation >= 0 && adjust(reservations.get(reservation), permits);
    }

    static LimiterCalls<Reservation> on(SlidingWindowLimiter limiter) {
        return new LimiterCalls<>() {
            @Override
            boolean tryAcquire(long nanos, int permits) {
                return limiter.tryAcquire(nanos, permits);
            }

            @Override
            long tryAcquireOrDelay(long nanos, int permits) {
                return limiter.tryAcquireOrDelay(nanos, permits);
            }

            @Override
            Reservation reserve(long nanos, int permits, long maxDelayNanos) {
                return limiter.reserve(nanos, permits, Duration.ofNanos(maxDelayNanos));
            }

            @Override
            boolean adjust(Reservation reservation, int permits) {
                return permits == 0 ? reservation.cancel() : reservation.adjustTo(permits);
            }

            @Override
            void record(long nanos, int permits) {
                limiter.record(nanos, permits);
            }

            @Override
            void closeFor(long nanos, long durationNanos) {
                limiter.closeFor(nanos, Duration.ofNanos(durationNanos));
            }

            @Override
            Decision decide(long nanos, int permits) {
                return limiter.decide(nanos, permits);
            }

            @Override
            Decision peek(long nanos, int permits) {
                return limiter.peek(nanos, permits);
            }

            @Override
            long available(long nanos) {
                return limiter.available(nanos);
            }

            @Override
            boolean isIdle(long nanos) {
                return limiter.isIdle(nanos);
            }

            @Override
            void clear() {
                limiter.clear();
            }

            @Override
            public String toString() {
                return limiter.toString();
            }
        };
    }

    static LimiterCalls<NaiveLimiter.Grant> on(NaiveLimiter model) {
        return new LimiterCalls<>() {
            @Override
            boolean tryAcquire(long nanos, int permits) {
                return model.tryAcquire(nanos, permits);
            }

            @Override
            long tryAcquireOrDelay(long nanos, int permits) {
                return model.tryAcquireOrDelay(nanos, permits);
            }

            @Override
            NaiveLimiter.Grant reserve(long nanos, int permits, long maxDelayNanos) {
                return model.reserve(nanos, permits, maxDelayNanos);
            }

            @Override
            boolean adjust(NaiveLimiter.Grant reservation, int permits) {
                return model.adjust(reservation, permits);
            }

            @Override
            void record(long nanos, int permits) {
                model.record(nanos, permits);
            }

            @Override
            void closeFor(long nanos, long durationNanos) {
                model.closeFor(nanos, durationNanos);
            }

            @Override
            Decision decide(long nanos, int permits) {
                return model.decide(nanos, permits);
            }

            @Override
            Decision peek(long nanos, int permits) {
                return model.peek(nanos, permits);
            }

            @Override
            long available(long nanos) {
                return model.available(nanos);
            }

            @Override
            boolean isIdle(long nanos) {
                return model.isIdle(nanos);
            }

            @Override
            void clear() {
                model.clear();
            }

            @Override
            public String toString() {
                return model.toString();
            }
        };
    }
}
