package io.github.hotpath.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What can be called of a limiter, or of the model of it. */
abstract class LimiterCalls {
    private final List<Reserved> reservations = new ArrayList<>();

    abstract boolean tryAcquire(long nanos, int permits);

    abstract long tryAcquireOrDelay(long nanos, int permits);

    abstract Reserved reserve(long nanos, int permits, long maxDelayNanos);

    abstract void record(long nanos, int permits);

    abstract void closeFor(long nanos, long durationNanos);

    abstract Decision decide(long nanos, int permits);

    abstract Decision peek(long nanos, int permits);

    abstract long available(long nanos);

    abstract boolean isIdle(long nanos);

    abstract void clear();

    /** A reservation as a string, and how to adjust it. */
    interface Reserved {
        String text();

        boolean adjust(int permits);
    }

    /** Returns the reservation's string. */
    final String reserveNext(long nanos, int permits, long maxDelayNanos) {
        reservations.add(reserve(nanos, permits, maxDelayNanos));
        return reservations.get(reservations.size() - 1).text();
    }

    /** Adjusts the reservation before so many later ones, if there is one. */
    final boolean adjustEarlier(int later, int permits) {
        int reservation = reservations.size() - 1 - later;
        return reservation >= 0 && reservations.get(reservation).adjust(permits);
    }

    static LimiterCalls on(NaiveLimiter model) {
        return new NaiveJoint(List.of(model));
    }

    static LimiterCalls on(Limiter limiter) {
        return new LimiterCalls() {
            @Override
            boolean tryAcquire(long nanos, int permits) {
                return limiter.tryAcquire(nanos, permits);
            }

            @Override
            long tryAcquireOrDelay(long nanos, int permits) {
                return limiter.tryAcquireOrDelay(nanos, permits);
            }

            @Override
            Reserved reserve(long nanos, int permits, long maxDelayNanos) {
                Reservation reservation = limiter.reserve(nanos, permits, Duration.ofNanos(maxDelayNanos));
                return new Reserved() {
                    @Override
                    public String text() {
                        return reservation.toString();
                    }

                    @Override
                    public boolean adjust(int permits) {
                        return permits == 0 ? reservation.cancel() : reservation.adjustTo(permits);
                    }
                };
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
                ((SlidingWindowLimiter) limiter).clear();
            }

            @Override
            public String toString() {
                return limiter.toString();
            }
        };
    }
}
