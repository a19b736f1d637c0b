package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FixedCountersTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void tryAcquire_intervalOfTheClock_beginsAtZero() {
        FixedCounters counters = new FixedCounters(Candidate.parse("2/10s").limits());

        assertThat(counters.tryAcquire(9 * SECOND, 2)).isTrue();
        assertThat(counters.tryAcquire(10 * SECOND - 1, 1)).isFalse();
        assertThat(counters.tryAcquire(10 * SECOND, 2)).isTrue(); // four within a second
        assertThat(counters.tryAcquire(20 * SECOND - 1, 1)).isFalse();
    }

    @Test
    void tryAcquire_severalLimits_countAllOrNothing() {
        FixedCounters counters = new FixedCounters(Candidate.parse("2/1s,3/10s").limits());

        assertThat(counters.tryAcquire(0, 2)).isTrue();
        assertThat(counters.tryAcquire(SECOND, 2)).isFalse(); // the second limit; must not count in the first
        assertThat(counters.tryAcquire(SECOND, 1)).isTrue();
        assertThat(counters.tryAcquire(2 * SECOND, 1)).isFalse();
    }

    @Test
    void tryAcquire_earlierInterval_countsInTheLatest() {
        FixedCounters counters = new FixedCounters(Candidate.parse("1/1s").limits());

        assertThat(counters.tryAcquire(5 * SECOND, 1)).isTrue();
        assertThat(counters.tryAcquire(-3 * SECOND, 1)).isFalse();
        assertThat(counters.tryAcquire(6 * SECOND, 1)).isTrue();
    }
}
