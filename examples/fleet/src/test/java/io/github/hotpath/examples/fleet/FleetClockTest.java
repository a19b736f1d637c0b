package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.FleetClock.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(longs = {-1_000_000, 0, 1_000_000})
    void begin_entryAppliedAtOnce_losesNothingWhateverTheWallClocksSay(long wallOffset) {
        FleetClock first = leading(clock(0, 0), 1);
        FleetClock second = clock(5_000, wallOffset);
        Stamp stamp = first.stamp();
        second.apply(stamp, false);
        now += 200;
        second.begin(2);

        assertThat(second.stamp().time()).isEqualTo(stamp.time() + 200);
    }

    /** It was cut off. Its wall clock may have been set, so how long is not known. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000})
    void begin_entryAppliedLateWhileItRan_losesTimeWhateverTheWallClocksSay(long wallOffset) {
        FleetClock first = leading(clock(0, 0), 1);
        FleetClock second = clock(5_000, wallOffset);
        Stamp stamp = first.stamp();
        now += 200;
        second.apply(stamp, false);
        now += 30;
        second.begin(2);

        assertThat(second.stamp().time()).isEqualTo(stamp.time() + 30);
    }

    /** It knows only by the wall clocks how long ago the entry was written. */
    @Test
    void begin_entryOfBeforeItsStart_losesTheMargin() {
        FleetClock first = leading(clock(0, 0), 1);
        Stamp stamp = first.stamp();
        now += 200;
        FleetClock second = clock(0, 20);
        second.apply(stamp, true);
        second.begin(2);

        assertThat(second.stamp().time()).isEqualTo(stamp.time() + 200 + 20 - MARGIN);
    }

    /** Nothing overflows. */
    @ParameterizedTest
    @ValueSource(longs = {-12, 0, 1_000_000})
    void begin_longestMargin_neverTrustsWallClocks(long wallOffset) {
        FleetClock clock = new FleetClock(() -> now, () -> now + wallOffset, Long.MAX_VALUE);
        clock.apply(new Stamp(1, 500, now), true);
        now += 10;
        clock.begin(2);

        assertThat(clock.stamp().time()).isEqualTo(510);
    }

    @Test
    void begin_wallClockBehind_neverMovesBack() {
        FleetClock first = leading(clock(0, 0), 1);
        Stamp stamp = first.stamp();
        FleetClock second = clock(0, -10_000);
        second.apply(stamp, true);
        second.begin(2);

        assertThat(second.stamp().time()).isEqualTo(stamp.time());
    }

    @Test
    void apply_olderStamp_isTheTimeOfTheEntryBefore() {
        FleetClock clock = leading(clock(0, 0), 1);
        Stamp older = clock.stamp();
        now += 10;
        long last = clock.apply(clock.stamp(), false);

        assertThat(clock.apply(older, false)).isEqualTo(last);
    }

    /** One that has come meanwhile is new, whoever wrote it. */
    @Test
    void restarted_onlySnapshotOfBeforeTheProcess_isOld() {
        for (boolean late : new boolean[] {true, false}) {
            for (long snapshot : new long[] {300, 301}) {
                FleetClock clock = clock(0, 0);
                clock.apply(new Stamp(1, 300, now - 700), late);
                FleetClock next = clock.restarted();
                next.restore(snapshot, now - 700, true);
                next.begin(2);

                boolean old = late && snapshot == 300;
                assertThat(next.stamp().time()).isEqualTo(old ? 300 + 700 - MARGIN : snapshot);
            }
        }
    }

    @Test
    void restore_ofASnapshot_continuesAfterIt() {
        FleetClock clock = clock(0, 0);
        clock.restore(500, now - 300, true);
        clock.begin(4);

        assertThat(clock.stamp().time()).isEqualTo(500 + 300 - MARGIN);
    }

    /**
     * Members that lead in turns and apply late: between two entries, the log never passes more time than has passed,
     * and all members agree about it. From time to time they lose everything but the log. Either their processes start
     * again, and their wall clocks differ by the margin at most; or only their engines do, and their wall clocks are set
     * again and again.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void apply_randomLeaders_isNeverFasterThanTime(boolean theyRestart) {
        for (int run = 0; run < 2_000; run++) {
            new RandomLeaders(new SplittableRandom(SEED + run), theyRestart).run();
        }
    }

    private static final class RandomLeaders {
        private final SplittableRandom random;
        private final boolean theyRestart;
        private final Member[] members = new Member[3];
        private final List<Stamp> log = new ArrayList<>();
        private final List<Long> times = new ArrayList<>();
        private long now;

        /** What the monotonic clock was read last, without its origin. */
        private long readAt;

        /** By how much the log is ahead of time, from an origin that does not matter. */
        private long ahead = Long.MAX_VALUE;

        RandomLeaders(SplittableRandom random, boolean theyRestart) {
            this.random = random;
            this.theyRestart = theyRestart;
            for (int i = 0; i < members.length; i++) {
                members[i] = new Member();
            }
        }

        void run() {
            long term = 0;
            while (log.size() < 60) {
                int number = random.nextInt(members.length);
                if (theyRestart && random.nextInt(4) == 0) {
                    members[number] = new Member();
                } else if (random.nextInt(4) == 0) {
                    members[number].restartEngine();
                }
                pass(random.nextInt(3) == 0 ? 10_000 : 20);
                Member leader = members[number];
                leader.catchUp();
                leader.clock.begin(++term);
                for (int entries = random.nextInt(6); entries > 0; entries--) {
                    pass(100);
                    log.add(leader.clock.stamp());
                    long writtenAt = readAt;
                    pass(5);
                    leader.catchUp();
                    long entryAhead = times.get(times.size() - 1) - writtenAt;
                    assertThat(entryAhead)
                            .as("run again with -Dhotpath.seed=%d", SEED)
                            .isLessThanOrEqualTo(ahead);
                    ahead = entryAhead;
                    members[random.nextInt(members.length)].catchUp();
                }
            }
        }

        private void pass(long most) {
            now += random.nextLong(most);
        }

        /** Each time it reads a clock, it may be interrupted after that. */
        private final class Member {
            private final long origin = random.nextLong(-1_000_000, 1_000_000);
            private final int logAtStart = log.size();
            private FleetClock clock;
            private long wallOffset = random.nextLong(MARGIN + 1);
            private int applied;

            Member() {
                clock = new FleetClock(this::nanoTime, this::wallClock, MARGIN);
            }

            private long nanoTime() {
                readAt = now;
                pass(30);
                return readAt + origin;
            }

            private long wallClock() {
                if (!theyRestart) {
                    wallOffset = random.nextLong(-100_000, 100_000);
                }
                long wall = now + wallOffset;
                pass(30);
                return wall;
            }

            void restartEngine() {
                Stamp last = clock.last();
                clock = clock.restarted();
                if (applied > 0 && random.nextBoolean()) {
                    clock.restore(last.time(), last.wall(), true);
                } else {
                    applied = 0;
                }
            }

            void catchUp() {
                while (applied < log.size()) {
                    int entry = applied++;
                    long time = clock.apply(log.get(entry), entry < logAtStart);
                    if (entry == times.size()) {
                        times.add(time);
                    }
                    assertThat(time).isEqualTo(times.get(entry));
                }
            }
        }
    }
}
