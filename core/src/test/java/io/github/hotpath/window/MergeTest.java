package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** {@link Merge} puts logs in the order in which sorting would. */
class MergeTest {
    private final SplittableRandom random = Seed.random("merge");

    @FromAnyStart
    void newest_logsOfAnyLength_asSorted(long latest) {
        for (int round = 0; round < 300; round++) {
            int[] lengths = random.ints(1 + random.nextInt(9), 0, 1 << random.nextInt(1, 10))
                    .toArray();
            long range = 1L << random.nextInt(61); // many equal times, or none
            Merge merge = new Merge(Arrays.stream(lengths).sum());
            long[] ages = {};
            for (int length : lengths) {
                long youngest = random.nextInt(4) * (range / 2); // behind the others, before them, or among them
                long[] run = random.longs(length, youngest, youngest + range).toArray();
                merge.visit(log(run, latest));
                ages = LongStream.concat(Arrays.stream(ages), Arrays.stream(run))
                        .toArray();
            }
            int count = ages.length == 0 ? 0 : random.nextInt(ages.length + 1);

            long[] newest = merge.newest(count);

            Arrays.sort(ages);
            long[] oldestLast = ages;
            long[] expected = new long[count];
            Arrays.setAll(expected, i -> latest - oldestLast[count - 1 - i]);
            assertThat(newest)
                    .as("%s, %s", Arrays.toString(lengths), Seed.hint())
                    .isEqualTo(expected);
        }
    }

    private static EventLog log(long[] ages, long latest) {
        long[] sorted = ages.clone();
        Arrays.sort(sorted);
        EventLog log = new EventLog();
        for (int i = sorted.length - 1; i >= 0; i--) {
            log.add(latest - sorted[i], -1); // no age is more, unsigned
        }
        return log;
    }
}
