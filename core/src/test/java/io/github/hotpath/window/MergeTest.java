package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Merge} puts runs in the order in which sorting would. */
class MergeTest {
    private final SplittableRandom random = Seed.random("merge");

    @ParameterizedTest
    @MethodSource("io.github.hotpath.window.StartTimes#all")
    void newest_runsOfAnyLength_asSorted(long latest) {
        for (int round = 0; round < 300; round++) {
            int[] lengths = random.ints(1 + random.nextInt(9), 0, 1 << random.nextInt(1, 10))
                    .toArray();
            long range = 1L << random.nextInt(63); // many equal times, or none
            long[] ages = new long[Arrays.stream(lengths).sum()];
            int start = 0;
            for (int length : lengths) {
                long[] run = random.longs(length, 0, range).sorted().toArray();
                for (int i = 0; i < length; i++) {
                    ages[start + i] = run[length - 1 - i];
                }
                start += length;
            }
            long[] times = Arrays.stream(ages).map(age -> latest - age).toArray();
            int count = ages.length == 0 ? 0 : random.nextInt(ages.length + 1);

            long[] newest = Merge.newest(count, times, latest);

            Arrays.sort(ages);
            long[] expected = new long[count];
            Arrays.setAll(expected, i -> latest - ages[count - 1 - i]);
            assertThat(newest)
                    .as("%s, %s", Arrays.toString(lengths), Seed.hint())
                    .isEqualTo(expected);
        }
    }
}
