package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.FromAnyStart;
import io.github.hotpath.testing.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** {@link EventLog} counts right at every boundary of its chunks, of which it has some of each length. */
class EventLogTest {
    private final SplittableRandom random = Seed.random("log");

    @FromAnyStart
    void count_anyAge_isTheNumberOfEventsUpToThat(long start) {
        for (int round = 0; round < 40; round++) {
            EventLog log = new EventLog();
            long latest = start;
            long maxAge = random.nextLong(1, 1 << random.nextInt(4, 24));
            for (int left = random.nextInt(1 << random.nextInt(4, 15)); left > 0; left--) {
                latest += random.nextInt(100) == 0 ? random.nextLong(1 + maxAge / 64) : random.nextLong(2);
                log.add(latest, maxAge);
            }
            long now = latest + random.nextLong(2) * random.nextLong(maxAge);
            long[] ages = new long[(int) log.size()];
            log.copyTo(ages, 0);
            Arrays.setAll(ages, i -> now - ages[i]);

            for (long age : boundaries(ages)) {
                long expected = Arrays.stream(ages).filter(each -> each <= age).count();
                assertThat(log.count(now, age))
                        .as("%s of %s, %s", age, ages.length, Seed.hint())
                        .isEqualTo(expected);
            }
            long kept = log.count(now, maxAge / 2);
            log.expire(now, maxAge / 2);
            assertThat(log.size()).as(Seed.hint()).isEqualTo(kept);
            assertThat(log.count(now, Long.MAX_VALUE)).as(Seed.hint()).isEqualTo(kept);
        }
    }

    /** Returns some of the ages, and what is a nanosecond less and more. */
    private long[] boundaries(long[] ages) {
        return LongStream.range(0, 50)
                .map(i -> ages.length == 0 ? i : Math.max(0, ages[random.nextInt(ages.length)] + random.nextInt(-1, 2)))
                .toArray();
    }
}
