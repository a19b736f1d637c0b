package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.FleetClock.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FleetClockTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);

    private long nanos = 1_000;
    private final FleetClock clock = new FleetClock(() -> nanos);

    @Test
    void stamp_oneLeader_isThatOfItsMonotonicClock() {
        clock.begin(1);
        nanos += 70;
        assertThat(clock.stamp()).isEqualTo(new Stamp(1, 70));
        clock.begin(1); // another entry of the configuration in the same term
        nanos += 5;
        assertThat(clock.stamp()).isEqualTo(new Stamp(1, 75));
        clock.begin(0); // a part of a snapshot, which a leader refuses
        assertThat(clock.stamp()).isEqualTo(new Stamp(1, 75));
    }

    /** The entry may have been written long before: what has passed until then is lost. */
    @Test
    void begin_newLeader_addsTheTimeSinceItAppliedTheLastEntry() {
        nanos += 300;
        clock.apply(new Stamp(1, 500));
        nanos += 20;
        clock.begin(2);
        nanos += 4;

        assertThat(clock.stamp()).isEqualTo(new Stamp(2, 524));
    }

    @Test
    void apply_olderStamp_isTheTimeOfTheEntryBefore() {
        assertThat(clock.apply(new Stamp(1, 100))).isEqualTo(100);
        nanos += 50;
        assertThat(clock.apply(new Stamp(1, 90))).isEqualTo(100);
        nanos += 50;
        clock.begin(2);

        assertThat(clock.stamp().time()).isEqualTo(200);
    }

    @Test
    void restore_ofASnapshot_continuesAfterIt() {
        nanos += 50;
        clock.restore(700);
        assertThat(clock.time()).isEqualTo(700);
        nanos += 9;
        clock.begin(5);

        assertThat(clock.stamp()).isEqualTo(new Stamp(5, 709));
    }

    /**
     * Members that lead in turns, apply late and lose everything but the log: between two entries, the log never passes
     * more time than has passed, and all members agree about it.
     */
    @Test
    void apply_randomLeaders_isNeverFasterThanTime() {
        for (int run = 0; run < 2_000; run++) {
            new RandomLeaders(new SplittableRandom(SEED + run)).run();
        }
    }

    private static final class RandomLeaders {
        private final SplittableRandom random;
        private final Member[] members = new Member[3];
        private final List<Stamp> log = new ArrayList<>();
        private final List<Long> times = new ArrayList<>();
        private long now;

        /** What the clock was read last, without its origin. */
        private long readAt;

        /** By how much the log is ahead of time, from an origin that does not matter. */
        private long ahead = Long.MAX_VALUE;

        RandomLeaders(SplittableRandom random) {
            this.random = random;
            for (int i = 0; i < members.length; i++) {
                members[i] = new Member();
            }
        }

        void run() {
            long term = 0;
            while (log.size() < 60) {
                int number = random.nextInt(members.length);
                if (random.nextInt(4) == 0) {
                    members[number] = new Member();
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

        /** Each time it reads its clock, it may be interrupted after that. */
        private final class Member {
            private final long origin = random.nextLong(-1_000_000, 1_000_000);
            private final FleetClock clock = new FleetClock(this::nanoTime);
            private int applied;

            private long nanoTime() {
                readAt = now;
                pass(30);
                return readAt + origin;
            }

            void catchUp() {
                while (applied < log.size()) {
                    int entry = applied++;
                    long time = clock.apply(log.get(entry));
                    if (entry == times.size()) {
                        times.add(time);
                    }
                    assertThat(time).isEqualTo(times.get(entry));
                }
            }
        }
    }
}
