package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.fuzz.Interleavings;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether limits change at one moment for all threads, those that are refused without a lock included. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SetLimitsLinearizabilityTest {
    private static final List<List<Limit>> LIMITS = List.of(
            List.of(Limit.of(1, nanos(3))),
            List.of(Limit.of(3, nanos(3)), Limit.ofCalls(2, nanos(2))),
            List.of(Limit.of(0, nanos(3))));

    @Test
    void calls_stressed_areLinearizable() {
        Interleavings.stressed(5).sequentialSpecification(Sequential.class).check(Concurrent.class);
    }

    @Test
    @Tag("model-checked")
    void calls_modelChecked_areLinearizable() {
        Interleavings.modelChecked(2, 100)
                .sequentialSpecification(Sequential.class)
                .check(Concurrent.class);
    }

    /** A refusal that was published before must not be seen after the change. */
    @Test
    @Tag("model-checked")
    void tryAcquire_afterAChangeThatIsSeen_isByTheNewLimits() {
        List<Actor> exhausted = List.of(call("tryAcquire", 0, 1));

        check(exhausted, List.of(call("setLimits", 1)), List.of(call("available", 1), call("tryAcquire", 1, 1)));
        check(exhausted, List.of(call("available", 1)), List.of(call("setLimits", 1), call("tryAcquire", 1, 1)));
        check(exhausted, List.of(call("setLimits", 2)), List.of(call("tryAcquire", 4, 1), call("available", 8)));
    }

    /** The proof that the others can fail. */
    @Test
    @Tag("model-checked")
    void calls_onTheModelModelChecked_areNot() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> Interleavings.modelChecked(8, 100)
                        .sequentialSpecification(Sequential.class)
                        .check(Sequential.class));
    }

    private static Actor call(String name, Object... arguments) {
        return Interleavings.call(Calls.class, name, arguments);
    }

    private static void check(List<Actor> first, List<Actor> one, List<Actor> other) {
        Interleavings.modelChecked(first, one, other)
                .sequentialSpecification(Sequential.class)
                .check(Concurrent.class);
    }

    /** The calls of which Lincheck chooses. Public, as it must be. */
    @Param(name = "nanos", gen = IntGen.class, conf = "0:8")
    @Param(name = "permits", gen = IntGen.class, conf = "1:3")
    @Param(name = "limits", gen = IntGen.class, conf = "0:2")
    public abstract static class Calls {
        abstract LimiterCalls limiter();

        abstract void set(List<Limit> limits);

        @Operation
        public boolean tryAcquire(@Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
            return limiter().tryAcquire(nanos, permits);
        }

        @Operation
        public long tryAcquireOneOrDelay(@Param(name = "nanos") int nanos) {
            return limiter().tryAcquireOrDelay(nanos, 1);
        }

        @Operation
        public long available(@Param(name = "nanos") int nanos) {
            return limiter().available(nanos);
        }

        @Operation
        public void setLimits(@Param(name = "limits") int limits) {
            set(LIMITS.get(limits));
        }
    }

    /** The sequential specification: the calls on {@link NaiveLimiter}, which is not thread-safe. */
    public static class Sequential extends Calls {
        private final NaiveLimiter model = new NaiveLimiter(LIMITS.get(0));
        private final LimiterCalls calls = LimiterCalls.on(model);

        @Override
        LimiterCalls limiter() {
            return calls;
        }

        @Override
        void set(List<Limit> limits) {
            model.setLimits(limits);
        }
    }

    /** The calls on a new limiter. */
    public static class Concurrent extends Calls {
        private final SlidingWindowLimiter limiter = SlidingWindowLimiter.of(LIMITS.get(0));

        private final LimiterCalls calls = LimiterCalls.on(limiter);

        @Override
        LimiterCalls limiter() {
            return calls;
        }

        @Override
        void set(List<Limit> limits) {
            limiter.setLimits(limits);
        }
    }
}
