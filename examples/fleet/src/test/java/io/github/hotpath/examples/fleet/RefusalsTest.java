package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalsTest {
    private final Refusals<Object> refusals = new Refusals<>();

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 3, Long.MIN_VALUE})
    void delay_added_isWhatIsLeftOfIt(long start) {
        refusals.add("a", 1, start, 10);

        assertThat(refusals.delay("a", 1, start)).isEqualTo(10);
        assertThat(refusals.delay("a", 1, start + 9)).isEqualTo(1);
        assertThat(refusals.delay("a", 1, start + 10)).isZero();
        assertThat(refusals.delay("a", 1, start + 11)).isZero();
        assertThat(refusals.delay("a", 1, start - 1)).isEqualTo(11);
    }

    @Test
    void delay_otherKey_isZero() {
        refusals.add("a", 1, 0, 10);

        assertThat(refusals.delay("b", 1, 0)).isZero();
    }

    /** Fewer permits may be granted, and more wait longer. */
    @Test
    void delay_otherPermits_isZero() {
        refusals.add("a", 5, 0, 10);

        assertThat(refusals.delay("a", 4, 0)).isZero();
        assertThat(refusals.delay("a", 5, 0)).isEqualTo(10);
        assertThat(refusals.delay("a", 6, 0)).isZero();
    }

    /** Two keys with the same hash have the same place. */
    @Test
    void delay_samePlace_isOfTheLastOne() {
        refusals.add("Aa", 1, 0, 10);
        refusals.add("BB", 1, 0, 20);

        assertThat("Aa").hasSameHashCodeAs("BB");
        assertThat(refusals.delay("Aa", 1, 0)).isZero();
        assertThat(refusals.delay("BB", 1, 0)).isEqualTo(20);
    }

    @Test
    void add_moreKeysThanPlaces_keepsNoMoreThanThese() {
        int keys = 4 * Refusals.CAPACITY;
        for (int key = 0; key < keys; key++) {
            refusals.add(key, 1, 0, 10);
        }

        assertThat(IntStream.range(0, keys)
                        .filter(key -> refusals.delay(key, 1, 0) > 0)
                        .count())
                .isBetween(Refusals.CAPACITY / 2L, (long) Refusals.CAPACITY);
    }
}
