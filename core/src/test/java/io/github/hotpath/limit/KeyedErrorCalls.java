package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorSource;
import io.github.hotpath.window.Seed;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Acquires permits of random keys at one time, and checks what the limiter counts afterwards. */
final class KeyedErrorCalls implements ErrorSource {
    private static final int ROOM = 1 << 15;
    private static final int PERMITS = 1_000_000;
    private static final long INTERVAL = 1_000;

    private final KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(PERMITS, Duration.ofNanos(INTERVAL)));
    private final SplittableRandom random;

    /** Of each call in this round, its key. Boxes of these keys are cached. */
    private final int[] keys = new int[ROOM];

    /** Whether it has returned. */
    private final boolean[] returned = new boolean[ROOM];

    /** Made before the memory runs out. */
    private final IllegalStateException refused = new IllegalStateException("refused");

    private int calls;
    private long time;
    private @Nullable Throwable failure;

    KeyedErrorCalls(SplittableRandom random) {
        this.random = random;
    }

    /** Begins a round, at times that wrap after some rounds. */
    void begin(int round) {
        limiter.clear();
        Arrays.fill(returned, false);
        calls = 0;
        time = Long.MAX_VALUE - 10 * INTERVAL + 200L * round;
    }

    @Override
    public void make() {
        int key = random.nextInt(128);
        int place = calls++;
        keys[place] = key;
        boolean acquired =
                (key & 1) == 0 ? limiter.tryAcquire(key, time, 1) : limiter.tryAcquireOrDelay(key, time, 1) == 0;
        if (!acquired) {
            throw refused;
        }
        returned[place] = true;
    }

    @Override
    public boolean hasRoom() {
        return calls < ROOM;
    }

    @Override
    public void fail(Throwable unexpected) {
        failure = unexpected;
    }

    /** Checks that each key counts what has returned, or that and some of what has thrown; and that all can be evicted. */
    void check(int round) {
        if (failure != null) {
            throw new AssertionError("round " + round, failure);
        }
        accounts().forEach((key, account) -> {
            long counted = PERMITS - limiter.available(key, time);
            check(counted >= account[0] && counted <= account[0] + account[1], round, "counts " + counted);
            check(limiter.tryAcquire(key, time, 1), round, "refuses");
        });

        limiter.evictIdle(time + INTERVAL + 1);
        for (int i = 0; i < 4; i++) {
            limiter.tryAcquire(1_000 + i, time + INTERVAL + 1 + i, 1); // examines what is in no map
        }
        limiter.evictIdle(time + 3 * INTERVAL);
        check(limiter.size() == 0, round, "keeps " + limiter.size() + " keys");
    }

    /** Returns, for each key, how many calls have returned, and how many have thrown. */
    private Map<Integer, int[]> accounts() {
        Map<Integer, int[]> accounts = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            accounts.computeIfAbsent(keys[i], any -> new int[2])[returned[i] ? 0 : 1]++;
        }
        return accounts;
    }

    private static void check(boolean holds, int round, String otherwise) {
        if (!holds) {
            throw new AssertionError("round " + round + ": " + otherwise + ", " + Seed.hint());
        }
    }
}
