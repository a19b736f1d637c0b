package io.github.hotpath.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What can be called of a limiter and of the reservations made with it, so that a model can stand for both. */
interface LimiterCalls {
    boolean tryAcquire(long nanos, int permits);

    long tryAcquireOrDelay(long nanos, int permits);

    /** Returns the text of the reservation. */
    String reserve(long nanos, int permits, long maxDelayNanos);

    /** The number of calls to {@link #reserve} so far. */
    int reservations();

    /** Adjusts the result of one of the calls to {@link #reserve}, which count from 0. */
    boolean adjust(int reservation, int permits);

    long available(long nanos);

    boolean isIdle(long nanos);

    void clear();

    /** Returns the calls on a limiter. */
    static LimiterCalls on(SlidingWindowLimiter limiter) {
        return new LimiterCalls() {
            private final List<Reservation> reservations = new ArrayList<>();

            @Override
            public boolean tryAcquire(long nanos, int permits) {
                return limiter.tryAcquire(nanos, permits);
            }

            @Override
            public long tryAcquireOrDelay(long nanos, int permits) {
                return limiter.tryAcquireOrDelay(nanos, permits);
            }

            @Override
            public String reserve(long nanos, int permits, long maxDelayNanos) {
                reservations.add(limiter.reserve(nanos, permits, Duration.ofNanos(maxDelayNanos)));
                return reservations.get(reservations.size() - 1).toString();
            }

            @Override
            public int reservations() {
                return reservations.size();
            }

            @Override
            public boolean adjust(int reservation, int permits) {
                Reservation adjusted = reservations.get(reservation);
                return permits == 0 ? adjusted.cancel() : adjusted.adjustTo(permits);
            }

            @Override
            public long available(long nanos) {
                return limiter.available(nanos);
            }

            @Override
            public boolean isIdle(long nanos) {
                return limiter.isIdle(nanos);
            }

            @Override
            public void clear() {
                limiter.clear();
            }

            @Override
            public String toString() {
                return limiter.toString();
            }
        };
    }
}
