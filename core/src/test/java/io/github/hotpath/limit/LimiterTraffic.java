package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterStep.Member;
import io.github.hotpath.limit.LimiterWorld.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random steps of one kind, made where a result changes: at the time a request would be granted and a nanosecond before,
 * exactly as old as an interval, with just the permits that are left; some of them late.
 */
final class LimiterTraffic {
    enum Kind {
        /** Limiters and keys, with every member. */
        MIXED,
        /** One call in three is late. */
        LATE,
        /** Mostly reservations, which are adjusted and cancelled in any order. */
        RESERVATIONS,
        /** Many keys, which come and go; now and then all limiters are read again with another clock. */
        KEYS,
        /** Limiters without keys, whose limits stay, and times as far apart as they may be. */
        LEAPS,
        /** One limiter with thousands of entries, now growing, now expiring, one by one or all at once. */
        MANY
    }

    private static final int SINGLES = 3;
    private static final int KEYED = 2;
    private static final int PLANS = 4;

    /** All times of a limiter are within so many nanoseconds of each other. */
    private static final long LONGEST = 1L << 61;

    /** An interval in which thousands gather. */
    private static final long INTERVAL_OF_MANY = 1L << 40;

    private final Kind kind;
    private final SplittableRandom random;
    private final int singles;
    private final int keyed;
    private final List<Limit> limits;
    private long time;

    /** How far it may move on, and how far back a late call may be. */
    private long ahead = LONGEST / 2;

    /** Where thousands gather: whether they do, or expire. */
    private boolean grows = true;

    /** The numbers of the steps that make reservations. */
    private final List<Integer> reserving = new ArrayList<>();

    private int steps;
    private int nextKey = 50;

    LimiterTraffic(Kind kind, Setting setting, long start, SplittableRandom random) {
        this.kind = kind;
        this.random = random;
        singles = setting.limits().size();
        keyed = setting.keyLimits().size();
        limits = Stream.concat(setting.limits().stream(), setting.keyLimits().stream())
                .flatMap(List::stream)
                .toList();
        time = start;
    }

    /** Returns a single limiter, or several and two keyed limiters if there are keys, with any limits. */
    static Setting setting(Kind kind, SplittableRandom random) {
        boolean isAlone = kind == Kind.MANY || kind != Kind.KEYS && random.nextInt(3) == 0;
        List<List<Limit>> plans = new ArrayList<>(some(PLANS - 1, kind, random));
        plans.add(List.of());
        return new Setting(
                some(isAlone ? 1 : SINGLES, kind, random),
                some(isAlone || kind == Kind.LEAPS ? 0 : KEYED, kind, random),
                plans);
    }

    private static List<List<Limit>> some(int count, Kind kind, SplittableRandom random) {
        return IntStream.range(0, count).mapToObj(any -> limits(kind, random)).toList();
    }

    /** Returns one to three limits. */
    static List<Limit> limits(Kind kind, SplittableRandom random) {
        List<Limit> limits = new ArrayList<>();
        if (kind == Kind.MANY) {
            limits.add(limit(3_000 + random.nextInt(6_000), INTERVAL_OF_MANY, random.nextBoolean()));
        }
        for (int left = random.nextInt(kind == Kind.MANY ? 1 : 3); left >= 0; left--) {
            limits.add(limit(permits(kind, random), interval(kind, random), random.nextInt(3) == 0));
        }
        return limits;
    }

    private static Limit limit(long permits, long interval, boolean perCall) {
        Duration duration = Duration.ofNanos(interval);
        return perCall ? Limit.ofCalls(permits, duration) : Limit.of(permits, duration);
    }

    private static long permits(Kind kind, SplittableRandom random) {
        return switch (random.nextInt(kind == Kind.MANY ? 2 : 8)) {
            case 0 -> Integer.MAX_VALUE * 2L;
            case 1 -> Limit.MOST;
            case 2 -> random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(200);
            default -> 1 + random.nextInt(8);
        };
    }

