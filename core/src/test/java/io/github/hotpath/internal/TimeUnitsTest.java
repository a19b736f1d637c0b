package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeUnitsTest {
    @ParameterizedTest(name = "unit {0}")
    @ValueSource(ints = {0, 1, 2, 3})
    void largestOf_aroundMultiples_asByDivision(int unit) {
        SplittableRandom random = Seed.random("multiples of unit " + unit);
        long most = Long.MAX_VALUE / TimeUnits.nanos(unit);
        assertLargest(most * TimeUnits.nanos(unit));
        for (int i = 0; i < 20_000; i++) {
            long multiple = (random.nextLong() >>> 1 + random.nextInt(63)) % (most + 1) * TimeUnits.nanos(unit);
            assertLargest(multiple);
            assertLargest(multiple ^ 1L << random.nextInt(63));
            assertLargest(Math.max(0, multiple - 1));
        }
    }

    @Test
    void largestOf_ends_asByDivision() {
        assertLargest(0);
        assertLargest(1);
        assertLargest(Long.MAX_VALUE);
        assertLargest(Long.MAX_VALUE - 1);
    }

    /** Asserts on the age of a single time, and on the distance of two. */
    private static void assertLargest(long nanos) {
        int unit = 3;
        while (nanos % TimeUnits.nanos(unit) != 0) {
            unit--;
        }
        assertThat(TimeUnits.largestOf(new long[] {5}, 5 + nanos))
                .as("%s, %s", nanos, Seed.hint())
                .isEqualTo(unit);
        assertThat(TimeUnits.largestOf(new long[] {-5, nanos - 5}, nanos - 5))
                .as("%s, %s", nanos, Seed.hint())
                .isEqualTo(unit);
        for (; unit >= 0; unit--) {
            assertThat(TimeUnits.count(nanos, unit)).isEqualTo(nanos / TimeUnits.nanos(unit));
        }
    }
}
