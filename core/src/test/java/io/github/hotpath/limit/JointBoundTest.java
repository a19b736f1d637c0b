package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a million invented keys leave behind a limit of fifty for all of them: no more keys than have been granted. */
class JointBoundTest {
    private static final int KEYS = 1_000_000;
    private static final int FIFTY = 50;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final KeyedLimiter<Integer> clients = KeyedLimiter.of(Limit.of(3, SECOND));
    private final SlidingWindowLimiter service = SlidingWindowLimiter.of(Limit.of(FIFTY, SECOND));

    enum Attempt {
        TRY_ACQUIRE {
            @Override
            boolean isGranted(Limiter limiter, long nanos) {
                return limiter.tryAcquire(nanos, 1);
            }
        },
        TRY_ACQUIRE_OR_DELAY {
            @Override
            boolean isGranted(Limiter limiter, long nanos) {
                return limiter.tryAcquireOrDelay(nanos, 1) == 0;
            }
        },
        DECIDE {
            @Override
            boolean isGranted(Limiter limiter, long nanos) {
                return limiter.decide(nanos, 1).isGranted();
            }
        },
        RESERVE {
            @Override
            boolean isGranted(Limiter limiter, long nanos) {
                return limiter.reserve(nanos, 1, Duration.ZERO).isGranted();
            }
        };

        abstract boolean isGranted(Limiter limiter, long nanos);
    }

    private int grantedOf(Attempt attempt, int keys, long nanosBetween) {
        int granted = 0;
        for (int key = 0; key < keys; key++) {
            Limiter together = key % 2 == 0
                    ? Limiter.allOf(clients.forKey(key), service)
                    : Limiter.allOf(service, clients.forKey(key));
            granted += attempt.isGranted(together, key * nanosBetween) ? 1 : 0;
            assertThat(clients.size()).isLessThanOrEqualTo(4 * FIFTY + 64);
        }
        return granted;
    }

    @ParameterizedTest
    @EnumSource(Attempt.class)
    void keysInvented_limitOfAllExhausted_addNone(Attempt attempt) {
        assertThat(grantedOf(attempt, KEYS / 4, 0)).isEqualTo(FIFTY);

        assertThat(clients.size()).isEqualTo(FIFTY);
        clients.checkInvariants();
    }

    /** Every twenty milliseconds there is one permit, and twenty callers that want it. */
    @ParameterizedTest
    @EnumSource(Attempt.class)
    void keysInvented_limitOfAllRefilling_leaveFew(Attempt attempt) {
        int granted = grantedOf(attempt, KEYS / 4, SECOND.toNanos() / (20 * FIFTY));

        assertThat(granted).isBetween(KEYS / 4 / 21, KEYS / 4 / 19);
        clients.checkInvariants();
    }

    @Test
    void keysInvented_aMillion_addNone() {
        assertThat(grantedOf(Attempt.TRY_ACQUIRE, KEYS, 0)).isEqualTo(FIFTY);
        assertThat(grantedOf(Attempt.TRY_ACQUIRE_OR_DELAY, KEYS, 0)).isZero();

        assertThat(clients.size()).isEqualTo(FIFTY);
    }

    /** Two keys that are new, one of which is refused for more permits than it has. */
    @Test
    void keysRefusedByAnother_areNotAdded() {
        KeyedLimiter<Integer> tenants = KeyedLimiter.of(Limit.of(1, SECOND));
        Limiter together = Limiter.allOf(clients.forKey(1), tenants.forKey(1), service);

        assertThat(together.tryAcquireOrDelay(0, 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(together.tryAcquire(0, 2)).isFalse();
        assertThat(together.decide(0, 2).isGranted()).isFalse();
        assertThat(together.peek(0, 1).isGranted()).isTrue();
        assertThat(together.reserve(0, 2, Duration.ofDays(1)).isGranted()).isFalse();
        assertThat(together.available(0)).isEqualTo(1);
        together.closeFor(0, Duration.ZERO);

        assertThat(clients.size() + tenants.size()).isZero();
        assertThat(service.available(0)).isEqualTo(FIFTY);
    }
}
