package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Some limiters and keys, and their models. Each step is made on both, and throws if they differ.
 *
 * <p>Limiters have the numbers 0, 1, 2 and so on; the keys of a keyed limiter, 100, 101 and so on, or 200, 201 and so
 * on. The model of a key without entry is a new one each time. It begins with the eviction time, as an entry does.
 */
final class JointWorld {
    /** The number of the first key of a keyed limiter is a multiple of this. */
    static final int KEYS = 100;

    private final List<List<Limit>> limits;
    private final List<List<Limit>> keyLimits;
    private final List<SlidingWindowLimiter> singles = new ArrayList<>();
    private final List<KeyedLimiter<Integer>> keyed = new ArrayList<>();
    private final Map<Integer, NaiveLimiter> models = new LinkedHashMap<>();
    private final List<Reservation> reservations = new ArrayList<>();
    private final List<NaiveJoint.Reserved> reserved = new ArrayList<>();
    private int evicted;
    private int grantedJointly;

    JointWorld(List<List<Limit>> limits, List<List<Limit>> keyLimits) {
        this.limits = limits;
        this.keyLimits = keyLimits;
        for (List<Limit> each : limits) {
            models.put(singles.size(), new NaiveLimiter(each));
            singles.add(SlidingWindowLimiter.of(each));
        }
        keyLimits.forEach(each -> keyed.add(KeyedLimiter.of(each)));
    }

    int evicted() {
        return evicted;
    }

    int grantedJointly() {
        return grantedJointly;
    }

    /** Returns the models of some limiters together. */
    NaiveJoint model(List<Integer> targets) {
        return new NaiveJoint(targets.stream().distinct().map(this::model).toList());
    }

    private NaiveLimiter model(int target) {
        NaiveLimiter model = models.get(target);
        if (model == null) {
            model = new NaiveLimiter(keyLimits.get(target / KEYS - 1));
            EvictionTime time = keyed(target).map().evictionTime;
            if (time.started) {
                model.startAt(time.nanos);
            }
        }
        return model;
    }

    private KeyedLimiter<Integer> keyed(int target) {
        return keyed.get(target / KEYS - 1);
    }

    private Limiter limiter(int target) {
        return target < KEYS ? singles.get(target) : keyed(target).forKey(target);
    }

    /** Returns the limiters together: some of them, and these together with the others. */
    Limiter limiter(List<Integer> targets) {
        if (targets.size() == 1) {
            return limiter(targets.get(0));
        }
        int half = targets.size() / 2;
        List<Limiter> together = new ArrayList<>();
        together.add(Limiter.allOf(
                targets.subList(0, half).stream().map(this::limiter).toList()));
        targets.subList(half, targets.size()).forEach(target -> together.add(limiter(target)));
        return Limiter.allOf(together);
    }

    void make(JointStep step) {
        switch (step.member()) {
            case EVICT_IDLE -> keyed(step.targets().get(0)).evictIdle(step.nanos());
            case CLEAR -> clear(step.targets().get(0));
            case ADJUST -> adjust(step);
            default -> call(step);
        }
        dropEvicted();
    }

    private void clear(int target) {
        if (target < KEYS) {
            singles.get(target).clear();
            models.get(target).clear();
        } else {
            keyed(target).clear();
            models.entrySet().removeIf(entry -> {
                boolean isCleared = entry.getKey() / KEYS == target / KEYS;
                if (isCleared) {
                    entry.getValue().clear();
                }
                return isCleared;
            });
        }
    }

    private void adjust(JointStep step) {
        int index = reservations.size() - 1 - (int) step.argument();
        if (index >= 0) {
            boolean ours = reservations.get(index).adjustTo(step.permits());
            assertThat(ours).as(step.toString()).isEqualTo(reserved.get(index).adjust(step.permits()));
        }
    }

