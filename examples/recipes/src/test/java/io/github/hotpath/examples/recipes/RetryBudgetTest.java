package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeClock clock = new FakeClock();
    private final RetryBudget budget = new RetryBudget(MINUTE, 10, 2, clock);

    @Test
    void tryRetry_everyRequestFails_aTenthIsRetried() {
        assertThat(retried(1000)).isEqualTo(100);
    }

    @Test
    void tryRetry_fewRequests_theLeast() {
        assertThat(retried(3)).isEqualTo(2);
        assertThat(budget.tryRetry()).isFalse();
    }

    @Test
    void tryRetry_afterTheSpan_requestsAndRetriesHaveExpired() {
        retried(1000);
        clock.advance(MINUTE);
        assertThat(budget.tryRetry()).isFalse();

        clock.advance(Duration.ofNanos(1));

        assertThat(budget.tryRetry()).isTrue();
        assertThat(budget.tryRetry()).isTrue();
        assertThat(budget.tryRetry()).isFalse(); // no requests, so the least only
    }

    /** Were a refused retry counted, there would be none for ever. */
    @Test
    void tryRetry_refused_notCounted() {
        retried(100);
        clock.advance(MINUTE.dividedBy(2));
        IntStream.range(0, 1000).forEach(i -> budget.tryRetry());
        clock.advance(MINUTE.dividedBy(2).plusNanos(1));

        assertThat(retried(100)).isEqualTo(10);
    }

    @Test
    void new_negative_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetryBudget(MINUTE, -1, 2, clock))
                .withMessage("percent: -1, least: 2 (expected: 0 or more)");
        assertThatIllegalArgumentException().isThrownBy(() -> new RetryBudget(MINUTE, 10, -1, clock));
    }

    /** Returns how many of so many requests, each of which fails at once, are retried. */
    private int retried(int requests) {
        int retried = 0;
        for (int i = 0; i < requests; i++) {
            budget.recordRequest();
            retried += budget.tryRetry() ? 1 : 0;
        }
        return retried;
    }
}
