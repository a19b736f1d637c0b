package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterWorld.Setting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a {@link LimiterWorld} in as few lines as possible, over the models of its limiters. Keys are evicted when
 * a step says so, and by {@link #evict}.
 */
final class NaiveWorld {
    private final Setting setting;

    /** Those that are there: each limiter, and keys. */
    private final Map<Integer, NaiveLimiter> limiters = new TreeMap<>();

    private final Map<Integer, List<Limit>> updated = new HashMap<>();

    /** When a key of a keyed limiter was evicted at the latest. */
    private final Map<Integer, Long> evictionTimes = new HashMap<>();

    /** The latest times of keys that have an idle entry, if they differ from the eviction time; null for none. */
    private Map<Integer, @Nullable Long> starts = Map.of();

    private final Map<Integer, NaiveJoint.Reserved> reserved = new HashMap<>();

    NaiveWorld(Setting setting) {
        this.setting = setting;
        for (int single = 0; single < setting.limits().size(); single++) {
            limiters.put(single, limiter(single));
        }
    }

    private List<Limit> limits(int target) {
        return updated.getOrDefault(target, setting.of(target));
    }

    /** Returns the model of a limiter; for a key without entry a new one. */
    private NaiveLimiter limiter(int target) {
        NaiveLimiter limiter = limiters.get(target);
        if (limiter == null) {
            limiter = new NaiveLimiter(limits(target));
            Long start =
                    starts.containsKey(target) ? starts.get(target) : evictionTimes.get(LimiterWorld.keyed(target));
            if (start != null) {
                limiter.startAt(start);
            }
        }
        return limiter;
    }

    /** Returns the models of some limiters together. */
    NaiveJoint joint(List<Integer> targets) {
        return new NaiveJoint(targets.stream().distinct().map(this::limiter).toList());
    }

    Set<Integer> there() {
        return limiters.keySet();
    }

    List<Integer> keys() {
        return limiters.keySet().stream()
                .filter(target -> target >= LimiterWorld.KEYS)
                .toList();
    }

    private boolean isSameKeyed(int target, int other) {
        return LimiterWorld.keyed(target) == LimiterWorld.keyed(other);
    }

    private List<Integer> keysBeside(int target) {
        return keys().stream().filter(key -> isSameKeyed(key, target)).toList();
    }

    private void remove(int target) {
        NaiveLimiter removed = limiters.remove(target);
        if (removed != null) {
            removed.clear(); // its reservations are of no limiter any more
        }
    }

    /** Evicts a key if it is idle; returns whether it was. */
    boolean evict(int target, long nanos) {
        Long before = evictionTimes.get(LimiterWorld.keyed(target));
        long time = before != null && before - nanos > 0 ? before : nanos;
        NaiveLimiter limiter = limiters.get(target);
        if (limiter == null || limiter.latest() - time > 0 || !limiter.isIdle(time)) {
            return false;
        }
        evictionTimes.put(LimiterWorld.keyed(target), time);
        remove(target);
        return true;
    }

    void setStarts(Map<Integer, @Nullable Long> starts) {
        this.starts = starts;
    }

    /** Sets the time at which a key of a keyed limiter was evicted at the latest. */
    void setEvictionTime(int keyed, @Nullable Long time) {
        evictionTimes.compute(keyed, (same, before) -> time);
    }

    /** The same for a call that finds no entry and is told the limits of an update that is in progress. */
    String makeAsked(LimiterStep step, LimiterStep update) {
        List<Limit> before = updated.put(update.target(), setting.plans().get((int) update.argument()));
        String returned = make(step);
        updated.put(update.target(), before == null ? setting.of(update.target()) : before);
        return returned;
    }

    /** Returns what the call returns: a string, in which two numbers are bounds. */
    String make(LimiterStep step) {
        int target = step.targets().isEmpty() ? 0 : step.target();
        long nanos = step.nanos();
        switch (step.member()) {
            case ADJUST -> {
                NaiveJoint.Reserved made = reserved.get((int) step.argument());
                return String.valueOf(made != null && made.adjust(step.permits()));
            }
            case CLEAR -> {
                if (target < LimiterWorld.KEYS) {
                    limiters.get(target).clear();
                } else {
                    keysBeside(target).forEach(this::remove);
                    evictionTimes.remove(LimiterWorld.keyed(target));
                }
            }
            case REMOVE -> remove(target);
            case SET_LIMITS, UPDATE_LIMITS, UPDATE_ALL_LIMITS -> {
                updated.put(target, setting.plans().get((int) step.argument()));
                if (limiters.containsKey(target)) {
                    limiters.get(target).setLimits(limits(target));
                }
            }
            case EVICT_IDLE -> keysBeside(target).forEach(key -> evict(key, nanos));
            case SIZE -> {
                return "0.." + HistoryProgram.MEMBERS.size();
            }
            case SIZE_AT_REST -> {
                return size(target, nanos);
            }
            case WRITE -> {
                return String.valueOf(
                        limiter(target).under(LimiterWorld.WIDE, 0).available(nanos));
            }
            case RESTART -> {
                if (LimiterWorld.hasOwnLimits(target)) {
                    updated.put(target, setting.plans().get((int) step.argument()));
                }
                limiters.replaceAll((each, limiter) -> limiter.under(limits(each), nanos));
                evictionTimes.replaceAll((keyed, time) -> time + nanos);
            }
            default -> {
                return call(step);
            }
        }
        return "done";
    }

    /** Idle keys may have been evicted, and keys that were refused may have an idle entry. */
    private String size(int target, long nanos) {
        long busy = keysBeside(target).stream()
                .filter(key -> !limiters.get(key).isIdle(nanos))
                .count();
        return busy + ".." + HistoryProgram.MEMBERS.size();
    }

    private String call(LimiterStep step) {
        long nanos = step.nanos();
        int permits = step.permits();
        Map<Integer, NaiveLimiter> members = new TreeMap<>();
        step.targets().forEach(target -> members.computeIfAbsent(target, this::limiter));
        NaiveJoint joint = new NaiveJoint(
                step.targets().stream().distinct().map(members::get).toList());
        Object returned = switch (step.member()) {
            case TRY_ACQUIRE -> joint.tryAcquire(nanos, permits);
            case TRY_ACQUIRE_OR_DELAY -> joint.tryAcquireOrDelay(nanos, permits);
            case RESERVE -> {
                NaiveJoint.Reserved made = joint.reserve(nanos, permits, step.argument());
                reserved.put(step.number(), made);
                yield made.text();
            }
            case DECIDE -> joint.decide(nanos, permits);
            case PEEK -> joint.peek(nanos, permits);
            case AVAILABLE -> joint.available(nanos);
            case IS_IDLE -> joint.isIdle(nanos);
            case RECORD -> {
                joint.record(nanos, permits);
                yield "done";
            }
            case CLOSE_FOR -> {
                joint.closeFor(nanos, step.argument());
                yield "done";
            }
            default -> throw new AssertionError(step);
        };
        members.forEach((target, member) -> {
            if (member.isStarted()
                    && (!member.isIdle(member.latest()) || step.member() == LimiterStep.Member.CLOSE_FOR)) {
                limiters.put(target, member);
            }
        });
        return returned.toString();
    }
}
