package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterCall.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random calls of one kind, made where a result changes: at the time a request would be granted and a nanosecond
 * before, exactly as old as an interval, with just the permits that are left; some of them late, up to 2^63.
 */
final class LimiterTraffic {
    enum Kind {
        /** Every member, about as often as the others. */
        MIXED,
        /** Mostly attempts, many of which are refused. */
        ATTEMPTS,
        /** Mostly reservations far ahead, which are adjusted and cancelled in any order. */
        RESERVATIONS,
        /** One call in three is late. */
        LATE,
        /** Long intervals, and times as far apart as they may be. */
        LEAPS,
        /** Thousands of entries, now growing, now expiring, one by one or all at once. */
        MANY;

        boolean isLarge() {
            return this == MANY;
        }
    }

    private final Kind kind;
    private final List<Limit> limits;
    private final SplittableRandom random;

    /** All times of one limiter are so many nanoseconds from each other. */
    private static final long LONGEST = 1L << 61;

    /** The latest time of the traffic. */
    private long time;

    /** How far it may move on until all is cleared, and how far back a late one may be. */
    private long ahead = LONGEST / 2;

    /** Where thousands gather: whether they do, or expire. */
    private boolean grows = true;

    LimiterTraffic(Kind kind, List<Limit> limits, long start, SplittableRandom random) {
        this.kind = kind;
        this.limits = limits;
        this.random = random;
        time = start;
    }

    /** Returns one to four limits. For {@link Kind#MANY} the first interval is long enough for thousands. */
    static List<Limit> limits(Kind kind, SplittableRandom random) {
        List<Limit> limits = new ArrayList<>();
        if (kind.isLarge()) {
            limits.add(limit(3_000 + random.nextInt(6_000), 1L << 40, random.nextBoolean()));
        }
        int number = kind.isLarge() ? random.nextInt(3) : 1 + random.nextInt(4);
        while (number-- > 0) {
            limits.add(limit(permits(kind, random), interval(kind, random), random.nextInt(3) == 0));
        }
        return limits;
    }

    /** Returns a limit on permits, or on calls. */
    static Limit limit(long permits, long interval, boolean perCall) {
        return perCall
                ? Limit.ofCalls(permits, Duration.ofNanos(interval))
                : Limit.of(permits, Duration.ofNanos(interval));
    }

    private static long permits(Kind kind, SplittableRandom random) {
        return switch (random.nextInt(kind.isLarge() ? 2 : 8)) {
            case 0 -> Integer.MAX_VALUE * 2L;
            case 1 -> 1L << 62;
            case 2 -> random.nextInt(5) == 0 ? 0 : 1;
            case 3, 4 -> 1 + random.nextInt(4);
            case 5 -> 1 + random.nextInt(200);
            default -> 1 + random.nextInt(30);
        };
    }

    private static long interval(Kind kind, SplittableRandom random) {
        long[] intervals = {0, 1, 10, 500, 1_000_000_007, 1L << 60, (1L << 61) - 1, 1L << 61};
        int common = kind == Kind.LEAPS ? 0 : random.nextInt(3);
        return common == 0 ? intervals[random.nextInt(intervals.length)] : random.nextInt(100);
    }

    /** Returns the next call; {@code model} has made all before. */
    LimiterCall next(NaiveLimiter model) {
        int lot = random.nextInt(kind.isLarge() ? 20_000 : 600);
        if (lot == 0 || isStuck(model) && lot < 100) {
            time = random.nextInt(4) == 0 ? random.nextLong() : time;
            ahead = LONGEST / 2;
            return new LimiterCall(Member.CLEAR, 0, 0, 0);
        }
        int permits = permits(model);
        long nanos = moved(model, permits);
        Member member = member();
        return switch (member) {
            case RESERVE -> new LimiterCall(member, nanos, permits, maxDelay(model, nanos, permits));
            case ADJUST -> new LimiterCall(member, 0, random.nextInt(3) == 0 ? 0 : permits, adjusted());
            case TRY_ACQUIRE, TRY_ACQUIRE_OR_DELAY, DECIDE, PEEK -> new LimiterCall(member, nanos, permits, 0);
            case RECORD -> new LimiterCall(member, nanos, 1 + random.nextInt(3), 0);
            case CLOSE_FOR -> new LimiterCall(member, nanos, 0, closed(model, nanos));
            case AVAILABLE, IS_IDLE -> new LimiterCall(member, asked(nanos), 0, 0);
            default -> new LimiterCall(member, 0, 0, 0);
        };
    }

    /** Whether nothing can be granted any more until all is cleared. */
    private boolean isStuck(NaiveLimiter model) {
        return model.delay(time, 1) > ahead;
    }