    private static long interval(Kind kind, SplittableRandom random) {
        long[] particular = kind == Kind.LEAPS
                ? new long[] {0, 1L << 60, LONGEST - 1, LONGEST}
                : new long[] {0, 1, 10, 500, 1_000_000_007};
        int common = kind == Kind.LEAPS ? 3 : 8;
        return random.nextInt(common) < 2 ? particular[random.nextInt(particular.length)] : random.nextInt(100);
    }

    /** Returns the next step; {@code world} has made all before. */
    LimiterStep next(CheckedWorld world) {
        List<Integer> targets = targets();
        NaiveJoint model = world.model(targets);
        if (random.nextInt(kind == Kind.MANY ? 20_000 : 400) == 0
                || model.available(time) == 0 && random.nextInt(40) == 0 && kind != Kind.MANY) {
            return cleared(targets);
        }
        if (kind != Kind.LEAPS && random.nextInt(kind == Kind.MANY ? 3_000 : 40) == 0) {
            return changed(targets.get(0));
        }
        if (kind == Kind.KEYS && random.nextInt(100) == 0) {
            long shift = random.nextLong();
            time += shift;
            return next(Member.RESTART, targets, shift, 0, random.nextInt(PLANS));
        }
        int permits = permits(model);
        long nanos = moved(model, permits);
        Member member = member();
        return switch (member) {
            case RESERVE -> {
                reserving.add(steps);
                yield next(member, targets, nanos, permits, maxDelay(model, nanos, permits));
            }
            case ADJUST -> next(member, targets, 0, random.nextInt(3) == 0 ? 0 : permits, reserved());
            case RECORD -> next(member, targets, nanos, 1 + random.nextInt(3), 0);
            case CLOSE_FOR -> next(member, targets, nanos, 0, duration(model, nanos));
            case EVICT_IDLE -> next(member, List.of(LimiterWorld.KEYS * (1 + random.nextInt(keyed))), nanos, 0, 0);
            case AVAILABLE, IS_IDLE -> next(member, targets, asked(nanos), 0, 0);
            default -> next(member, targets, nanos, permits, 0);
        };
    }

    private LimiterStep next(Member member, List<Integer> targets, long nanos, int permits, long argument) {
        return new LimiterStep(steps++, member, targets, nanos, permits, argument);
    }

    /** A limiter that is alone is as new, and may go on at any time. */
    private LimiterStep cleared(List<Integer> targets) {
        if (singles + keyed == 1) {
            time = random.nextInt(4) == 0 ? random.nextLong() : time;
            ahead = LONGEST / 2;
        }
        return next(Member.CLEAR, targets, 0, 0, 0);
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

    /** Returns a step that has made a reservation, most often one of the last ones. */
    private int reserved() {
        int later = random.nextInt(random.nextBoolean() ? 3 : 60);
        return later < reserving.size() ? reserving.get(reserving.size() - 1 - later) : -1;
    }

    /** Returns one to five limiters and keys, which may be the same. */
    private List<Integer> targets() {
        int count = singles + keyed == 1 || random.nextInt(3) == 0 ? 1 : 2 + random.nextInt(4);
        return random.ints(count, 0, singles + 2 * keyed)
                .map(lot -> lot < singles ? lot : LimiterWorld.KEYS * (1 + lot % keyed) + key())
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
        if (random.nextInt(100) < (kind == Kind.RESERVATIONS ? 35 : 8)) {
            return Member.RESERVE;
        }
        boolean tellsQuotas = kind != Kind.MANY || random.nextInt(60) == 0; // for which the model needs the square
        return switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4 -> Member.TRY_ACQUIRE;
            case 5, 6, 7, 8, 9 -> Member.TRY_ACQUIRE_OR_DELAY;
            case 10, 11, 12 -> tellsQuotas ? Member.DECIDE : Member.TRY_ACQUIRE;
            case 13 -> tellsQuotas ? Member.PEEK : Member.IS_IDLE;
            case 14 -> Member.IS_IDLE;
            case 15 -> Member.RECORD;
            case 16 -> Member.CLOSE_FOR;
            case 17, 18 -> Member.AVAILABLE;
            case 19 -> keyed == 0 ? Member.TRY_ACQUIRE : Member.EVICT_IDLE;
            default -> Member.ADJUST;
        };
    }

