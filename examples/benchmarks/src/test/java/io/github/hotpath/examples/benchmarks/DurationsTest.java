package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    private final Durations durations = new Durations();

    @Test
    void quantile_none_zero() {
        assertThat(durations.quantile(500)).isZero();
        assertThat(durations.max()).isZero();
    }

    /** One bucket each up to 63 ns, and at each power of two another width. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 31, 32, 63, 64, 65, 127, 128, 1L << 20, (1L << 40) - 1, 1L << 40, Long.MAX_VALUE})
    void quantile_one_itself(long nanos) {
        durations.add(nanos);

        assertThat(durations.quantile(1)).isEqualTo(nanos);
        assertThat(durations.quantile(1000)).isEqualTo(nanos);
        assertThat(durations.max()).isEqualTo(nanos);
    }

    /** The rank is rounded up: of 2000 durations 1998 are within 99.9%, of 2001 one more. */
    @Test
    void quantile_isTheLeastThatSoManyDoNotExceed() {
        for (int i = 1; i <= 1998; i++) {
            durations.add(10);
        }
        durations.add(60);
        durations.add(70);

        assertThat(durations.quantile(999)).isEqualTo(10);
        assertThat(durations.quantile(1000)).isEqualTo(70);
        durations.add(80);
        assertThat(durations.quantile(999)).isEqualTo(60);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void quantile_random_atMostThreePercentMore(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sorted = random.longs(1000, 0, 38)
                .map(bits -> random.nextLong(1L << bits + 1))
                .sorted()
                .toArray();
        Durations others = new Durations();
        Arrays.stream(sorted).forEach(nanos -> (random.nextBoolean() ? durations : others).add(nanos));

        durations.addAll(others);

        assertThat(durations.count()).isEqualTo(1000);
        assertThat(durations.max()).isEqualTo(sorted[999]);
        for (int rank = 1; rank <= 1000; rank++) {
            long exact = sorted[rank - 1];
            assertThat(durations.quantile(rank)).as("rank %d", rank).isBetween(exact, exact + exact / 32);
        }
    }
}
