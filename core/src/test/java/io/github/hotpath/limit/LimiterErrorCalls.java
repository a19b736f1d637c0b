package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Random calls on limiters, each of which may throw an error; and an account of what must count in each limiter
 * afterwards, and of what may count.
 */
final class LimiterErrorCalls extends ErrorSource {
    /*
     * An error may be thrown at any call, and where memory runs out at any allocation. So make() calls nothing but the
     * limiters, in as few frames as possible, and allocates nothing. What a call may change is entered before the call
     * as possible, and after it as certain, by assignments alone: a call that throws leaves it as possible.
     */

    private static final int ROOM = 1 << 14;
    private static final int KEPT = 16;

    /**
     * What is called.
     *
     * @param parts the numbers of the limiters in which a grant counts
     * @param isRoomy whether no request may be refused
     * @param isIdle whether permits are reserved and cancelled only
     */
    record Target(Limiter limiter, int[] parts, boolean isRoomy, boolean isIdle) {}

    final long[] least;
    final long[] most;
    long time;

    private final Target[] targets;
    private final @Nullable KeyedLimiter<?> keyed;
    private final @Nullable Reservation[] kept = new Reservation[KEPT];
    private final int[][] keptParts = new int[KEPT][];
    private final int[] keptPermits = new int[KEPT];
    private int left;

    /** Creates calls on some of so many limiters. */
    LimiterErrorCalls(int limiters, Target[] targets, @Nullable KeyedLimiter<?> keyed, long seed) {
        super(seed);
        this.targets = targets;
        this.keyed = keyed;
        this.least = new long[limiters];
        this.most = new long[limiters];
    }

    /** Begins a new account of limiters in which nothing counts. */
    void restart(long now) {
        time = now;
        left = ROOM;
        for (int i = 0; i < least.length; i++) {
            least[i] = 0;
            most[i] = 0;
        }
        for (int i = 0; i < KEPT; i++) {
            kept[i] = null;
        }
    }

    @Override
    public boolean hasRoom() {
        return left > 0;
    }

    @Override
    public void make() {
        long bits = randomBits();
        left--;
        time += bits >>> 40 & 1; // so that some have the time of the one before
        int permits = 1 + ((int) (bits >>> 20) & 1);
        int place = (int) (bits >>> 30) & KEPT - 1;
        Target target = targets[(int) (bits >>> 32 & 0xFFFF) % targets.length];
        Limiter limiter = target.limiter;
        int[] parts = target.parts;
        if (target.isIdle) {
            may(parts, permits);
            if (limiter.reserve(time, permits, Duration.ZERO).cancel()) {
                mayNot(parts, permits);
            } else {
                wrong = "not cancelled";
            }
            return;
        }
        switch ((int) (bits >>> 60)) {
            case 0, 1, 2 -> {
                may(parts, permits);
                account(target, permits, limiter.tryAcquire(time, permits));
            }
            case 3, 4, 5 -> {
                may(parts, permits);
                account(target, permits, limiter.tryAcquireOrDelay(time, permits) == 0);
            }
            case 6, 7 -> {
                may(parts, permits);
                account(target, permits, limiter.decide(time, permits).isGranted());
            }
            case 8 -> {
                if (target.isRoomy) {
                    may(parts, permits);
                    limiter.record(time, permits);
                    account(target, permits, true);
                }
            }
            case 9, 10, 11 -> {
                may(parts, 3);
                Reservation reservation = limiter.reserve(time, 3, Duration.ZERO);
                account(target, 3, reservation.isGranted());
                if (target.isRoomy) {
                    keptParts[place] = parts;
                    keptPermits[place] = 3;
                    kept[place] = reservation;
                }
            }
            case 12, 13 -> correct(place, (int) (bits >>> 24) & 7);
            case 14 -> read(limiter);
            default -> {
                if (keyed != null) {
                    keyed.evictIdle(time);
                }
            }
        }
    }

    private void may(int[] parts, int permits) {
        for (int part : parts) {
            most[part] += permits;
        }
    }

    private void mayNot(int[] parts, int permits) {
        for (int part : parts) {
            most[part] -= permits;
        }
    }

    private void account(Target target, int permits, boolean isGranted) {
        if (isGranted) {
            for (int part : target.parts) {
                least[part] += permits;
            }
        } else if (target.isRoomy) {
            wrong = "refused";
        } else {
            for (int part : target.parts) {
                most[part] -= permits;
            }
        }
    }

    /** Sets the permits of a reservation, which is dropped if that throws. */
    private void correct(int place, int permits) {
        Reservation reservation = kept[place];
        if (reservation == null) {
            return;
        }
        int[] parts = keptParts[place];
        int more = permits - keptPermits[place];
        kept[place] = null;
        for (int part : parts) {
            if (more > 0) {
                most[part] += more;
            } else {
                least[part] += more;
            }
        }
        if (!reservation.adjustTo(permits)) {
            wrong = "not adjusted";
        }
        for (int part : parts) {
            if (more > 0) {
                least[part] += more;
            } else {
                most[part] += more;
            }
        }
        if (permits > 0) {
            keptPermits[place] = permits;
            kept[place] = reservation;
        }
    }

    private void read(Limiter limiter) {
        long available = limiter.available(time);
        if (available < 0
                || limiter.peek(time, 1).quotas().isEmpty()
                || limiter.toString().isEmpty()) {
            wrong = "read";
        }
        limiter.isIdle(time);
    }
}
