package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Random calls on a limiter, each of which may throw an error; and an account of what must count afterwards, and of
 * what may count.
 *
 * <p>Times are offsets from the start of the clock, so that they can be compared as numbers, for any start.
 */
final class LimiterErrorCalls extends ErrorSource {
    /*
     * An error may be thrown at any call, and where memory runs out at any allocation. So make() calls nothing but the
     * limiter, in as few frames as possible, and allocates nothing. What a call may change is entered before the call
     * as possible, and after it as certain, by assignments alone: a call that throws leaves it as possible.
     */

    /** The time from one request to the next. */
    static final long STEP = 10;

    /** Requests at once, to fill more than a chunk. */
    private static final int BURST = 1_100;

    private static final int KEPT = 64;

    /**
     * What the calls are like. Of 16, so many are reservations, corrections, bursts, and leaps in time.
     *
     * @param roomy whether the limits are never reached, so that no request may be refused; otherwise corrections are
     *     to fewer permits
     */
    record Mix(long interval, boolean roomy, int reserves, int corrections, int bursts, int leaps, Duration maxDelay) {}

    final SlidingWindowLimiter limiter;
    final long start;
    final Mix mix;

    /** The times of what may count, with the least permits and the most that count there. */
    final long[] times;

    final int[] least;
    final int[] most;
    int count;

    /** The latest time of any call. */
    long clock;

    /** Whether a reservation that has thrown may count at a slot that was not returned. */
    boolean slotUnknown;

    private final @Nullable Reservation[] kept = new Reservation[KEPT];
    private final int[] keptAt = new int[KEPT];
    private int nextKept;

    /** Creates an account with {@code room} for as many requests; there are no calls of {@link #make} beyond. */
    LimiterErrorCalls(SlidingWindowLimiter limiter, long start, Mix mix, long seed, int room) {
        super(seed);
        this.limiter = limiter;
        this.start = start;
        this.mix = mix;
        this.times = new long[room];
        this.least = new int[room];
        this.most = new int[room];
    }

    @Override
    public boolean hasRoom() {
        return count < times.length - 2 * BURST;
    }

    /** Begins a new account of an empty limiter. */
    void restart(long now) {
        count = 0;
        clock = now;
        slotUnknown = false;
        dropReservations();
    }

    void dropReservations() {
        for (int i = 0; i < KEPT; i++) {
            kept[i] = null;
        }
    }

    /** Acquires a permit so many times. */
    void fill(int requests) {
        for (int i = 0; i < requests; i++) {
            acquire(clock + STEP, 1);
        }
    }

    /** Makes one random call, or a burst of requests. */
    @Override
    public void make() {
        if (!hasRoom()) {
            return;
        }
        long bits = randomBits();
        int kind = (int) (bits >>> 60);
        int some = (int) (bits >>> 8) & 1023;
        int permits = some < 700 ? 1 : 1 + some % 5;
        if (kind < mix.reserves) {
            reserve(clock + STEP, permits);
        } else if (kind < mix.reserves + mix.corrections) {
            correct(some % KEPT, some >> 6 & 3);
        } else if (kind < mix.reserves + mix.corrections + mix.bursts) {
            for (int i = 0; i < BURST; i++) {
                acquire(clock + STEP, permits);
            }
        } else if (kind < mix.reserves + mix.corrections + mix.bursts + mix.leaps) {
            acquire(clock + mix.interval / 2 + some * mix.interval / 1024, permits);
        } else {
            makeOther((int) (bits >>> 40 & 7), some, permits);
        }
    }

    private void makeOther(int kind, int some, int permits) {
        switch (kind) {
            case 0 -> acquire(clock, permits);
            case 1 -> acquireOrDelay(clock + STEP, permits);
            case 2 -> limiter.available(start + clock + some * mix.interval / 1024);
            case 3 -> limiter.isIdle(start + clock + some * mix.interval / 512);
            case 4 -> {
                if (limiter.tryAcquireOrDelay(start + clock, Integer.MAX_VALUE) == 0) {
                    wrong = "more than the limit granted";
                }
            }
            case 5 -> limiter.toString();
            default -> acquire(clock + STEP, permits);
        }
    }

    private void acquire(long time, int permits) {
        int at = enter(time, permits);
        if (limiter.tryAcquire(start + time, permits)) {
            least[at] = permits;
        } else {
            count = at;
            if (mix.roomy) {
                wrong = "refused";
            }
        }
    }

    private void acquireOrDelay(long time, int permits) {
        int at = enter(time, permits);
        long delay = limiter.tryAcquireOrDelay(start + time, permits);
        if (delay == 0) {
            least[at] = permits;
        } else {
            count = at;
            if (mix.roomy || delay < 0) {
                wrong = "refused";
            }
        }
    }

    private void reserve(long time, int permits) {
        boolean wasUnknown = slotUnknown;
        int at = enter(time, permits);
        slotUnknown = !mix.roomy;
        Reservation reservation = limiter.reserve(start + time, permits, mix.maxDelay);
        if (reservation.isGranted()) {
            times[at] = time + reservation.delayNanos();
            least[at] = permits;
            kept[nextKept] = reservation;
            keptAt[nextKept] = at;
            nextKept = nextKept + 1 & KEPT - 1;
        } else {
            count = at;
            if (mix.roomy) {
                wrong = "refused";
            }
        }
        slotUnknown = wasUnknown;
    }

    /** Sets the permits of a reservation, or as many as it had where more might exceed a limit. */
    private void correct(int index, int wanted) {
        Reservation reservation = kept[index];
        if (reservation == null) {
            return;
        }
        int at = keptAt[index];
        int low = least[at];
        int high = most[at];
        int permits = mix.roomy || wanted < low ? wanted : low;
        if (permits < low) {
            least[at] = permits;
        }
        if (permits > high) {
            most[at] = permits;
        }
        if (reservation.adjustTo(permits)) {
            least[at] = permits;
            most[at] = permits;
        } else {
            least[at] = low;
            most[at] = high;
            if (low > 0 && clock - times[at] <= mix.interval) {
                wrong = "adjustTo refused";
            }
        }
    }

    /** Enters a request as possible, and returns its index. */
    private int enter(long time, int permits) {
        int at = count;
        times[at] = time;
        least[at] = 0;
        most[at] = permits;
        if (time > clock) {
            clock = time;
        }
        count = at + 1;
        return at;
    }

    /** Removes from the account what has expired at {@code time}. */
    void removeExpired(long time) {
        int to = 0;
        for (int at = 0; at < count; at++) {
            if (time - times[at] <= mix.interval) {
                times[to] = times[at];
                least[to] = least[at];
                most[to] = most[at];
                to++;
            }
        }
        count = to;
        dropReservations();
    }
}
