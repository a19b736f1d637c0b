package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.FleetClock.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FleetClockTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);
    private static final long MARGIN = 50;

    private long now = 1_000;

    /** A clock whose monotonic origin and whose wall clock are wrong by those. */
    private FleetClock clock(long origin, long wallOffset) {
        return new FleetClock(() -> now + origin, () -> now + wallOffset, MARGIN);
    }

    private static FleetClock leading(FleetClock clock, long term) {
        clock.begin(term);
        return clock;
    }

    @Test
    void stamp_oneLeader_isThatOfItsMonotonicClock() {
        FleetClock clock = leading(clock(77, -5), 1);
        Stamp first = clock.stamp();
        now += 100;

        assertThat(clock.stamp().time() - first.time()).isEqualTo(100);
        assertThat(clock.stamp().term()).isEqualTo(1);
        assertThat(clock.stamp().wall()).isEqualTo(now - 5);
    }

    @Test
    void begin_entryAppliedAtOnce_losesNothingWhateverTheWallClocksSay() {
        FleetClock first = leading(clock(0, 0), 1);
        FleetClock second = clock(5_000, -1_000_000);
        Stamp stamp = first.stamp();
        second.apply(stamp);
        now += 200;
        second.begin(2);

        assertThat(second.stamp().time()).isEqualTo(stamp.time() + 200);
    }

    /** It knows only by the wall clocks how long ago the entry was written. */
    @Test
    void begin_entryAppliedLate_losesTheMargin() {
        FleetClock first = leading(clock(0, 0), 1);
        Stamp stamp = first.stamp();
        now += 200;
        FleetClock second = clock(0, 20);
        second.apply(stamp);
        second.begin(2);

        assertThat(second.stamp().time()).isEqualTo(stamp.time() + 200 + 20 - MARGIN);
    }

    @Test
    void begin_wallClockBehind_neverMovesBack() {
        FleetClock first = leading(clock(0, 0), 1);
        Stamp stamp = first.stamp();
        FleetClock second = clock(0, -10_000);
        second.apply(stamp);
        second.begin(2);

        assertThat(second.stamp().time()).isEqualTo(stamp.time());
    }

    @Test
    void apply_olderStamp_isTheTimeOfTheEntryBefore() {
        FleetClock clock = leading(clock(0, 0), 1);
        Stamp older = clock.stamp();
        now += 10;
        long last = clock.apply(clock.stamp());

        assertThat(clock.apply(older)).isEqualTo(last);
    }

    @Test
    void restore_ofASnapshot_continuesAfterIt() {
        FleetClock clock = clock(0, 0);
        clock.restore(500, now - 300);
        clock.begin(4);

        assertThat(clock.stamp().time()).isEqualTo(500 + 300 - MARGIN);
    }

    /**
     * Members with wrong clocks that lead in turns, restart, and apply late: between two entries, the log never passes
     * more time than has passed, and all members agree about it.
     */
    @Test
    void apply_randomLeaders_isNeverFasterThanTime() {
        for (int run = 0; run < 2_000; run++) {
            SplittableRandom random = new SplittableRandom(SEED + run);
            List<FleetClock> members = new ArrayList<>();
            int[] applied = new int[3];
            for (int i = 0; i < 3; i++) {
                members.add(newMember(random));
            }
            List<Stamp> log = new ArrayList<>();
            List<Long> times = new ArrayList<>();
            long ahead = Long.MAX_VALUE;
            long term = 0;
            while (log.size() < 60) {
                int leader = random.nextInt(3);
                if (random.nextInt(4) == 0) { // it lost everything but the log
                    members.set(leader, newMember(random));
                    applied[leader] = 0;
                }
                now += random.nextInt(3) == 0 ? random.nextLong(10_000) : random.nextLong(20);
                catchUp(members.get(leader), applied, leader, log, times);
                members.get(leader).begin(++term);
                for (int entries = random.nextInt(6); entries > 0; entries--) {
                    now += random.nextLong(100);
                    Stamp stamp = members.get(leader).stamp();
                    long writtenAt = now;
                    log.add(stamp);
                    now += random.nextLong(5);
                    catchUp(members.get(leader), applied, leader, log, times);
                    long stampAhead = times.get(times.size() - 1) - writtenAt;
                    assertThat(stampAhead)
                            .as("run again with -Dhotpath.seed=%d", SEED)
                            .isLessThanOrEqualTo(ahead);
                    ahead = stampAhead;
                    int follower = random.nextInt(3);
                    catchUp(members.get(follower), applied, follower, log, times);
                }
            }
        }
    }

    private FleetClock newMember(SplittableRandom random) {
        return clock(random.nextLong(-1_000_000, 1_000_000), random.nextLong(MARGIN + 1));
    }

    private static void catchUp(FleetClock member, int[] applied, int number, List<Stamp> log, List<Long> times) {
        while (applied[number] < log.size()) {
            int entry = applied[number]++;
            long time = member.apply(log.get(entry));
            if (entry == times.size()) {
                times.add(time);
            }
            assertThat(time).isEqualTo(times.get(entry));
        }
    }
}
