package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.FromAnyStart;
import io.github.hotpath.window.Seed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Long random sequences of calls with many keys, made on a {@link KeyedLimiter} and on a map that is never emptied.
 *
 * <p>Sequences, because what breaks is seen calls later: a limit that an eviction has reset, a key with the wrong
 * latest time, an entry that is never examined again.
 */
class KeyedLimiterModelTest {
    private static final int CALLS = 3_000;

    @FromAnyStart
    void calls_inAnySequence_answerAsAMapThatIsNeverEmptied(long start) {
        SplittableRandom random = Seed.random("keyed " + start);
        for (List<Limit> limits : LIMITS) {
            run(limits, start, 0, 0, random.split());
        }
    }

    @FromAnyStart
    void calls_outOfOrder_answerAsTheMapAtTheEvictionTime(long start) {
        SplittableRandom random = Seed.random("keyed, out of order " + start);
        for (List<Limit> limits : LIMITS) {
            run(limits, start, 3, 0, random.split());
        }
    }

    @FromAnyStart
    void calls_withRestartsWithOtherClocks_answerAsAMapThatIsNeverEmptied(long start) {
        SplittableRandom random = Seed.random("keyed, restarts " + start);
        for (List<Limit> limits : LIMITS) {
            run(limits, start, 1, 10, random.split());
        }
    }

    private static final List<List<Limit>> LIMITS = List.of(
            List.of(Limit.of(3, Duration.ofNanos(100))),
            List.of(Limit.of(1, Duration.ofSeconds(1))),
            List.of(Limit.of(2, Duration.ZERO)),
            List.of(Limit.of(20, Duration.ofNanos(1_000)), Limit.ofCalls(3, Duration.ofNanos(300))),
            List.of(Limit.ofCalls(2, Duration.ofMinutes(1)), Limit.of(1L << 62, Duration.ofMinutes(3))));

    private static void run(
            List<Limit> limits, long start, int lateInTen, int restartsInThousand, SplittableRandom random) {
        KeyedModel model = new KeyedModel(limits);
        long interval = limits.get(limits.size() - 1).interval().toNanos();
        long time = start;
        int nextKey = 50;
        for (int call = 0; call < CALLS; call++) {
            time += step(interval, random);
            boolean late = random.nextInt(10) < lateInTen;
            long nanos = late ? time - random.nextLong(3 * interval + 3) : time;
            int key = random.nextInt(8) == 0 ? nextKey++ : nextKey - 1 - random.nextInt(1 + random.nextInt(50));
            try {
                if (restartsInThousand > 0 && random.nextInt(1_000) < restartsInThousand) {
                    long shift = random.nextLong();
                    model.restart(shift);
                    time += shift;
                    nanos += shift;
                }
                call(model, key, nanos, interval, random);
                if (call % 10 == 0) {
                    model.check();
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("call " + call + ", " + Seed.hint(), e);
            }
        }
        assertThat(model.evicted())
                .as("evicted, so that there was something to see")
                .isGreaterThan(100);
    }

    private static long step(long interval, SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0 -> interval;
            case 1 -> interval + 1;
            case 2 -> random.nextLong(3 * interval + 3);
            case 3, 4, 5, 6 -> 0;
            case 7 -> 1;
            default -> random.nextLong(interval / 20 + 1);
        };
    }

    private static void call(KeyedModel model, int key, long nanos, long interval, SplittableRandom random) {
        int permits = random.nextInt(8) == 0 ? 1 + random.nextInt(25) : 1 + random.nextInt(2);
        int lot = random.nextInt(1_000);
        if (lot < 350) {
            model.tryAcquire(key, nanos, permits);
        } else if (lot < 550) {
            model.tryAcquireOrDelay(key, nanos, permits);
        } else if (lot < 720) {
            model.reserve(key, nanos, permits, Duration.ofNanos(random.nextInt(3) * random.nextLong(interval + 1)));
        } else if (lot < 870) {
            model.adjust(random.nextInt(1 + random.nextInt(30)), random.nextInt(3));
        } else if (lot < 960) {
            model.available(key, nanos);
        } else if (lot < 998) {
            model.evictIdle(nanos);
        } else {
            model.clear();
        }
    }
}
