package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.fuzz.Interleavings;
import io.github.hotpath.limit.LimiterCall.Member;
import java.time.Duration;
import java.util.List;
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
 * Races of two threads on a {@link SlidingWindowLimiter}, in each order of their steps: what they see could have been
 * seen if their calls were made one after another on {@link NaiveLimiter}. {@link JointLinearizabilityTest} has random
 * calls.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LimiterLinearizabilityTest {
    private static final Limit LIMIT = Limit.of(1, Duration.ofNanos(3));

    /** The limit is exhausted until a later time than that which a reader of the state in between must not apply. */
    @Test
    @Tag("model-checked")
    void tryAcquire_earlierTimePublishedMeanwhile_isNotRefusedForTheLaterOne() {
        List<Actor> first = List.of(call("tryAcquire", 8, 1), call("clear"));
        List<Actor> exhausts = List.of(call("tryAcquire", 0, 1));

        check(first, exhausts, List.of(call("tryAcquire", 5, 1)));
        check(first, exhausts, List.of(call("tryAcquireOneOrDelay", 5)));
    }

    @Test
    @Tag("model-checked")
    void tryAcquire_afterAClearThatIsSeen_isNotRefused() {
        List<Actor> first = List.of(call("tryAcquire", 8, 1));

        check(first, List.of(call("clear")), List.of(call("available", 8), call("tryAcquire", 8, 1)));
        check(first, List.of(call("available", 8)), List.of(call("clear"), call("tryAcquire", 8, 1)));
        check(first, List.of(call("isIdle", 8)), List.of(call("clear"), call("tryAcquireOneOrDelay", 8)));
    }

    @Test
    @Tag("model-checked")
    void tryAcquire_afterACorrectionThatIsSeen_countsIt() {
        List<Actor> reserved = List.of(call("reserve", 1, 8, 1, 0));
        List<Actor> cancelled = List.of(call("reserve", 1, 8, 1, 0), call("adjust", 1, 0));

        check(reserved, List.of(call("adjust", 1, 0)), List.of(call("available", 8), call("tryAcquire", 8, 1)));
        check(reserved, List.of(call("available", 8)), List.of(call("adjust", 1, 0), call("tryAcquire", 8, 1)));
        check(cancelled, List.of(call("tryAcquire", 8, 1)), List.of(call("reserve", 2, 8, 1, 4), call("isIdle", 8)));
    }

    /** Slots are granted in order: a request does not overtake the one that is pending. */
    @Test
    @Tag("model-checked")
    void reserve_othersPending_isNotOvertaken() {
        check(
                List.of(call("tryAcquire", 0, 1)),
                List.of(call("reserve", 1, 2, 1, 6), call("tryAcquire", 4, 1)),
                List.of(call("reserve", 2, 3, 1, 6), call("tryAcquireOneOrDelay", 4)));
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
    void calls_onTheModelStressed_areNot() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "no two threads run at once on one processor");
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> stress(100).check(Sequential.class));
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

    /** The calls of which Lincheck chooses. Each thread adjusts its own last reservation. Public, as it must be. */
    @Param(name = "nanos", gen = IntGen.class, conf = "0:8")
    @Param(name = "permits", gen = IntGen.class, conf = "1:3")
    @Param(name = "adjusted", gen = IntGen.class, conf = "0:4")
    @Param(name = "delay", gen = IntGen.class, conf = "0:6")
    @Param(name = "thread", gen = ThreadIdGen.class)
    public abstract static class Calls {
        abstract LimiterCalls limiter(int thread);

        @Operation
        public Object tryAcquire(@Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
            return answer(0, Member.TRY_ACQUIRE, nanos, permits, 0);
        }

        @Operation
        public Object tryAcquireOrDelay(@Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
            return answer(0, Member.TRY_ACQUIRE_OR_DELAY, nanos, permits, 0);
        }

        @Operation
        public Object tryAcquireOneOrDelay(@Param(name = "nanos") int nanos) {
            return answer(0, Member.TRY_ACQUIRE_OR_DELAY, nanos, 1, 0);
        }

        @Operation
        public Object reserve(
                @Param(name = "thread") int thread,
                @Param(name = "nanos") int nanos,
                @Param(name = "permits") int permits,
                @Param(name = "delay") int delay) {
            return answer(thread, Member.RESERVE, nanos, permits, delay);
        }

        @Operation
        public Object adjust(@Param(name = "thread") int thread, @Param(name = "adjusted") int permits) {
            return answer(thread, Member.ADJUST, 0, permits, 0);
        }

        @Operation
        public Object available(@Param(name = "nanos") int nanos) {
            return answer(0, Member.AVAILABLE, nanos, 0, 0);
        }

        @Operation
        public Object isIdle(@Param(name = "nanos") int nanos) {
            return answer(0, Member.IS_IDLE, nanos, 0, 0);
        }

        @Operation
        public Object clear() {
            return answer(0, Member.CLEAR, 0, 0, 0);
        }

        private Object answer(int thread, Member member, long nanos, int permits, long argument) {
            return new LimiterCall(member, nanos, permits, argument).on(limiter(thread));
        }
    }

    /** The sequential specification: the calls on {@link NaiveLimiter}, which is not thread-safe. */
    public static class Sequential extends Calls {
        private static final int THREADS = 8;

        private final List<LimiterCalls> threads;

        public Sequential() {
            NaiveLimiter model = new NaiveLimiter(List.of(LIMIT));
            threads =
                    Stream.generate(() -> LimiterCalls.on(model)).limit(THREADS).toList();
        }

        @Override
        LimiterCalls limiter(int thread) {
            return threads.get(thread);
        }
    }

    /** The calls on a new limiter. */
    public static class Concurrent extends Calls {
        private final List<LimiterCalls> threads;

        public Concurrent() {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(LIMIT);
            threads = Stream.generate(() -> LimiterCalls.on(limiter))
                    .limit(Sequential.THREADS)
                    .toList();
        }

        @Override
        LimiterCalls limiter(int thread) {
            return threads.get(thread);
        }
    }
}
