package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link RankSearch} finds what sorting all events would. */
class RankSearchTest {
    private static final long LATEST = Long.MIN_VALUE + 5;

    private final SplittableRandom random = Seed.random("ranks");

    @ParameterizedTest(name = "up to {0} events a log")
    @ValueSource(ints = {1, 10, 300, 1_500, 6_000})
    void age_severalLogs_asSorted(int most) {
        for (int round = 0; round < 20; round++) {
            long[][] logs = new long[1 + random.nextInt(6)][];
            long range = 1L << random.nextInt(1, 63); // many equal times, or none
            for (int i = 0; i < logs.length; i++) {
                logs[i] = random.longs(random.nextInt(most + 1), 0, range)
                        .sorted()
                        .toArray();
            }
            assertAges(logs);
        }
    }

    @Test
    void age_oldestMoreThanHalfOfAllTimesBefore_asSorted() {
        assertAges(new long[] {0, 3, -10}, new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -2}, new long[] {}); // unsigned
    }

    @Test
    void age_logsOneAfterTheOther_asSorted() {
        long[] old = new long[5_000];
        Arrays.setAll(old, i -> 10_000 - i);
        long[] recent = new long[5_000];
        Arrays.setAll(recent, i -> 4_999 - i);
        assertAges(old, recent);
        assertAges(recent, old);
    }

    /** Checks the age at some ranks, of logs of events of these ages. */
    private void assertAges(long[]... ages) {
        long[] sorted = Arrays.stream(ages).flatMapToLong(Arrays::stream).toArray();
        sortUnsigned(sorted);
        EventLog[] logs = new EventLog[ages.length];
        Arrays.setAll(logs, i -> log(ages[i]));
        for (int i = 0; i < 50 && sorted.length > 0; i++) {
            int rank = i < 2 ? 1 + i * (sorted.length - 1) : 1 + random.nextInt(sorted.length);
            RankSearch search = new RankSearch();
            for (EventLog log : logs) {
                search.visit(log);
            }
            assertThat(search.age(rank, LATEST))
                    .as("rank %d of %d in %d logs, %s", rank, sorted.length, logs.length, Seed.hint())
                    .isEqualTo(sorted[rank - 1]);
        }
    }

    private EventLog log(long[] ages) {
        long[] sorted = ages.clone();
        sortUnsigned(sorted);
        EventLog log = new EventLog();
        for (int i = sorted.length - 1; i >= 0; i--) {
            log.add(LATEST - sorted[i], -1); // no age is more, unsigned
        }
        if (sorted.length > 0 && random.nextBoolean()) {
            expireSome(log, sorted);
        }
        return log;
    }

    /** Moves the head of the log away from the start of its chunk, by older events that are removed again. */
    private void expireSome(EventLog log, long[] sorted) {
        log.clear();
        long oldest = sorted[sorted.length - 1];
        for (int i = random.nextInt(1_200); oldest < Long.MAX_VALUE && i >= 0; i--) {
            log.add(LATEST - oldest - 1, -1);
        }
        for (int i = sorted.length - 1; i >= 0; i--) {
            log.add(LATEST - sorted[i], -1);
        }
        log.expire(LATEST, oldest);
    }

    private static void sortUnsigned(long[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(values);
        for (int i = 0; i < values.length; i++) {
            values[i] ^= Long.MIN_VALUE;
        }
    }
}
