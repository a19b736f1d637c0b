package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.Seed;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A {@link StackOverflowError} anywhere inside a call leaves no lock held, no permit uncounted, and no entry that is never
 * evicted.
 */
@Tag("slow")
@Timeout(120)
class KeyedLimiterErrorsTest {
    private static final int PERMITS = 1_000_000;
    private static final long INTERVAL = 1_000;

    private final KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(PERMITS, Duration.ofNanos(INTERVAL)));
    private final SplittableRandom random = Seed.random("keyed errors");

    /** Of each key, the permits that calls have returned to have acquired in this round, and those that have thrown. */
    private final Map<Integer, long[]> accounts = new HashMap<>();

    private final int[] keys = new int[1 << 16];
    private final boolean[] returned = new boolean[1 << 16];
    private int calls;
    private int overflows;
    private long time;
    private int deepest;

    @Test
    void any_stackOverflows_leavesNoLockHeldAndCountsRight() throws InterruptedException {
        for (int i = 0; i < 5_000; i++) {
            call(random.nextInt()); // so that every class is there before the stack is at its end
        }
        for (int round = 0; round < 60; round++) {
            limiter.clear();
            accounts.clear();
            calls = 0;
            time = Long.MAX_VALUE - 10 * INTERVAL + 20L * round;
            Thread diver = new Thread(null, this::dive, "diver", 200 << 10);
            diver.start();
            diver.join();
            for (int i = 0; i < calls; i++) {
                accounts.computeIfAbsent(keys[i], any -> new long[2])[returned[i] ? 0 : 1]++;
            }
            check(round);
        }
        assertThat(overflows).isGreaterThan(500);
    }

    private void dive() {
        try {
            deepest++;
            dive();
        } catch (StackOverflowError end) {
            deepest = 0; // and back, with calls in each of the deepest frames
        }
        if (deepest++ < 60) {
            for (int i = 0; i < 3; i++) {
                try {
                    call(calls * 7 + deepest);
                } catch (StackOverflowError e) {
                    overflows++;
                }
            }
        }
    }

    /** Acquires a permit of some key, which is added if it is not there. */
    private void call(int some) {
        int place = calls & keys.length - 1;
        int key = some & 127;
        keys[place] = key;
        returned[place] = false;
        calls = place + 1;
        boolean acquired =
                (some & 1) == 0 ? limiter.tryAcquire(key, time, 1) : limiter.tryAcquireOrDelay(key, time, 1) == 0;
        if (!acquired) {
            throw new IllegalStateException("refused");
        }
        returned[place] = true;
    }

    /** Whether each key counts what has been granted, or that and some of what has thrown; and all can be evicted. */
    private void check(int round) {
        accounts.forEach((key, account) -> assertThat(PERMITS - limiter.available(key, time))
                .as("round %d, key %d, %s", round, key, Seed.hint())
                .isBetween(account[0], account[0] + account[1]));
        accounts.keySet()
                .forEach(key -> assertThat(limiter.tryAcquire(key, time, 1)).isTrue());

        limiter.evictIdle(time + INTERVAL + 1);
        for (int i = 0; i < 4; i++) {
            limiter.tryAcquire(1_000 + i, time + INTERVAL + 1 + i, 1); // examines what is in no map
        }
        limiter.evictIdle(time + 3 * INTERVAL);
        assertThat(limiter.size()).isZero();
    }
}
