package io.github.hotpath.limit;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.hotpath.fuzz.Interleavings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether all that three threads see of two keys and a limiter, which they call alone and together, could have been
 * seen if their calls were made one after another on {@link NaiveJoint}, with models that are never evicted.
 *
 * <p>All calls have the same time, which is therefore never earlier than the eviction time: then models that are never
 * evicted are the specification. Entries become idle by cancellation, and are evicted by a call for that, and by keys
 * that are added.
 */
@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class JointKeysLinearizabilityTest {
    private static final List<Limit> KEY_LIMITS =
            List.of(Limit.of(2, Duration.ofNanos(3)), Limit.ofCalls(2, Duration.ofNanos(2)));
    private static final Limit SERVICE_LIMIT = Limit.of(3, Duration.ofNanos(3));
    private static final long TIME = Long.MIN_VALUE;
    private static final int SERVICE = 0;

    /** Which are named, in which order: keys, and the limiter of the service. */
    private static final List<List<Integer>> NAMED = List.of(
            List.of(1),
            List.of(2),
            List.of(SERVICE),
            List.of(1, SERVICE),
            List.of(SERVICE, 1),
            List.of(2, SERVICE),
            List.of(1, 2),
            List.of(2, 1, SERVICE),
            List.of(1, 2, SERVICE, 1));

    private static final int ONE = 0;
    private static final int TWO = 1;
    private static final int ALONE = 2;
    private static final int WITH_SERVICE = 3;
    private static final int BOTH = 6;
    private static final int ALL = 7;

    @Test
    void calls_stressed_areLinearizable() {
        stress(8).sequentialSpecification(Never.class).check(Keyed.class);
    }

    @Test
    @Tag("model-checked")
    void calls_modelChecked_areLinearizable() {
        modelChecking(1).sequentialSpecification(Never.class).check(Keyed.class);
    }

    @Test
    void callsAndClear_stressed_areLinearizable() {
        stress(8).sequentialSpecification(ClearedNever.class).check(ClearedKeyed.class);
    }

    @Test
    @Tag("model-checked")
    void callsAndClear_modelChecked_areLinearizable() {
        modelChecking(1).sequentialSpecification(ClearedNever.class).check(ClearedKeyed.class);
    }

    /** Whatever acquires permits of an idle key while another thread evicts it: they count, in all or in none. */
    @Test
    @Tag("model-checked")
    void calls_whileTheirKeyIsEvicted_areLinearizable() {
        List<Actor> idle = List.of(call("reserve", 1, WITH_SERVICE, 0, 1, 0), call("adjust", 1, 0));
        List<Actor> evicts = List.of(call("evictIdle"), call("tryAcquire", ONE, 0, 2));
        for (Actor acquires : List.of(
                call("tryAcquire", WITH_SERVICE, 0, 1),
                call("tryAcquireOrDelay", ALL, 0, 1),
                call("decide", BOTH, 0, 1),
                call("record", WITH_SERVICE, 0, 2),
                call("reserve", 2, ALL, 0, 1, 0))) {
            check(Never.class, Keyed.class, idle, evicts, List.of(acquires, call("available", ONE, 0)));
        }

        List<Actor> idleAlone = List.of(call("reserve", 1, ONE, 0, 1, 0), call("adjust", 1, 0));
        for (Actor acquires : List.of(
                call("tryAcquire", ONE, 0, 2),
                call("tryAcquireOrDelay", ONE, 0, 2),
                call("reserve", 2, ONE, 0, 2, 0))) {
            check(
                    Never.class,
                    Keyed.class,
                    idleAlone,
                    List.of(call("evictIdle")),
                    List.of(acquires, call("available", ONE, 0)));
            check(Never.class, Keyed.class, idleAlone, evicts, List.of(acquires));
        }
    }

    /** Two threads add the same keys, named in another order. */
    @Test
    @Tag("model-checked")
    void calls_thatAddTheSameKeys_areLinearizable() {
        check(
                Never.class,
                Keyed.class,
                List.of(),
                List.of(call("tryAcquire", BOTH, 0, 2)),
                List.of(call("tryAcquire", ALL, 0, 1), call("available", ALONE, 0)));
        check(
                Never.class,
                Keyed.class,
                List.of(),
                List.of(call("tryAcquire", TWO, 0, 2), call("available", ALONE, 0)),
                List.of(call("decide", ALL, 0, 1)));
        check(
                Never.class,
                Keyed.class,
                List.of(call("tryAcquire", ALONE, 0, 2)),
                List.of(call("tryAcquire", ONE, 0, 2), call("tryAcquire", ALONE, 0, 1)),
                List.of(call("decide", WITH_SERVICE, 0, 2)));
    }

    @Test
    @Tag("model-checked")
    void calls_whileCleared_areLinearizable() {
        List<Actor> busy = List.of(call("tryAcquire", WITH_SERVICE, 0, 2));
        Actor clear = Interleavings.call(Clearing.class, "clear");
        List<Actor> clearsAndAcquires = List.of(clear, call("tryAcquire", WITH_SERVICE, 0, 1));

        check(ClearedNever.class, ClearedKeyed.class, busy, clearsAndAcquires, List.of(call("tryAcquire", ALL, 0, 1)));
        check(ClearedNever.class, ClearedKeyed.class, List.of(), clearsAndAcquires, List.of(call("decide", ALL, 0, 2)));
        List<Actor> alone = List.of(clear, call("tryAcquire", ONE, 0, 2));
        check(ClearedNever.class, ClearedKeyed.class, List.of(), alone, List.of(call("tryAcquire", ONE, 0, 2)));
    }

    private static Actor call(String name, Object... arguments) {
        return Interleavings.call(Calls.class, name, arguments);
    }

    /**
     * Calls of the map are one step: with its own steps there are too many orders for the one that is wrong to be met.
     */
    private static void check(
            Class<?> expected, Class<?> subject, List<Actor> first, List<Actor> one, List<Actor> other) {
        Interleavings.modelChecked(first, one, other)
                .addGuarantee(forClasses(ConcurrentHashMap.class.getName())
                        .allMethods()
                        .ignore())
                .sequentialSpecification(expected)
                .check(subject);
    }

    private static StressOptions stress(int scenarios) {
        return Interleavings.stressed(scenarios).actorsAfter(2);
    }

    private static ModelCheckingOptions modelChecking(int scenarios) {
        return Interleavings.modelChecked(scenarios, 60).actorsAfter(2);
    }

    /** What is named: keys and a limiter, or their models. */
    private interface Targets {
        LimiterCalls of(List<Integer> named);

        void evictIdle();

        void clear();

        static Targets keyed() {
            KeyedLimiter<Integer> keys = KeyedLimiter.of(KEY_LIMITS);
            SlidingWindowLimiter service = SlidingWindowLimiter.of(SERVICE_LIMIT);
            return new Targets() {
                @Override
                public LimiterCalls of(List<Integer> named) {
                    List<Limiter> several = named.stream()
                            .map(each -> each == SERVICE ? service : keys.forKey(each))
                            .toList();
                    return LimiterCalls.on(several.size() == 1 ? several.get(0) : Limiter.allOf(several));
                }

                @Override
                public void evictIdle() {
                    keys.evictIdle(TIME);
                }

                @Override
                public void clear() {
                    keys.clear();
                }
            };
        }

        /** The sequential specification: models, which are not thread-safe. */
        static Targets models() {
            Map<Integer, NaiveLimiter> models = new HashMap<>();
            return new Targets() {
                @Override
                public LimiterCalls of(List<Integer> named) {
                    return new NaiveJoint(
                            named.stream().distinct().map(this::model).toList());
                }

                private NaiveLimiter model(int each) {
                    return models.computeIfAbsent(
                            each, any -> new NaiveLimiter(each == SERVICE ? List.of(SERVICE_LIMIT) : KEY_LIMITS));
                }

                @Override
                public void evictIdle() {
                    // it never does
                }

                @Override
                public void clear() {
                    models.keySet().removeIf(each -> each != SERVICE);
                }
            };
        }
    }

    /** With evictions. Public, as it must be. */
    public abstract static class Calls extends JointCalls {
        final Targets targets;

        Calls(Targets targets) {
            this.targets = targets;
        }

        @Override
        final LimiterCalls target(int named) {
            return targets.of(NAMED.get(named % NAMED.size()));
        }

        @Override
        final long time(int nanos) {
            return TIME;
        }

        @Operation
        public void evictIdle() {
            targets.evictIdle();
        }
    }

    /** With clearing, beside which a reservation may be adjusted until it has come to an end: none is. */
    public abstract static class Clearing extends Calls {
        Clearing(Targets targets) {
            super(targets);
        }

        @Override
        public final boolean adjust(int thread, int permits) {
            return false;
        }

        @Operation
        public void clear() {
            targets.clear();
        }
    }

    /** See {@link Targets#models}. */
    public static class Never extends Calls {
        /** Of new models. */
        public Never() {
            super(Targets.models());
        }
    }

    /** See {@link Targets#keyed}. */
    public static class Keyed extends Calls {
        /** Of new limiters. */
        public Keyed() {
            super(Targets.keyed());
        }
    }

    /** See {@link Targets#models}. */
    public static class ClearedNever extends Clearing {
        /** Of new models. */
        public ClearedNever() {
            super(Targets.models());
        }
    }

    /** See {@link Targets#keyed}. */
    public static class ClearedKeyed extends Clearing {
        /** Of new limiters. */
        public ClearedKeyed() {
            super(Targets.keyed());
        }
    }
}
