package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.fuzz.Interleavings;
import io.github.hotpath.window.Operation.Member;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether all that three threads see of a {@link ConcurrentEventWindow} could have been seen if their calls were made
 * one after another on an {@link EventWindow}. Times go up to more than twice the interval, so that events expire, and
 * are milliseconds apart, so that records find unused stripes.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LinearizabilityTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long INTERVAL = 3 * MILLISECOND;

    @ParameterizedTest
    @ValueSource(classes = {OneStripe.class, SeveralStripes.class})
    void calls_stressed_areLinearizable(Class<?> subject) {
        stress(10).check(subject);
    }

    @ParameterizedTest
    @Tag("model-checked")
    @ValueSource(classes = {OneStripe.class, SeveralStripes.class})
    void calls_modelChecked_areLinearizable(Class<?> subject) {
        modelChecking().check(subject);
    }

    /** The proof that the others can fail. */
    @Test
    void calls_onEventWindowStressed_areNot() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "threads do not contend on one processor");
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> stress(100).check(Sequential.class));
    }

    @Test
    @Tag("model-checked")
    void calls_onEventWindowModelChecked_areNot() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> Interleavings.modelChecked(6, 200)
                        .sequentialSpecification(Sequential.class)
                        .check(Sequential.class));
    }

    private static StressOptions stress(int scenarios) {
        return Interleavings.stressed(scenarios).sequentialSpecification(Sequential.class);
    }

    /**
     * A call of a stripe's window is one step, as it is made with the stripe's lock held: so far fewer invocations
     * find what is wrong with the locks. Whether all are made with the lock held, the stressed calls show.
     */
    private static ModelCheckingOptions modelChecking() {
        return Interleavings.modelChecked(10, 50)
                .addGuarantee(forClasses(
                                EventWindow.class.getName(),
                                EventLog.class.getName(),
                                RankSearch.class.getName(),
                                Merge.class.getName())
                        .allMethods()
                        .ignore())
                .sequentialSpecification(Sequential.class);
    }

    /** The calls of which Lincheck chooses. Public, as what it calls must be. */
    @Param(name = "nanos", gen = IntGen.class, conf = "0:8")
    @Param(name = "span", gen = IntGen.class, conf = "0:3")
    @Param(name = "limit", gen = IntGen.class, conf = "1:3")
    public abstract static class Calls {
        abstract Object answer(io.github.hotpath.window.Operation call);

        @Operation
        public Object record(@Param(name = "nanos") int nanos) {
            return answer(Member.RECORD, nanos, 0);
        }

        @Operation
        public Object recordAndCount(@Param(name = "nanos") int nanos) {
            return answer(Member.RECORD_AND_COUNT, nanos, 0);
        }

        @Operation
        public Object count(@Param(name = "nanos") int nanos) {
            return answer(Member.COUNT, nanos, 0);
        }

        @Operation
        public Object countSpan(@Param(name = "nanos") int nanos, @Param(name = "span") int span) {
            return answer(Member.COUNT_SPAN, nanos, span * MILLISECOND);
        }

        @Operation
        public Object tryRecord(@Param(name = "nanos") int nanos, @Param(name = "limit") int limit) {
            return answer(Member.TRY_RECORD, nanos, limit);
        }

        @Operation
        public Object nanosUntilBelow(@Param(name = "nanos") int nanos, @Param(name = "limit") int limit) {
            return answer(Member.NANOS_UNTIL_BELOW, nanos, limit);
        }

        @Operation
        public Object trim(@Param(name = "nanos") int nanos) {
            return answer(Member.TRIM, nanos, 0);
        }

        @Operation
        public Object clear() {
            return answer(Member.CLEAR, 0, 0);
        }

        @Operation
        public Object toArray() {
            return Arrays.toString((long[]) answer(Member.TO_ARRAY, 0, 0));
        }

        @Operation
        public Object text() {
            return answer(Member.TO_STRING, 0, 0);
        }

        private Object answer(Member member, long nanos, long argument) {
            return answer(new io.github.hotpath.window.Operation(member, nanos * MILLISECOND, argument));
        }
    }

    /** The sequential specification: the calls on an {@link EventWindow}, which is not thread-safe. */
    public static class Sequential extends Calls {
        private final EventWindow window = Windows.ofNanos(INTERVAL);

        @Override
        Object answer(io.github.hotpath.window.Operation call) {
            return call.concurrent(call.on(window));
        }
    }

    /** The calls on a new {@link ConcurrentEventWindow}. */
    public static class OneStripe extends Calls {
        final ConcurrentEventWindow window = Windows.concurrentOfNanos(INTERVAL);

        @Override
        Object answer(io.github.hotpath.window.Operation call) {
            return call.on(window);
        }
    }

    /**
     * The same, but a thread that is to record in an empty stripe moves to another one first, so the threads spread
     * soon.
     */
    public static class SeveralStripes extends OneStripe {
        public SeveralStripes() {
            window.separate(window.stripe());
        }

        @Override
        Object answer(io.github.hotpath.window.Operation call) {
            Stripe stripe = window.stripe();
            if (call.member() == Member.RECORD && stripe.window.size() == 0) {
                window.separate(stripe);
            }
            return super.answer(call);
        }
    }
}
