package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that name the same limiters in every order end, and what they acquire counts once in each. */
@Timeout(600)
class JointOrdersTest {
    private static final int CALLS = 20_000;

    @TempDir
    static Path temp;

    @Test
    void calls_namedInEveryOrder_endAndCountOnce() {
        JointOrdersProgram.run(CALLS);
    }

    /** The same object for all threads, which must not share what belongs to one call. */
    @ParameterizedTest(name = "permits to spare: {0}")
    @ValueSource(booleans = {true, false})
    void calls_onOneLimiterOfSeveral_countInEach(boolean isToSpare) {
        long permits = 1L << 40;
        SlidingWindowLimiter first = Limiters.of(permits, permits);
        SlidingWindowLimiter other = isToSpare ? Limiters.of(permits, permits) : Limiters.of(1, 0);
        Limiter all = Limiter.allOf(first, other);
        AtomicLong clock = new AtomicLong();
        LongAdder granted = new LongAdder();

        new AtOnce()
                .on(4, () -> {
                    for (int call = 0; call < CALLS; call++) {
                        long nanos = clock.incrementAndGet();
                        boolean isGranted =
                                call % 2 == 0 ? all.tryAcquire(nanos, 1) : all.tryAcquireOrDelay(nanos, 1) == 0;
                        granted.add(isGranted ? 1 : 0);
                    }
                })
                .run();

        Invariants.check(first);
        Invariants.check(other);
        assertThat(granted.sum()).isPositive();
        assertThat(first.available(clock.get())).isEqualTo(permits - granted.sum());
        assertThat(other.available(clock.get())).isEqualTo(isToSpare ? permits - granted.sum() : 0);
    }
}
