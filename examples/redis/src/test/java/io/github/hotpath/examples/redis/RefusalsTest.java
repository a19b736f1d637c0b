package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalsTest {
    private final Refusals refusals = new Refusals();

    /** The clock of a JVM starts anywhere, and wraps around. */
    @ParameterizedTest
    @ValueSource(longs = {0, -50, Long.MIN_VALUE, Long.MAX_VALUE - 99, Long.MAX_VALUE})
    void delay_refused_endsWithIt(long start) {
        refusals.add("k", 1, start, 100);

        assertThat(refusals.delay("k", 1, start)).isEqualTo(100);
        assertThat(refusals.delay("k", 1, start + 99)).isEqualTo(1);
        assertThat(refusals.delay("k", 1, start + 100)).isZero();
        assertThat(refusals.delay("k", 1, start + 101)).isZero();
    }

    @Test
    void delay_fewerPermits_isNotKnown() {
        refusals.add("k", 3, 0, 100);

        assertThat(refusals.delay("k", 2, 0)).isZero();
        assertThat(refusals.delay("k", 3, 0)).isEqualTo(100);
        assertThat(refusals.delay("k", 4, 0)).isEqualTo(100);
    }

    /** What is refused to few permits is kept: it is refused to many, too. */
    @Test
    void add_morePermits_keepsTheRefusalOfFewer() {
        refusals.add("k", 2, 0, 100);
        refusals.add("k", 3, 10, 500);
        assertThat(refusals.delay("k", 2, 10)).isEqualTo(90);

        refusals.add("k", 3, 100, 500); // that of fewer has ended
        assertThat(refusals.delay("k", 2, 100)).isZero();
        assertThat(refusals.delay("k", 3, 100)).isEqualTo(500);
    }

    /** More keys than places: each is refused until its own time, or is not known. */
    @Test
    void delay_keysInTheSamePlace_areNotMistakenForEachOther() {
        int known = 0;
        for (int i = 0; i < 3 * Refusals.CAPACITY; i++) {
            refusals.add("k" + i, 1, 0, 1 + i);
        }
        for (int i = 0; i < 3 * Refusals.CAPACITY; i++) {
            long delay = refusals.delay("k" + i, 1, 0);
            assertThat(delay).isIn(0L, 1L + i);
            known += delay > 0 ? 1 : 0;
            assertThat(refusals.delay("absent" + i, 1, 0)).isZero();
        }
        assertThat(known).isBetween(Refusals.CAPACITY / 2, Refusals.CAPACITY);
    }
}
