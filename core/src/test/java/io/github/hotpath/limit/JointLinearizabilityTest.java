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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether all that three threads see of three limiters, which they call alone and together, named in any order, could
 * have been seen if their calls were made one after another on {@link NaiveJoint}.
 */
@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class JointLinearizabilityTest {
    private static final List<List<Limit>> LIMITS = List.of(
            List.of(Limit.of(1, Duration.ofNanos(3))),
            List.of(Limit.of(3, Duration.ofNanos(3)), Limit.ofCalls(2, Duration.ofNanos(2))),
            List.of(Limit.of(2, Duration.ofNanos(4))));

    /** What the limits of the first one can become. */
    private static final List<List<Limit>> PLANS =
            List.of(LIMITS.get(0), LIMITS.get(1), List.of(Limit.of(0, Duration.ofNanos(3))));

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
        modelChecking(2).check(Concurrent.class);
    }

    /** The limit is exhausted until a later time than that which a reader of the state in between must not apply. */
    @Test
    @Tag("model-checked")
    void tryAcquire_earlierTimePublishedMeanwhile_isNotRefusedForTheLaterOne() {
        List<Actor> first = List.of(call("tryAcquire", FIRST, 8, 1), call("clear", FIRST));
        List<Actor> exhausts = List.of(call("tryAcquire", FIRST, 0, 1));

        // so many that a switch between the two stores that publish is among them
        check(600, first, exhausts, List.of(call("tryAcquire", FIRST, 5, 1)));
        check(600, first, exhausts, List.of(call("tryAcquireOrDelay", FIRST, 5, 1)));
    }

    @Test
    @Tag("model-checked")
    void tryAcquire_afterAClearThatIsSeen_isNotRefused() {
        List<Actor> first = List.of(call("tryAcquire", FIRST, 8, 1));
        Actor clear = call("clear", FIRST);
        Actor acquire = call("tryAcquire", FIRST, 8, 1);

        check(first, List.of(clear), List.of(call("available", FIRST, 8), acquire));
        check(first, List.of(call("available", FIRST, 8)), List.of(clear, acquire));
        check(first, List.of(call("isIdle", FIRST, 8)), List.of(clear, call("tryAcquireOrDelay", FIRST, 8, 1)));
    }

    @Test
    @Tag("model-checked")
    void tryAcquire_afterACorrectionThatIsSeen_countsIt() {
        Actor reserve = call("reserve", 1, FIRST, 8, 1, 0);
        Actor cancel = call("adjust", 1, 0);
        Actor acquire = call("tryAcquire", FIRST, 8, 1);

        check(List.of(reserve), List.of(cancel), List.of(call("available", FIRST, 8), acquire));
        check(List.of(reserve), List.of(call("available", FIRST, 8)), List.of(cancel, acquire));
        check(
                List.of(reserve, cancel),
                List.of(acquire),
                List.of(call("reserve", 2, FIRST, 8, 1, 4), call("isIdle", FIRST, 8)));
    }

    /** Slots are granted in order: a request does not overtake the one that is pending. */
    @Test
    @Tag("model-checked")
    void reserve_othersPending_isNotOvertaken() {
        check(
                List.of(call("tryAcquire", FIRST, 0, 1)),
                List.of(call("reserve", 1, FIRST, 2, 1, 6), call("tryAcquire", FIRST, 4, 1)),
                List.of(call("reserve", 2, FIRST, 3, 1, 6), call("tryAcquireOrDelay", FIRST, 4, 1)));
    }

    /** A refusal that was published before must not be seen after the change. */
    @Test
    @Tag("model-checked")
    void tryAcquire_afterAChangeOfLimitsThatIsSeen_isByTheNewOnes() {
        List<Actor> exhausted = List.of(call("tryAcquire", FIRST, 0, 1));
        List<Actor> sees = List.of(call("available", FIRST, 1), call("tryAcquire", FIRST, 1, 1));

        check(exhausted, List.of(call("setLimits", 1)), sees);
        check(exhausted, sees.subList(0, 1), List.of(call("setLimits", 1), sees.get(1)));
        check(
                exhausted,
                List.of(call("setLimits", 2)),
                List.of(call("tryAcquire", FIRST, 4, 1), call("available", FIRST, 8)));
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
        check(60, first, one, other);
    }

    private static void check(int orders, List<Actor> first, List<Actor> one, List<Actor> other) {
        Interleavings.modelChecked(first, one, other)
                .invocationsPerIteration(orders)
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

    @Test
    @Tag("model-checked")
    void calls_onTheModelModelChecked_areNot() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> modelChecking(8).check(Sequential.class));
    }

    private static StressOptions stress(int scenarios) {
        return Interleavings.stressed(scenarios).sequentialSpecification(Sequential.class);
    }

    private static ModelCheckingOptions modelChecking(int scenarios) {
        return Interleavings.modelChecked(scenarios, 100).sequentialSpecification(Sequential.class);
    }

    /** With what is done to one limiter. Public, as it must be. */
    @Param(name = "limiter", gen = IntGen.class, conf = "0:2")
    @Param(name = "plan", gen = IntGen.class, conf = "0:2")
    public abstract static class Calls extends JointCalls {
        @Override
        final LimiterCalls target(int named) {
            return target(NAMED.get(named));
        }

        abstract LimiterCalls target(List<Integer> named);

        @Operation
        public void clear(@Param(name = "limiter") int limiter) {
            clearOne(limiter);
        }

        @Operation
        public void setLimits(@Param(name = "plan") int plan) {
            setFirst(PLANS.get(plan));
        }

        abstract void clearOne(int limiter);

        abstract void setFirst(List<Limit> limits);
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

        @Override
        void setFirst(List<Limit> limits) {
            models.get(FIRST).setLimits(limits);
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

        @Override
        void setFirst(List<Limit> limits) {
            limiters.get(FIRST).setLimits(limits);
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
