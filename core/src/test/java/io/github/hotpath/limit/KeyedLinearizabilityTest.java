package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.fuzz.Interleavings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether all that three threads see of a {@link KeyedLimiter} could have been seen if their calls were made one after
 * another on a map with a limiter for each key, that is never emptied.
 *
 * <p>All calls have the same time, which is therefore never earlier than the eviction time: then the map is the
 * specification. Entries become idle by cancellation, and are evicted by a call for that, and by keys that are added.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KeyedLinearizabilityTest {
    private static final List<Limit> LIMITS =
            List.of(Limit.of(2, Duration.ofNanos(3)), Limit.ofCalls(2, Duration.ofNanos(2)));
    private static final long TIME = Long.MIN_VALUE;
    private static final int THREADS = 8;

    @Test
    void calls_stressed_areLinearizable() {
        stress(5).sequentialSpecification(Never.class).check(Keyed.class);
    }

    @Test
    @Tag("model-checked")
    void calls_modelChecked_areLinearizable() {
        modelChecking().sequentialSpecification(Never.class).check(Keyed.class);
    }

    @Test
    @Tag("model-checked")
    void callsAndClear_modelChecked_areLinearizable() {
        modelChecking().sequentialSpecification(ClearedNever.class).check(ClearedKeyed.class);
    }

    /** Whatever acquires permits of a key that is idle while another thread evicts it: it gets them, and they count. */
    @Test
    @Tag("model-checked")
    void calls_whileTheirKeyIsEvicted_areLinearizable() {
        List<Actor> idle = List.of(call("reserve", 1, 1, 1, 0), call("adjust", 1, 0));
        List<Actor> evicts = List.of(call("evictIdle"));
        List<Actor> evictsAndAcquires = List.of(call("evictIdle"), call("tryAcquire", 1, 2));

        for (Actor acquires :
                List.of(call("tryAcquire", 1, 2), call("tryAcquireOrDelay", 1, 2), call("reserve", 2, 1, 2, 0))) {
            check(Never.class, Keyed.class, idle, evicts, List.of(acquires, call("available", 1)));
            check(Never.class, Keyed.class, idle, evictsAndAcquires, List.of(acquires));
        }
    }

    @Test
    @Tag("model-checked")
    void calls_whileCleared_areLinearizable() {
        List<Actor> busy = List.of(call("tryAcquire", 1, 2));
        List<Actor> clearsAndAcquires = List.of(clear(), call("tryAcquire", 1, 2));

        check(ClearedNever.class, ClearedKeyed.class, busy, clearsAndAcquires, List.of(call("tryAcquire", 1, 1)));
        check(ClearedNever.class, ClearedKeyed.class, List.of(), clearsAndAcquires, List.of(call("tryAcquire", 1, 2)));
    }

    private static Actor call(String name, Object... arguments) {
        return Interleavings.call(Reserving.class, name, arguments);
    }

    private static Actor clear() {
        return Interleavings.call(Clearing.class, "clear");
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

    /** The proof that the others can fail. */
    @Test
    void calls_onTheModelStressed_areNot() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "no two threads run at once on one processor");
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(
                        () -> stress(100).sequentialSpecification(Never.class).check(Never.class));
    }

    private static StressOptions stress(int scenarios) {
        return Interleavings.stressed(scenarios).actorsAfter(2);
    }

    private static ModelCheckingOptions modelChecking() {
        return Interleavings.modelChecked(1, 60).actorsAfter(2);
    }

    /** What is called: a limiter, or the map. */
    private interface Target {
        boolean tryAcquire(int key, int permits);

        long tryAcquireOrDelay(int key, int permits);

        Reservation reserve(int key, int permits, long delay);

        long available(int key);

        void evictIdle();

        void clear();

        static Target keyed() {
            KeyedLimiter<Integer> limiter = KeyedLimiter.of(LIMITS);
            return new Target() {
                @Override
                public boolean tryAcquire(int key, int permits) {
                    return limiter.forKey(key).tryAcquire(TIME, permits);
                }

                @Override
                public long tryAcquireOrDelay(int key, int permits) {
                    return limiter.forKey(key).tryAcquireOrDelay(TIME, permits);
                }

                @Override
                public Reservation reserve(int key, int permits, long delay) {
                    return limiter.forKey(key).reserve(TIME, permits, Duration.ofNanos(delay));
                }

                @Override
                public long available(int key) {
                    return limiter.forKey(key).available(TIME);
                }

                @Override
                public void evictIdle() {
                    limiter.evictIdle(TIME);
                }

                @Override
                public void clear() {
                    limiter.clear();
                }
            };
        }

        /** The sequential specification: a map, which is not thread-safe. */
        static Target map() {
            Map<Integer, SlidingWindowLimiter> map = new HashMap<>();
            return new Target() {
                private SlidingWindowLimiter of(int key) {
                    return map.computeIfAbsent(key, any -> SlidingWindowLimiter.of(LIMITS));
                }

                @Override
                public boolean tryAcquire(int key, int permits) {
                    return of(key).tryAcquire(TIME, permits);
                }

                @Override
                public long tryAcquireOrDelay(int key, int permits) {
                    return of(key).tryAcquireOrDelay(TIME, permits);
                }

                @Override
                public Reservation reserve(int key, int permits, long delay) {
                    return of(key).reserve(TIME, permits, Duration.ofNanos(delay));
                }

                @Override
                public long available(int key) {
                    return of(key).available(TIME);
                }

                @Override
                public void evictIdle() {
                    // it never does
                }

                @Override
                public void clear() {
                    map.clear();
                }
            };
        }
    }

    /** The calls of which Lincheck chooses. Each thread adjusts its own last reservation. Public, as it must be. */
    @Param(name = "key", gen = IntGen.class, conf = "1:2")
    @Param(name = "permits", gen = IntGen.class, conf = "1:2")
    @Param(name = "adjusted", gen = IntGen.class, conf = "0:1")
    @Param(name = "delay", gen = IntGen.class, conf = "0:4")
    @Param(name = "thread", gen = ThreadIdGen.class)
    public abstract static class Calls {
        private final Target target;

        Calls(Target target) {
            this.target = target;
        }

        final Target target() {
            return target;
        }

        @Operation
        public boolean tryAcquire(@Param(name = "key") int key, @Param(name = "permits") int permits) {
            return target.tryAcquire(key, permits);
        }

        @Operation
        public long tryAcquireOrDelay(@Param(name = "key") int key, @Param(name = "permits") int permits) {
            return target.tryAcquireOrDelay(key, permits);
        }

        @Operation
        public long available(@Param(name = "key") int key) {
            return target.available(key);
        }
    }

    /** With reservations and evictions. */
    public abstract static class Reserving extends Calls {
        private final List<List<Reservation>> made = Stream.<List<Reservation>>generate(ArrayList::new)
                .limit(THREADS)
                .toList();

        Reserving(Target target) {
            super(target);
        }

        @Operation
        public String reserve(
                @Param(name = "thread") int thread,
                @Param(name = "key") int key,
                @Param(name = "permits") int permits,
                @Param(name = "delay") int delay) {
            Reservation reservation = target().reserve(key, permits, delay);
            made.get(thread).add(reservation);
            return reservation.toString();
        }

        @Operation
        public boolean adjust(@Param(name = "thread") int thread, @Param(name = "adjusted") int permits) {
            List<Reservation> mine = made.get(thread);
            return !mine.isEmpty() && mine.get(mine.size() - 1).adjustTo(permits);
        }

        @Operation
        public void evictIdle() {
            target().evictIdle();
        }
    }

    /** With clearing, beside which a reservation may be adjusted until it has come to an end. */
    public abstract static class Clearing extends Calls {
        Clearing(Target target) {
            super(target);
        }

        @Operation
        public void clear() {
            target().clear();
        }
    }

    /** See {@link Target#map}. */
    public static class Never extends Reserving {
        /** Of a new map. */
        public Never() {
            super(Target.map());
        }
    }

    /** See {@link Target#keyed}. */
    public static class Keyed extends Reserving {
        /** Of a new limiter. */
        public Keyed() {
            super(Target.keyed());
        }
    }

    /** See {@link Target#map}. */
    public static class ClearedNever extends Clearing {
        /** Of a new map. */
        public ClearedNever() {
            super(Target.map());
        }
    }

    /** See {@link Target#keyed}. */
    public static class ClearedKeyed extends Clearing {
        /** Of a new limiter. */
        public ClearedKeyed() {
            super(Target.keyed());
        }
    }
}