    private void call(JointStep step) {
        Map<Integer, NaiveLimiter> members = new LinkedHashMap<>();
        step.targets().forEach(target -> members.computeIfAbsent(target, this::model));
        NaiveJoint model = new NaiveJoint(List.copyOf(members.values()));
        Limiter limiter = limiter(step.targets());
        long nanos = step.nanos();
        boolean changes = switch (step.member()) {
            case TRY_ACQUIRE ->
                same(step, limiter.tryAcquire(nanos, step.permits()), model.tryAcquire(nanos, step.permits()));
            case TRY_ACQUIRE_OR_DELAY -> {
                long delay = limiter.tryAcquireOrDelay(nanos, step.permits());
                yield same(step, delay, model.tryAcquireOrDelay(nanos, step.permits())) == 0;
            }
            case DECIDE -> {
                Decision decision = limiter.decide(nanos, step.permits());
                same(
                        step,
                        decision.toString(),
                        model.decide(nanos, step.permits()).toString());
                yield decision.isGranted();
            }
            case RESERVE -> reserve(step, limiter, model);
            case PEEK -> {
                String ours = limiter.peek(nanos, step.permits()).toString();
                same(step, ours, model.peek(nanos, step.permits()).toString());
                yield false;
            }
            case AVAILABLE -> same(step, limiter.available(nanos), model.available(nanos)) < 0;
            default -> change(step, limiter, model);
        };
        grantedJointly += changes && members.size() > 1 ? 1 : 0;
        members.forEach((target, member) -> keep(step, target, member, changes));
    }

    private boolean reserve(JointStep step, Limiter limiter, NaiveJoint model) {
        Duration maxDelay = Duration.ofNanos(step.argument());
        reservations.add(limiter.reserve(step.nanos(), step.permits(), maxDelay));
        reserved.add(model.reserve(step.nanos(), step.permits(), step.argument()));
        Reservation last = reservations.get(reservations.size() - 1);
        same(step, last.toString(), reserved.get(reserved.size() - 1).text());
        return last.isGranted();
    }

    private static boolean change(JointStep step, Limiter limiter, NaiveJoint model) {
        if (step.member() == JointStep.Member.RECORD) {
            limiter.record(step.nanos(), step.permits());
            model.record(step.nanos(), step.permits());
        } else {
            limiter.closeFor(step.nanos(), Duration.ofNanos(step.argument()));
            model.closeFor(step.nanos(), step.argument());
        }
        return true;
    }

    private static <T> T same(JointStep step, T ours, T expected) {
        assertThat(ours).as(step.toString()).isEqualTo(expected);
        return ours;
    }

    /** Checks that a key has been added if the call has changed it, and keeps its model as that of the entry. */
    private void keep(JointStep step, int target, NaiveLimiter model, boolean changes) {
        if (target < KEYS || models.containsKey(target)) {
            return;
        }
        boolean isThere = keyed(target).map().get(target) != null;
        boolean isToBe = changes && !model.isIdle(model.latest());
        assertThat(isThere).as("%s: an entry of %s", step, target).isEqualTo(isToBe);
        if (isThere) {
            models.put(target, model);
        }
    }

    private void dropEvicted() {
        models.entrySet().removeIf(entry -> {
            int target = entry.getKey();
            if (target < KEYS || keyed(target).map().get(target) != null) {
                return false;
            }
            NaiveLimiter model = entry.getValue();
            assertThat(model.isIdle(keyed(target).map().evictionTime.nanos))
                    .as("idle when evicted")
                    .isTrue();
            model.clear(); // its reservations are of no key any more
            evicted++;
            return true;
        });
    }

    /** Checks each limiter as a whole, and what is available in it. */
    void check(long nanos) {
        singles.forEach(SlidingWindowLimiter::checkInvariants);
        keyed.forEach(KeyedLimiter::checkInvariants);
        models.forEach(
                (target, model) -> assertThat(limiter(target).available(nanos)).isEqualTo(model.available(nanos)));
        for (int i = 0; i < singles.size(); i++) {
            assertThat(singles.get(i).isIdle(nanos)).isEqualTo(models.get(i).isIdle(nanos));
        }
    }

    @Override
    public String toString() {
        return limits + ", keys " + keyLimits;
    }
}
