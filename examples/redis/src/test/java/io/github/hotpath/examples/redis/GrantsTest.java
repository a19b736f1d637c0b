package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.redis.Report.Grant;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the logs prove: if this is wrong, the program proves nothing. */
class GrantsTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);

    @Test
    void fullest_closedAtBothEnds_countsBoth() {
        Grants grants = new Grants(List.of(new Grant(0, 0, 1), new Grant(0, 5, 10), new Grant(1, 0, 1)));

        assertThat(grants.fullest(9)).isEqualTo(1);
        assertThat(grants.fullest(10)).isEqualTo(2);
        assertThat(grants.since(5)).isEqualTo(1);
    }

    @Test
    void fullest_random_isTheNaiveOne() {
        for (int run = 0; run < 300; run++) {
            SplittableRandom random = new SplittableRandom(SEED + run);
            List<Grant> grants = new ArrayList<>();
            for (int n = random.nextInt(40); n > 0; n--) {
                long begin = random.nextLong(100);
                grants.add(new Grant(0, begin, begin + random.nextLong(random.nextInt(5) == 0 ? 60 : 5)));
            }
            long interval = random.nextLong(50);

            assertThat(new Grants(grants).fullest(interval))
                    .as("run again with -Dhotpath.seed=%d", SEED)
                    .isEqualTo(naive(grants, interval));
        }
    }

    private static int naive(List<Grant> grants, long interval) {
        int fullest = 0;
        for (long from = 0; from <= 200; from++) {
            int in = 0;
            for (Grant grant : grants) {
                in += grant.begin() >= from && grant.end() <= from + interval ? 1 : 0;
            }
            fullest = Math.max(fullest, in);
        }
        return fullest;
    }

    @Test
    void lost_allStored_isNone() {
        Grants grants =
                new Grants(List.of(new Grant(0, 1_000, 9_000), new Grant(0, 2_000, 3_000), new Grant(0, 4_000, 5_000)));

        assertThat(grants.lost(0, 0, 10_000, new double[] {5, 7, 2})).isZero();
        assertThat(grants.lost(0, 0, 10_000, new double[] {7, 5, 2, 99})).isZero();
        assertThat(grants.lost(7, 0, 10_000, new double[] {1})).isZero();
    }

    @Test
    void lost_someNotStored_isTheirNumber() {
        Grants grants =
                new Grants(List.of(new Grant(0, 1_000, 9_000), new Grant(0, 2_000, 3_000), new Grant(0, 4_000, 5_000)));

        assertThat(grants.lost(0, 0, 10_000, new double[0])).isEqualTo(3);
        assertThat(grants.lost(0, 0, 10_000, new double[] {3})).isEqualTo(2);
        assertThat(grants.lost(0, 0, 10_000, new double[] {2, 3})).isEqualTo(1);
        assertThat(grants.lost(0, 0, 10_000, new double[] {7, 8, 9})).isEqualTo(2);
        assertThat(grants.lost(0, 0, 10_000, new double[] {20, 30})).isEqualTo(3);
        assertThat(grants.lost(0, 2_000, 5_000, new double[0]))
                .as("only one began and ended in time")
                .isEqualTo(1);
    }

    @Test
    void report_writtenAndRead_isTheSame() throws IOException {
        Report report = new Report();
        report.addGrant(3, 10, 12);
        report.addRefusal();
        report.addRefusal();
        report.setRefusedLocally(1);
        report.addUnknown();
        report.addNotMade();
        report.addDuration(7);
        report.addDuration(5);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report.writeTo(new DataOutputStream(out));

        Report sum = new Report();
        sum.add(Report.readFrom(new DataInputStream(new ByteArrayInputStream(out.toByteArray()))));
        sum.add(report);

        assertThat(sum.grants()).containsExactly(new Grant(3, 10, 12), new Grant(3, 10, 12));
        assertThat(sum.attempts()).isEqualTo(8);
        assertThat(sum.refusedByServer()).isEqualTo(2);
        assertThat(sum.refusedLocally()).isEqualTo(2);
        assertThat(sum.unknown()).isEqualTo(2);
        assertThat(sum.notMade()).isEqualTo(2);
        assertThat(sum.longestNanos()).isEqualTo(7);
    }
}