    private Member member() {
        int lot = random.nextInt(100);
        int attempts = kind == Kind.RESERVATIONS ? 10 : kind == Kind.MIXED ? 40 : 75;
        if (lot < attempts) {
            return lot % 2 == 0 ? Member.TRY_ACQUIRE : Member.TRY_ACQUIRE_OR_DELAY;
        }
        int reservations = kind == Kind.RESERVATIONS ? 60 : 10;
        if (lot < attempts + reservations) {
            return Member.RESERVE;
        }
        return switch (random.nextInt(20)) {
            case 0, 1 -> Member.AVAILABLE;
            case 2 -> Member.IS_IDLE;
            case 3 -> Member.TO_STRING;
            case 4 -> Member.RECORD;
            case 5 -> Member.CLOSE_FOR;
            case 6, 7 -> kind.isLarge() && random.nextInt(8) > 0 ? Member.ADJUST : Member.DECIDE;
            case 8, 9 -> kind.isLarge() && random.nextInt(8) > 0 ? Member.ADJUST : Member.PEEK;
            default -> Member.ADJUST;
        };
    }

    private int permits(NaiveLimiter model) {
        long left = model.available(time);
        return switch (random.nextInt(kind.isLarge() ? 40 : 10)) {
            case 0 -> bounded(left);
            case 1 -> bounded(left + 1);
            case 2 -> bounded(limits.get(random.nextInt(limits.size())).max());
            case 3 -> bounded(limits.get(random.nextInt(limits.size())).max() + 1);
            case 4 -> 1 + random.nextInt(1_000);
            case 5, 6 -> 1 + random.nextInt(5);
            default -> 1;
        };
    }

    private static int bounded(long permits) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, permits));
    }

    private long adjusted() {
        return random.nextInt(2) == 0 ? random.nextInt(3) : random.nextInt(60);
    }

    private long maxDelay(NaiveLimiter model, long nanos, int permits) {
        long delay = model.delay(nanos, permits);
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> Math.max(0, delay - 1);
            case 2 -> Long.MAX_VALUE;
            case 3 -> random.nextInt(1_000);
            default -> delay;
        };
    }

    /** Returns for how long to close: most often to the time of a slot, or shortly before or after. */
    private long closed(NaiveLimiter model, long nanos) {
        if (kind == Kind.LEAPS && random.nextInt(3) == 0) {
            return Long.MAX_VALUE - random.nextInt(3);
        }
        long delay = model.delay(nanos, 1);
        long until = delay == Long.MAX_VALUE || kind.isLarge() ? random.nextInt(50) : delay;
        return Math.max(0, until + random.nextInt(5) - 2);
    }

    /** Moves on and returns the time, or one that is late. */
    private long moved(NaiveLimiter model, int permits) {
        long step = step(model, permits);
        if (step <= ahead) {
            time += step;
            ahead -= step;
        }
        return random.nextInt(kind == Kind.LATE ? 3 : 30) == 0 ? time - Math.min(LONGEST / 2, lateness()) : time;
    }

    private long step(NaiveLimiter model, int permits) {
        if (kind.isLarge()) {
            return manyStep();
        }
        if (random.nextInt(4) > 0) {
            return step();
        }
        long delay = model.delay(time, permits);
        return delay == 0 || delay == Long.MAX_VALUE ? 0 : Math.max(0, delay - random.nextInt(3));
    }

    private long manyStep() {
        long interval = limits.get(0).interval().toNanos();
        if (random.nextInt(3_000) == 0) {
            grows = !grows;
            return random.nextBoolean() ? 0 : upTo(interval) + (random.nextBoolean() ? interval : 0);
        }
        return random.nextInt(20) == 0 ? 0 : grows ? upTo(interval / 8_192) : upTo(interval / 64);
    }

    private long step() {
        long interval = limits.get(random.nextInt(limits.size())).interval().toNanos();
        if (kind == Kind.LEAPS && random.nextInt(3) == 0) {
            return upTo(ahead);
        }
        return switch (random.nextInt(20)) {
            case 0 -> interval;
            case 1 -> Math.max(0, interval - 1);
            case 2 -> Math.max(interval, interval + 1);
            case 3 -> upTo(interval);
            case 4 -> random.nextInt(20) == 0 ? 1L << 58 : 0;
            case 5, 6, 7 -> random.nextInt(10);
            case 8 -> interval / (1 + random.nextInt(20));
            default -> random.nextInt(2);
        };
    }

    private long lateness() {
        long interval = limits.get(random.nextInt(limits.size())).interval().toNanos();
        return switch (random.nextInt(6)) {
            case 0 -> interval;
            case 1 -> random.nextInt(4) == 0 ? LONGEST / 2 : random.nextInt(100);
            case 2 -> upTo(interval);
            default -> random.nextInt(20);
        };
    }

    /** Returns a time to read at, up to as far ahead as it may be. */
    private long asked(long nanos) {
        long interval = limits.get(random.nextInt(limits.size())).interval().toNanos();
        long later = switch (random.nextInt(6)) {
            case 0 -> interval;
            case 1 -> interval + 1;
            case 2 -> ahead;
            case 3 -> upTo(ahead);
            default -> 0;
        };
        return nanos + Math.min(ahead, later);
    }

    private long upTo(long most) {
        return random.nextLong(most + 1);
    }
}
