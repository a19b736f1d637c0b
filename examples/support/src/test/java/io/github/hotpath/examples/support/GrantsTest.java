package io.github.hotpath.examples.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.support.Grants.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** If this is wrong, no run proves anything. */
class GrantsTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);

    @Test
    void most_closedAtBothEnds_countsBoth() {
        Grants grants = new Grants(List.of(new Grant(0, 9, 11, 1), new Grant(0, 0, 1, 2), new Grant(0, 5, 10, 4)));

        assertThat(grants.most(9)).isEqualTo(5);
        assertThat(grants.most(10)).isEqualTo(6);
        assertThat(grants.most(11)).isEqualTo(7);
    }

    @Test
    void most_severalKeys_isOfOne() {
        Grants grants = new Grants(List.of(new Grant(8, 0, 1, 3), new Grant(2, 0, 1, 2), new Grant(2, 1, 2, 2)));

        assertThat(grants.most(10)).isEqualTo(4);
        assertThat(grants.keys()).containsExactly(2, 8);
        assertThat(grants.of(8)).containsExactly(new Grant(8, 0, 1, 3));
        assertThat(grants.of(9)).isEmpty();
    }

    @Test
    void most_random_isThatOfEverySpan() {
        for (int run = 0; run < 300; run++) {
            SplittableRandom random = new SplittableRandom(SEED + run);
            List<Grant> grants = new ArrayList<>();
            for (int n = random.nextInt(40); n > 0; n--) {
                long begin = random.nextLong(100);
                long end = begin + random.nextLong(random.nextInt(5) == 0 ? 60 : 5);
                grants.add(new Grant(0, begin, end, 1 + random.nextInt(3)));
            }
            long interval = random.nextLong(50);

            assertThat(new Grants(grants).most(interval))
                    .as("run again with -Dhotpath.seed=%d", SEED)
                    .isEqualTo(mostOfEverySpan(grants, interval));
        }
    }

    private static long mostOfEverySpan(List<Grant> grants, long interval) {
        long most = 0;
        for (long begin = 0; begin <= 200; begin++) {
            long permits = 0;
            for (Grant grant : grants) {
                permits += grant.begin() >= begin && grant.end() <= begin + interval ? grant.permits() : 0;
            }
            most = Math.max(most, permits);
        }
        return most;
    }
}
