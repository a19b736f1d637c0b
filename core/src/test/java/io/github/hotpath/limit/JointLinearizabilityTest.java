package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.fuzz.Interleavings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * Whether all that three threads see of three limiters, which they call alone and together, named in any order, could
 * have been seen if their calls were made one after another on {@link NaiveJoint}.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class JointLinearizabilityTest {
    private static final List<List<Limit>> LIMITS = List.of(
            List.of(Limit.of(1, Duration.ofNanos(3))),
            List.of(Limit.of(3, Duration.ofNanos(3)), Limit.ofCalls(2, Duration.ofNanos(2))),
            List.of(Limit.of(2, Duration.ofNanos(4))));

    /** Which limiters are named, in which order. */
    private static final List<List<Integer>> NAMED = List.of(
            List.of(0),
            List.of(1),
            List.of(2),
            List.of(0, 1),
            List.of(1, 0),
            List.of(1, 2),
            List.of(2, 1),
            List.of(0, 2),
            List.of(0, 1, 2),
            List.of(2, 1, 0),
            List.of(1, 0, 1));

    private static final int FIRST = 0;
    private static final int SECOND = 1;
    private static final int BOTH = 3;
    private static final int BOTH_REVERSED = 4;
    private static final int ALL = 8;

    @Test
    void calls_stressed_areLinearizable() {
        stress(12).check(Concurrent.class);
    }

    @Test
    @Tag("model-checked")
    void calls_modelChecked_areLinearizable() {
        modelChecking(4).check(Concurrent.class);
    }

    /** What one limiter has granted for several, the others have too. */
    @Test
    @Tag("model-checked")
    void tryAcquire_ofSeveral_isNeverSeenHalfMade() {
        List<Actor> reads = List.of(call("available", FIRST, 1), call("available", SECOND, 1));
        List<Actor> readsBack = List.of(call("available", SECOND, 1), call("available", FIRST, 1));
        for (Actor changes : List.of(
                call("tryAcquire", BOTH, 1, 1),
                call("decide", BOTH, 1, 1),
                call("record", BOTH_REVERSED, 1, 2),
                call("closeFor", BOTH, 1, 2),
                call("reserve", 1, BOTH, 1, 1, 3))) {
            check(List.of(), List.of(changes), reads);
            check(List.of(), List.of(changes), readsBack);
        }
        List<Actor> reserved = List.of(call("reserve", 1, BOTH, 1, 1, 0));
        check(reserved, List.of(call("adjust", 1, 0)), reads);
        check(reserved, List.of(call("adjust", 1, 0)), readsBack);
    }

    /** A thread refused by one limiter as it is after a call is not refused by another one as it was before. */
    @Test
    @Tag("model-checked")
    void tryAcquire_refusedWithoutTheLock_isSoByAllOfThemAtOnce() {
        List<Actor> exhausts = List.of(call("tryAcquire", 2, 2, 2));
        for (Actor request : List.of(call("tryAcquire", 2, 4, 1), call("tryAcquireOrDelay", 2, 4, 1))) {
            check(exhausts, List.of(call("tryAcquire", 7, 8, 1)), List.of(call("tryAcquire", FIRST, 4, 1), request));
        }
        check(
                exhausts,
                List.of(call("closeFor", 7, 8, 4)),
                List.of(call("tryAcquire", FIRST, 4, 1), call("peek", 2, 4, 1)));
        check(
                exhausts,
                List.of(call("closeFor", 7, 3, 9)),
                List.of(call("tryAcquire", FIRST, 4, 1), call("tryAcquire", 2, 4, 1)));
    }

    @Test
    @Tag("model-checked")
    void calls_ofSeveralNamedInOppositeOrder_areLinearizable() {
        check(
                List.of(),
                List.of(call("tryAcquire", BOTH, 1, 1), call("tryAcquireOrDelay", ALL, 2, 1)),
                List.of(call("tryAcquire", BOTH_REVERSED, 1, 1), call("decide", 9, 5, 1)));
        check(
                List.of(call("tryAcquire", 2, 1, 1)),
                List.of(call("reserve", 1, 8, 1, 1, 6), call("adjust", 1, 3)),
                List.of(call("reserve", 2, 9, 2, 1, 6), call("adjust", 2, 0)));
    }

    private static Actor call(String name, Object... arguments) {
        return Interleavings.call(Calls.class, name, arguments);
    }

    private static void check(List<Actor> first, List<Actor> one, List<Actor> other) {
        Interleavings.modelChecked(first, one, other)
                .sequentialSpecification(Sequential.class)
                .check(Concurrent.class);
    }

    /** The proof that the others can fail. */
    @Test
    void calls_oneAfterAnother_areNotLinearizable() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "no two threads run at once on one processor");
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> stress(100).check(InARow.class));
    }

    private static StressOptions stress(int scenarios) {
        return Interleavings.stressed(scenarios).sequentialSpecification(Sequential.class);
    }

    private static ModelCheckingOptions modelChecking(int scenarios) {
        return Interleavings.modelChecked(scenarios, 100).sequentialSpecification(Sequential.class);
    }

    /** The calls of which Lincheck chooses. Each thread adjusts its own last reservation. Public, as it must be. */
    @Param(name = "named", gen = IntGen.class, conf = "0:10")
    @Param(name = "limiter", gen = IntGen.class, conf = "0:2")
    @Param(name = "nanos", gen = IntGen.class, conf = "0:8")
    @Param(name = "permits", gen = IntGen.class, conf = "1:2")
    @Param(name = "adjusted", gen = IntGen.class, conf = "0:3")
    @Param(name = "delay", gen = IntGen.class, conf = "0:6")
    @Param(name = "thread", gen = ThreadIdGen.class)
    public abstract static class Calls {
        private static final int THREADS = 8;

        private final JointReservations reservations = new JointReservations(THREADS);

        abstract LimiterCalls target(List<Integer> named);

        private LimiterCalls named(int index) {
            return target(NAMED.get(index));
        }

        @Operation
        public boolean tryAcquire(
                @Param(name = "named") int named,
                @Param(name = "nanos") int nanos,
                @Param(name = "permits") int permits) {
            return named(named).tryAcquire(nanos, permits);
        }

        @Operation
        public long tryAcquireOrDelay(
                @Param(name = "named") int named,
                @Param(name = "nanos") int nanos,
                @Param(name = "permits") int permits) {
            return named(named).tryAcquireOrDelay(nanos, permits);
        }

        @Operation
        public String decide(
                @Param(name = "named") int named,
                @Param(name = "nanos") int nanos,
                @Param(name = "permits") int permits) {
            return named(named).decide(nanos, permits).toString();
        }

        @Operation
        public String peek(
                @Param(name = "named") int named,
                @Param(name = "nanos") int nanos,
                @Param(name = "permits") int permits) {
            return named(named).peek(nanos, permits).toString();
        }

        @Operation
        public String reserve(
                @Param(name = "thread") int thread,
                @Param(name = "named") int named,
                @Param(name = "nanos") int nanos,
                @Param(name = "permits") int permits,
                @Param(name = "delay") int delay) {
            return reservations.add(thread, named(named).reserve(nanos, permits, delay));
        }

        @Operation
        public boolean adjust(@Param(name = "thread") int thread, @Param(name = "adjusted") int permits) {
            return reservations.adjustLast(thread, permits);
        }

        @Operation
        public void record(
                @Param(name = "named") int named,
                @Param(name = "nanos") int nanos,
                @Param(name = "permits") int permits) {
            named(named).record(nanos, permits);
        }

        @Operation
        public void closeFor(
                @Param(name = "named") int named,
                @Param(name = "nanos") int nanos,
                @Param(name = "delay") int duration) {
            named(named).closeFor(nanos, duration);
        }

        @Operation
        public long available(@Param(name = "named") int named, @Param(name = "nanos") int nanos) {
            return named(named).available(nanos);
        }

        @Operation
        public void clear(@Param(name = "limiter") int limiter) {
            clearOne(limiter);
        }

        abstract void clearOne(int limiter);
    }

    /** The sequential specification: the calls on models, which are not thread-safe. */
    public static class Sequential extends Calls {
        private final List<NaiveLimiter> models =
                LIMITS.stream().map(NaiveLimiter::new).toList();

        @Override
        LimiterCalls target(List<Integer> named) {
            return new NaiveJoint(named.stream().distinct().map(models::get).toList());
        }

        @Override
        void clearOne(int limiter) {
            models.get(limiter).clear();
        }
    }

    /** The calls on new limiters. */
    public static class Concurrent extends Calls {
        private final List<SlidingWindowLimiter> limiters =
                LIMITS.stream().map(limits -> SlidingWindowLimiter.of(limits)).toList();

        @Override
        LimiterCalls target(List<Integer> named) {
            List<SlidingWindowLimiter> several =
                    named.stream().map(limiters::get).toList();
            return LimiterCalls.on(several.size() == 1 ? several.get(0) : Limiter.allOf(several));
        }

        @Override
        void clearOne(int limiter) {
            limiters.get(limiter).clear();
        }
    }

    /** What one would write without {@link Limiter#allOf}: nothing is acquired of later ones if one refuses. */
    public static class InARow extends Concurrent {
        @Override
        public boolean tryAcquire(int named, int nanos, int permits) {
            return IntStream.range(0, NAMED.get(named).size())
                    .mapToObj(i -> target(NAMED.get(named).subList(i, i + 1)))
                    .allMatch(limiter -> limiter.tryAcquire(nanos, permits));
        }
    }
}
