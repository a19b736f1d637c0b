package io.github.hotpath.limit;

import io.github.hotpath.limit.JointStep.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random steps of one kind, made where a result changes: when a request would be granted, and a nanosecond before. */
final class JointTraffic {
    enum Kind {
        /** Limiters and keys, with every member. */
        MIXED,
        /** One call in three is late. */
        LATE,
        /** Mostly reservations, which are adjusted and cancelled in any order. */
        RESERVATIONS,
        /** Limiters without keys, and times as far apart as they may be. */
        LEAPS
    }

    private static final int SINGLES = 3;

    private final Kind kind;
    private final SplittableRandom random;
    private final long[] intervals;
    private long time;

    /** How far it may move on: all times of a limiter are within 2^61 ns of each other. */
    private long ahead = 1L << 60;

    JointTraffic(Kind kind, long[] intervals, long start, SplittableRandom random) {
        this.kind = kind;
        this.intervals = intervals;
        this.random = random;
        time = start;
    }

    /** Returns the limits of each limiter. */
    static List<List<Limit>> limits(Kind kind, SplittableRandom random) {
        return IntStream.range(0, SINGLES).mapToObj(any -> some(kind, random)).toList();
    }

    /** Returns the limits of each keyed limiter. */
    static List<List<Limit>> keyLimits(Kind kind, SplittableRandom random) {
        return kind == Kind.LEAPS ? List.of() : List.of(some(kind, random), some(kind, random));
    }

    private static List<Limit> some(Kind kind, SplittableRandom random) {
        List<Limit> limits = new ArrayList<>();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            long permits = random.nextInt(6) == 0 ? 1L << 62 : 1 + random.nextInt(8);
            limits.add(LimiterTraffic.limit(permits, interval(kind, random), random.nextInt(3) == 0));
        }
        return limits;
    }

    private static long interval(Kind kind, SplittableRandom random) {
        long[] long_ = {1L << 60, (1L << 61) - 1, 1L << 61};
        return kind == Kind.LEAPS && random.nextInt(3) > 0
                ? long_[random.nextInt(long_.length)]
                : random.nextInt(4) == 0 ? random.nextInt(2) : random.nextInt(100);
    }

    JointStep next(JointWorld world) {
        List<Integer> targets = targets();
        NaiveJoint model = world.model(targets);
        if (random.nextInt(400) == 0 || model.available(time) == 0 && random.nextInt(40) == 0) {
            return new JointStep(Member.CLEAR, targets, 0, 0, 0);
        }
        int permits = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(5);
        long nanos = moved(model, permits);
        Member member = member();
        return switch (member) {
            case RESERVE -> new JointStep(member, targets, nanos, permits, maxDelay(model, nanos, permits));
            case ADJUST -> new JointStep(member, targets, 0, random.nextInt(4), random.nextInt(20));
            case CLOSE_FOR -> new JointStep(member, targets, nanos, 0, duration(model, nanos));
            case EVICT_IDLE -> new JointStep(member, List.of(JointWorld.KEYS * (1 + random.nextInt(2))), nanos, 0, 0);
            default -> new JointStep(member, targets, nanos, permits, 0);
        };
    }

    /** Returns one to five limiters and keys, which may be the same. */
    private List<Integer> targets() {
        int count = random.nextInt(3) == 0 ? 1 : 2 + random.nextInt(4);
        return random.ints(count, 0, 7)
                .map(lot -> kind == Kind.LEAPS || lot < SINGLES
                        ? lot % SINGLES
                        : JointWorld.KEYS * (1 + lot % 2) + random.nextInt(1 + random.nextInt(8)))
                .boxed()
                .toList();
    }

    private Member member() {
        int lot = random.nextInt(100);
        int reserves = kind == Kind.RESERVATIONS ? 30 : 8;
        if (lot < reserves) {
            return Member.RESERVE;
        }
        return switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4 -> Member.TRY_ACQUIRE;
            case 5, 6, 7, 8, 9 -> Member.TRY_ACQUIRE_OR_DELAY;
            case 10, 11, 12 -> Member.DECIDE;
            case 13, 14 -> Member.PEEK;
            case 15, 16 -> Member.RECORD;
            case 17 -> Member.CLOSE_FOR;
            case 18 -> Member.AVAILABLE;
            case 19 -> kind == Kind.LEAPS ? Member.PEEK : Member.EVICT_IDLE;
            default -> Member.ADJUST;
        };
    }

    private long maxDelay(NaiveJoint model, long nanos, int permits) {
        long delay = model.delay(nanos, permits);
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> Math.max(0, delay - 1);
            case 2 -> kind == Kind.LEAPS ? Long.MAX_VALUE : random.nextInt(300);
            default -> delay;
        };
    }

    private long duration(NaiveJoint model, long nanos) {
        if (kind == Kind.LEAPS && random.nextInt(2) == 0) {
            return Long.MAX_VALUE - random.nextInt(3);
        }
        long delay = model.delay(nanos, 1);
        return Math.max(0, (delay == Long.MAX_VALUE ? random.nextInt(50) : delay) + random.nextInt(5) - 2);
    }

    /** Moves on and returns the time, or one that is late. */
    private long moved(NaiveJoint model, int permits) {
        long delay = random.nextInt(3) == 0 ? model.delay(time, permits) : 0;
        long step = delay == 0 ? step() : delay == Long.MAX_VALUE ? 0 : Math.max(0, delay - random.nextInt(3));
        if (step <= ahead) {
            time += step;
            ahead -= step;
        }
        boolean isLate = random.nextInt(kind == Kind.LATE ? 3 : 30) == 0;
        return isLate ? time - random.nextInt(100) : time;
    }

    private long step() {
        long interval = intervals[random.nextInt(intervals.length)];
        return switch (random.nextInt(kind == Kind.LEAPS ? 12 : 10)) {
            case 0 -> interval;
            case 1 -> interval + 1;
            case 2 -> interval / (1 + random.nextInt(9));
            case 3, 4 -> random.nextInt(10);
            case 10, 11 -> random.nextLong(ahead + 1);
            default -> random.nextInt(2);
        };
    }
}
