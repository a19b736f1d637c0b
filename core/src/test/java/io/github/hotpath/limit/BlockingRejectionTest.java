package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that {@link BlockingLimiter} rejects: name, value, rule, and no change. */
class BlockingRejectionTest {
    private final SlidingWindowLimiter limiter = Limiters.of(3, 10);
    private final BlockingLimiter turns = BlockingLimiter.of(limiter, () -> 25);
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void shutDown() {
        scheduler.shutdown();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    void any_null_isRejected() {
        assertNamed(() -> BlockingLimiter.of(null), "limiter");
        assertNamed(() -> BlockingLimiter.of(null, System::nanoTime), "limiter");
        assertNamed(() -> BlockingLimiter.of(limiter, null), "nanoClock");
        assertNamed(() -> turns.tryAcquire(1, null), "timeout");
        assertNamed(() -> turns.acquireAsync(1, null), "scheduler");
        assertThat(limiter.isIdle(25)).isTrue();
    }

    private static void assertNamed(ThrowingCallable call, String argument) {
        assertThatNullPointerException().isThrownBy(call).withMessage(argument);
    }

    @Test
    void of_maxWaitingNegative_isRejected() {
        assertRejected(() -> BlockingLimiter.of(limiter, -1), "maxWaiting: -1 (expected: at least 0)");
        assertRejected(() -> BlockingLimiter.of(limiter, () -> 25, -2), "maxWaiting: -2 (expected: at least 0)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void acquiring_lessThanOnePermit_isRejected(int permits) {
        String message = "permits: " + permits + " (expected: at least 1)";
        assertRejected(() -> turns.acquire(permits), message);
        assertRejected(() -> turns.tryAcquire(permits, Duration.ZERO), message);
        assertRejected(() -> turns.acquireAsync(permits, scheduler), message);
    }

    /** Also if the thread is interrupted, which stays so. */
    @Test
    void acquiring_lessThanOnePermitInterrupted_isRejected() {
        Thread.currentThread().interrupt();

        assertRejected(() -> turns.acquire(0), "permits: 0 (expected: at least 1)");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void tryAcquire_timeoutNegative_isRejected() {
        for (Duration timeout : List.of(Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertRejected(() -> turns.tryAcquire(1, timeout), "timeout: " + timeout + " (expected: zero or more)");
        }
    }

    private void assertRejected(ThrowingCallable call, String message) {
        String before = Limiters.state(limiter);

        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);

        assertThat(Limiters.state(limiter)).isEqualTo(before);
        assertThat(turns.waiting()).isZero();
    }
}
