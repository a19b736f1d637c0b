package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterStep.Member;
import io.github.hotpath.limit.LimiterWorld.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random steps of one kind, made where a result changes: when a request would be granted, and a nanosecond before. */
final class JointTraffic {
    enum Kind {
        /** Limiters and keys, with every member. */
        MIXED,
        /** One call in three is late. */
        LATE,
        /** Mostly reservations, which are adjusted and cancelled in any order. */
        RESERVATIONS,
        /** Many keys, which come and go; now and then all limiters are read again with another clock. */
        KEYS,
        /** Limiters without keys, and times as far apart as they may be. */
        LEAPS
    }

    private static final int SINGLES = 3;
    private static final int PLANS = 4;

    private final Kind kind;
    private final SplittableRandom random;
    private final long[] intervals;
    private long time;

    /** How far it may move on: all times of a limiter are within 2^61 ns of each other. */
    private long ahead = 1L << 60;

    /** The numbers of the steps that make reservations. */
    private final List<Integer> reserving = new ArrayList<>();

    private int steps;
    private int nextKey = 50;

    JointTraffic(Kind kind, Setting setting, long start, SplittableRandom random) {
        this.kind = kind;
        this.intervals = Stream.of(setting.limits(), setting.keyLimits())
                .flatMap(List::stream)
                .flatMap(List::stream)
                .mapToLong(limit -> limit.interval().toNanos())
                .toArray();
        this.random = random;
        time = start;
    }

    /** Returns limiters, and two keyed limiters if there are keys, with any limits. */
    static Setting setting(Kind kind, SplittableRandom random) {
        return new Setting(
                some(SINGLES, kind, random), some(kind == Kind.LEAPS ? 0 : 2, kind, random), some(PLANS, kind, random));
    }

    private static List<List<Limit>> some(int count, Kind kind, SplittableRandom random) {
        return IntStream.range(0, count).mapToObj(any -> some(kind, random)).toList();
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

    LimiterStep next(JointWorld world) {
        List<Integer> targets = targets();
        NaiveJoint model = world.model(targets);
        if (random.nextInt(400) == 0 || model.available(time) == 0 && random.nextInt(40) == 0) {
            return next(Member.CLEAR, targets, 0, 0, 0);
        }
        if (kind != Kind.LEAPS && random.nextInt(60) == 0) {
            return changed(targets.get(0));
        }
        if (kind == Kind.KEYS && random.nextInt(100) == 0) {
            long shift = random.nextLong();
            time += shift;
            return next(Member.RESTART, targets, shift, 0, 0);
        }
        int permits = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(5);
        long nanos = moved(model, permits);
        Member member = member();
        return switch (member) {
            case RESERVE -> {
                reserving.add(steps);
                yield next(member, targets, nanos, permits, maxDelay(model, nanos, permits));
            }
            case ADJUST -> next(member, targets, 0, random.nextInt(4), reserved());
            case CLOSE_FOR -> next(member, targets, nanos, 0, duration(model, nanos));
            case EVICT_IDLE -> next(member, List.of(LimiterWorld.KEYS * (1 + random.nextInt(2))), nanos, 0, 0);
            default -> next(member, targets, nanos, permits, 0);
        };
    }

    private LimiterStep next(Member member, List<Integer> targets, long nanos, int permits, long argument) {
        return new LimiterStep(steps++, member, targets, nanos, permits, argument);
    }

    /** Changes the limits of a limiter, or of a key if they can change; or removes it. */
    private LimiterStep changed(int target) {
        boolean isSingle = target < LimiterWorld.KEYS;
        Member member = isSingle
                ? Member.SET_LIMITS
                : target >= LimiterWorld.TENANTS || random.nextInt(4) == 0
                        ? Member.REMOVE
                        : random.nextBoolean() ? Member.UPDATE_LIMITS : Member.UPDATE_ALL_LIMITS;
        return next(member, List.of(target), time, 0, random.nextInt(PLANS));
    }

    /** Returns a step that has made a reservation, one of the last ones. */
    private int reserved() {
        int later = random.nextInt(20);
        return later < reserving.size() ? reserving.get(reserving.size() - 1 - later) : -1;
    }

    /** Returns one to five limiters and keys, which may be the same. */
    private List<Integer> targets() {
        int count = random.nextInt(3) == 0 ? 1 : 2 + random.nextInt(4);
        return random.ints(count, 0, 7)
                .map(lot ->
                        kind == Kind.LEAPS || lot < SINGLES ? lot % SINGLES : LimiterWorld.KEYS * (1 + lot % 2) + key())
                .boxed()
                .toList();
    }

    private int key() {
        if (kind != Kind.KEYS) {
            return random.nextInt(1 + random.nextInt(8));
        }
        nextKey += random.nextInt(8) == 0 ? 1 : 0;
        return nextKey - random.nextInt(1 + random.nextInt(50));
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
