package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What invented keys leave behind a limit of fifty for all of them: no more keys than have been granted. */
class JointBoundTest {
    private static final int KEYS = 25_000;
    private static final int FIFTY = 50;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final KeyedLimiter<Integer> clients = KeyedLimiter.of(Limit.of(3, SECOND));
    private final SlidingWindowLimiter service = SlidingWindowLimiter.of(Limit.of(FIFTY, SECOND));

    enum Attempt {
        TRY_ACQUIRE((limiter, nanos) -> limiter.tryAcquire(nanos, 1)),
        TRY_ACQUIRE_OR_DELAY((limiter, nanos) -> limiter.tryAcquireOrDelay(nanos, 1) == 0),
        DECIDE((limiter, nanos) -> limiter.decide(nanos, 1).isGranted()),
        RESERVE((limiter, nanos) -> limiter.reserve(nanos, 1, Duration.ZERO).isGranted());

        private final BiPredicate<Limiter, Long> isGranted;

        Attempt(BiPredicate<Limiter, Long> isGranted) {
            this.isGranted = isGranted;
        }
    }

    private int grantedOf(Attempt attempt, int keys, long nanosBetween) {
        int granted = 0;
        for (int key = 0; key < keys; key++) {
            Limiter together = key % 2 == 0
                    ? Limiter.allOf(clients.forKey(key), service)
                    : Limiter.allOf(service, clients.forKey(key));
            granted += attempt.isGranted.test(together, key * nanosBetween) ? 1 : 0;
            assertThat(clients.size()).isLessThanOrEqualTo(4 * FIFTY + 64);
        }
        return granted;
    }

    @ParameterizedTest
    @EnumSource(Attempt.class)
    void keysInvented_limitOfAllExhausted_leaveFew(Attempt attempt) {
        assertThat(grantedOf(attempt, KEYS, 0)).isEqualTo(FIFTY);
        Invariants.check(clients);
    }

    /** Every twenty milliseconds there is one permit, and twenty callers that want it. */
    @ParameterizedTest
    @EnumSource(Attempt.class)
    void keysInvented_limitOfAllRefilling_leaveFew(Attempt attempt) {
        int granted = grantedOf(attempt, KEYS, SECOND.toNanos() / (20 * FIFTY));

        assertThat(granted).isBetween(KEYS / 21, KEYS / 19);
        Invariants.check(clients);
    }

    /** Two new keys, one of which is refused for more permits than it has: their entries are idle. */
    @Test
    void keysRefusedByAnother_countNothing() {
        KeyedLimiter<Integer> tenants = KeyedLimiter.of(Limit.of(1, SECOND));
        Limiter together = Limiter.allOf(clients.forKey(1), tenants.forKey(1), service);

        assertThat(together.tryAcquireOrDelay(0, 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(together.tryAcquire(0, 2)).isFalse();
        assertThat(together.decide(0, 2).isGranted()).isFalse();
        assertThat(together.peek(0, 1).isGranted()).isTrue();
        assertThat(together.reserve(0, 2, Duration.ofDays(1)).isGranted()).isFalse();
        assertThat(together.available(0)).isEqualTo(1);
        together.closeFor(0, Duration.ZERO);

        clients.evictIdle(0);
        tenants.evictIdle(0);
        assertThat(clients.size() + tenants.size()).isZero();
        assertThat(service.available(0)).isEqualTo(FIFTY);
    }
}
