package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorProgram;
import io.github.hotpath.window.ErrorRounds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls two limiters and two keys together, each of which may throw an error; and an account of what must count in each
 * of them afterwards, and of what may count.
 */
final class JointErrorCalls extends ErrorRounds {
    /*
     * As in LimiterErrorCalls: make() calls nothing but the limiters, and what a call may change is entered before the
     * call as possible, and after it as certain, by assignments alone.
     */

    private static final int ROOM = 1 << 14;
    private static final long PERMITS = 1L << 40;
    private static final int TIGHT = 40;
    private static final Duration INTERVAL = Duration.ofNanos(1_000);

    /** Of so many limiters and keys the last one is exhausted after some calls, and then refuses all. */
    private static final int LIMITERS = 4;

    private static final int KEPT = 16;

    /** The number of keys that evict those that were called. */
    private static final int OTHERS = 64;

    private final SlidingWindowLimiter service =
            SlidingWindowLimiter.of(Limit.of(PERMITS, INTERVAL), Limit.ofCalls(PERMITS, INTERVAL));
    private final KeyedLimiter<Integer> users = KeyedLimiter.of(Limit.of(PERMITS, INTERVAL));
    private final SlidingWindowLimiter tight = SlidingWindowLimiter.of(Limit.of(TIGHT, INTERVAL));
    private final Integer one = 1_000;
    private final Integer other = 2_000;

    private final Limiter[] alone = {service, users.forKey(one), users.forKey(other), tight};
    private final Limiter roomy = Limiter.allOf(alone[2], alone[0], alone[1]);
    private final Limiter all = Limiter.allOf(alone[1], alone[0], alone[2], alone[3]);

    private final long[] least = new long[LIMITERS];
    private final long[] most = new long[LIMITERS];
    private final @Nullable Reservation[] kept = new Reservation[KEPT];
    private int calls;
    private long time;

    /** Takes what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        ErrorProgram.run("joint errors", arguments, JointErrorCalls::new);
    }

    private JointErrorCalls(long seed) {
        super(seed);
    }

    /** Begins a round of empty limiters, at times that wrap after some rounds. */
    @Override
    protected void begin(int round) {
        time = Long.MAX_VALUE + 10 * INTERVAL.toNanos() * (round - 10);
        users.clear();
        service.clear();
        tight.clear();
        calls = 0;
        for (int i = 0; i < LIMITERS; i++) {
            least[i] = 0;
            most[i] = 0;
        }
        for (int i = 0; i < KEPT; i++) {
            kept[i] = null;
        }
    }

    @Override
    public void make() {
        long bits = randomBits();
        calls++;
        int permits = 1 + ((int) (bits >>> 20) & 1);
        int place = (int) (bits >>> 30) & KEPT - 1;
        switch ((int) (bits >>> 60)) {
            case 0, 1 -> granted(roomy.tryAcquire(may(permits, 3), permits), permits, 3);
            case 2, 3 -> granted(roomy.tryAcquireOrDelay(may(permits, 3), permits) == 0, permits, 3);
            case 4, 5 -> granted(roomy.decide(may(permits, 3), permits).isGranted(), permits, 3);
            case 6 -> {
                roomy.record(may(permits, 3), permits);
                granted(true, permits, 3);
            }
            case 7 -> grantedOrRefused(all.tryAcquire(may(permits, 4), permits), permits);
            case 8 -> grantedOrRefused(all.decide(may(permits, 4), permits).isGranted(), permits);
            case 9 -> grantedOrRefused(all.tryAcquireOrDelay(may(permits, 4), permits) == 0, permits);
            case 10, 11, 12 -> reserve(place);
            case 13 -> cancel(place);
            case 14 -> checkRead(all.peek(time, permits).quotas().size() == LIMITERS + 1);
            default -> checkRead(roomy.available(time) > 0);
        }
    }

    /** Enters that permits may count in the first of the limiters, and returns the time. */
    private long may(int permits, int limiters) {
        for (int i = 0; i < limiters; i++) {
            most[i] += permits;
        }
        return time;
    }

    private void granted(boolean isGranted, int permits, int limiters) {
        if (!isGranted) {
            wrong = "refused";
        }
        for (int i = 0; i < limiters; i++) {
            least[i] += permits;
        }
    }

    private void grantedOrRefused(boolean isGranted, int permits) {
        for (int i = 0; i < LIMITERS; i++) {
            if (isGranted) {
                least[i] += permits;
            } else {
                most[i] -= permits;
            }
        }
    }

    private void reserve(int place) {
        Reservation reservation = roomy.reserve(may(3, 3), 3, Duration.ZERO);
        granted(reservation.isGranted(), 3, 3);
        kept[place] = reservation;
    }

    /** Cancels a reservation of three permits; if an error is thrown, they may count still. */
    private void cancel(int place) {
        Reservation reservation = kept[place];
        if (reservation == null) {
            return;
        }
        kept[place] = null;
        for (int i = 0; i < 3; i++) {
            least[i] -= 3;
        }
        if (reservation.adjustTo(0)) {
            for (int i = 0; i < 3; i++) {
                most[i] -= 3;
            }
        } else {
            wrong = "not cancelled";
        }
    }

    private void checkRead(boolean isRight) {
        if (!isRight) {
            wrong = "read";
        }
    }

    @Override
    public boolean hasRoom() {
        return calls < ROOM;
    }

    /** Checks what counts in each limiter, that all of them can be called, and that all keys can be evicted. */
    @Override
    protected void check(int round) {
        for (int i = 0; i < LIMITERS; i++) {
            long limit = alone[i] == tight ? TIGHT : PERMITS;
            long counts = limit - alone[i].available(time);
            check(
                    counts >= least[i] && counts <= most[i],
                    round,
                    i + " counts " + counts + ", not " + least[i] + " to " + most[i]);
            check(counts <= limit, round, i + " exceeds");
        }
        long later = time + INTERVAL.toNanos() + 1;
        Decision decision = all.decide(later, TIGHT);
        check(decision.isGranted(), round, decision.toString());
        check(!all.tryAcquire(later, 1), round, "exceeds");
        service.checkInvariants();
        tight.checkInvariants();
        long last = later + INTERVAL.toNanos() + 1;
        for (int i = 0; i < OTHERS; i++) {
            users.forKey(i)
                    .tryAcquire(last, 1); // examines also what the rotation has after an error and the map has not
        }
        check(users.size() == OTHERS, round, users.size() + " entries");
        users.checkInvariants();
        users.evictIdle(last + INTERVAL.toNanos() + 1);
        check(users.size() == 0, round, "keeps " + users.size() + " keys");
    }
}