    private int permits(NaiveJoint model) {
        long max = limits.get(random.nextInt(limits.size())).max();
        return switch (random.nextInt(kind == Kind.MANY ? 60 : 15)) {
            case 0 -> bounded(model.available(time));
            case 1 -> bounded(model.available(time) + 1);
            case 2 -> bounded(max);
            case 3 -> bounded(max + 1);
            case 4, 5, 6, 7 -> 1 + random.nextInt(5);
            default -> 1;
        };
    }

    private static int bounded(long permits) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, permits));
    }

    private long maxDelay(NaiveJoint model, long nanos, int permits) {
        long delay = model.delay(nanos, permits);
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> Math.max(0, delay - 1);
            case 2 -> Long.MAX_VALUE;
            case 3 -> random.nextInt(300);
            default -> delay;
        };
    }

    /** Returns for how long to close: most often to the time of a slot, or shortly before or after. */
    private long duration(NaiveJoint model, long nanos) {
        if (kind == Kind.LEAPS && random.nextBoolean()) {
            return Long.MAX_VALUE - random.nextInt(3);
        }
        long delay = model.delay(nanos, 1);
        long until = delay == Long.MAX_VALUE || kind == Kind.MANY ? random.nextInt(50) : delay;
        return Math.max(0, until + random.nextInt(5) - 2);
    }

    /** Moves on and returns the time, or one that is late. */
    private long moved(NaiveJoint model, int permits) {
        long step = kind == Kind.MANY ? stepOfMany() : step(model, permits);
        if (step <= ahead) {
            time += step;
            ahead -= step;
        }
        boolean isLate = random.nextInt(kind == Kind.LATE ? 3 : 30) == 0;
        return isLate ? time - Math.min(LONGEST / 2, lateness()) : time;
    }

    private long step(NaiveJoint model, int permits) {
        long delay = random.nextInt(3) == 0 ? model.delay(time, permits) : 0;
        if (delay != 0) {
            return delay == Long.MAX_VALUE ? 0 : Math.max(0, delay - random.nextInt(3));
        }
        long interval = interval();
        return switch (random.nextInt(kind == Kind.LEAPS ? 12 : 10)) {
            case 0 -> interval;
            case 1 -> interval + 1;
            case 2 -> interval / (1 + random.nextInt(9));
            case 3, 4 -> random.nextInt(10);
            case 10, 11 -> upTo(ahead);
            default -> random.nextInt(2);
        };
    }

    private long stepOfMany() {
        if (random.nextInt(3_000) == 0) {
            grows = !grows;
            return upTo(INTERVAL_OF_MANY) + (random.nextBoolean() ? INTERVAL_OF_MANY : 0);
        }
        return random.nextInt(20) == 0 ? 0 : upTo(INTERVAL_OF_MANY / (grows ? 8_192 : 64));
    }

    private long lateness() {
        return switch (random.nextInt(6)) {
            case 0 -> interval();
            case 1 -> random.nextInt(4) == 0 ? LONGEST / 2 : random.nextInt(100);
            case 2 -> upTo(interval());
            default -> random.nextInt(20);
        };
    }

    /** Returns a time to read at, up to as far ahead as it may be. */
    private long asked(long nanos) {
        long later = switch (random.nextInt(6)) {
            case 0 -> interval();
            case 1 -> interval() + 1;
            case 2 -> ahead;
            case 3 -> upTo(ahead);
            default -> 0;
        };
        return nanos + Math.min(ahead, later);
    }

    private long interval() {
        return limits.get(random.nextInt(limits.size())).interval().toNanos();
    }

    private long upTo(long most) {
        return random.nextLong(most + 1);
    }
}
