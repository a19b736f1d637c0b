package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.GrantLog.Grant;
import io.github.hotpath.examples.fleet.GrantLog.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the logs prove: if this is wrong, no other test proves anything. */
class GrantsTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);

    @TempDir
    private Path dir;

    @Test
    void fullestWindow_closedAtBothEnds_countsBoth() {
        Grants grants = new Grants(List.of(new Grant(0, 0, 1), new Grant(0, 5, 10), new Grant(0, 9, 11)));

        assertThat(grants.fullestWindow(10)).isEqualTo(2);
        assertThat(grants.fullestWindow(11)).isEqualTo(3);
    }

    @Test
    void fullestWindow_severalKeys_isOfOne() {
        Grants grants = new Grants(List.of(new Grant(0, 0, 1), new Grant(1, 0, 1), new Grant(1, 1, 2)));

        assertThat(grants.fullestWindow(10)).isEqualTo(2);
    }

    @Test
    void fullestWindow_random_isTheNaiveOne() {
        for (int i = 0; i < 300; i++) {
            SplittableRandom random = new SplittableRandom(SEED + i);
            List<Grant> grants = new ArrayList<>();
            for (int n = random.nextInt(40); n > 0; n--) {
                long begin = random.nextLong(100);
                grants.add(new Grant(0, begin, begin + random.nextLong(random.nextInt(5) == 0 ? 60 : 5)));
            }
            long interval = random.nextLong(50);

            assertThat(new Grants(grants).fullestWindow(interval))
                    .as("run again with -Dhotpath.seed=%d", SEED)
                    .isEqualTo(naive(grants, interval));
        }
    }

    private static long naive(List<Grant> grants, long interval) {
        long fullest = 0;
        for (long start = 0; start <= 200; start++) {
            long from = start;
            fullest = Math.max(
                    fullest,
                    grants.stream()
                            .filter(grant -> grant.begin() >= from && grant.end() <= from + interval)
                            .count());
        }
        return fullest;
    }

    @Test
    void since_begin_countsWhatBeganThenOrLater() {
        Grants grants = new Grants(List.of(new Grant(7, 4, 9), new Grant(7, 5, 6), new Grant(8, 5, 6)));

        assertThat(grants.since(7, 5)).isEqualTo(1);
        assertThat(grants.since(9, 5)).isZero();
        assertThat(grants.keys()).containsExactly(7, 8);
    }

    @Test
    void log_readWhileItIsWritten_hasAllThatWasAdded() throws IOException {
        GrantLog log = GrantLog.create(dir.resolve("log"), 2);
        log.add(Outcome.GRANTED, 3, 10, 12);
        log.add(Outcome.REFUSED, 3, 12, 17);
        log.add(Outcome.UNKNOWN, 3, 17, 18);
        log.setRefusedLocally(5);
        assertThat(log.isFull()).isFalse();
        log.add(Outcome.GRANTED, 4, 20, 21);
        assertThat(log.isFull()).isTrue();

        GrantLog read = GrantLog.read(dir.resolve("log"));

        assertThat(read.attempts()).isEqualTo(4);
        assertThat(read.unknown()).isEqualTo(1);
        assertThat(read.refusedLocally()).isEqualTo(5);
        assertThat(read.longestNanos()).isEqualTo(5);
        assertThat(read.granted()).isEqualTo(2).isEqualTo(GrantLog.granted(dir.resolve("log")));
        assertThat(read.grant(0)).isEqualTo(new Grant(3, 10, 12));
        assertThat(read.grant(1)).isEqualTo(new Grant(4, 20, 21));
    }
}
