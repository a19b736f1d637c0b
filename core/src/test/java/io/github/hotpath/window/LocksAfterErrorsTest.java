package io.github.hotpath.window;

import static io.github.hotpath.window.Insides.stripes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.internal.PolledLock;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is thrown out of a call of a {@link ConcurrentEventWindow}, no lock stays held. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LocksAfterErrorsTest {
    @AutoClose
    private static final Relay RELAY = new Relay();

    private final ConcurrentEventWindow window = Windows.concurrentOfNanos(1_000);

    private void assertFree() {
        assertThat(stripes(window)).allMatch(stripe -> stripe.holder == PolledLock.FREE);
    }

    /** At every depth of the stack, from its end up to where the call succeeds. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.github.hotpath.window.StripesTest#callsOnAll")
    void stackOverflows_atAnyDepth(String name, Consumer<ConcurrentEventWindow> call) throws Exception {
        RELAY.spread(window);
        window.trim(1);
        call.accept(window); // links and initializes what it uses
        for (int events = 1; events < 1_000; events *= 3) {
            for (int time = 0; time < events; time++) {
                window.record(time);
                window.record(time - 500);
            }
            FutureTask<Integer> failures = new FutureTask<>(() -> failures(() -> {
                window.record(1_200); // so that some events expire
                call.accept(window);
            }));
            Thread thread = new Thread(null, failures, "small stack", 200_000);
            thread.start();

            assertThat(failures.get()).isPositive();
            assertFree();
            window.clear();
            assertThat(window.recordAndCount(1)).isEqualTo(1);
        }
    }

    /**
     * Calls itself until the stack ends, and on the way back, each time with a little more of the stack left, {@code
     * call} until that succeeds; returns how often it failed, plus 1000 then.
     */
    private int failures(Runnable call) {
        int failures = 0;
        try {
            failures = failures(call);
        } catch (StackOverflowError e) {
            // here is the end, or the check below needs more
        }
        if (failures >= 1_000) {
            return failures;
        }
        try {
            call.run();
            return failures + 1_000;
        } catch (VirtualMachineError | RuntimeException e) { // what is thrown once the window is changed in part, too
            for (Stripe stripe = window.newest; stripe != null; stripe = stripe.next) {
                if (stripe.holder != PolledLock.FREE) {
                    throw new AssertionError("a lock is held");
                }
            }
            return failures + 1;
        }
    }

    /** A copy of more events than an array holds. */
    @Test
    void outOfMemory_inASnapshot() {
        RELAY.spread(window);
        window.trim(1);
        stripes(window).forEach(stripe -> stripe.window.log.size = 1L << 40);

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(window::snapshot);

        assertFree();
    }
}
