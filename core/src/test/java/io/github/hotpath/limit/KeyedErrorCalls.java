package io.github.hotpath.limit;

import io.github.hotpath.internal.StackReserve;
import io.github.hotpath.window.ErrorProgram;
import io.github.hotpath.window.ErrorRounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Acquires permits of random keys at one time, cancels some of them and evicts what is idle then; and checks what the
 * limiter counts afterwards, and that all entries can be evicted.
 */
final class KeyedErrorCalls extends ErrorRounds {
    private static final int ROOM = 1 << 15;
    private static final int PERMITS = 1_000_000;
    private static final long INTERVAL = 1_000;

    /** The number of keys, and of those from which permits are acquired permanently: the others become idle. */
    private static final int KEYS = 32;

    private static final int BUSY_KEYS = 8;

    private final KeyedLimiter<Key> limiter = KeyedLimiter.of(Limit.of(PERMITS, Duration.ofNanos(INTERVAL)));
    private final Key[] keys = new Key[KEYS];

    /** Of each call in this round that may count, its key. */
    private final Key[] called = new Key[ROOM];

    /** Whether it has returned, and counts. */
    private final boolean[] counts = new boolean[ROOM];

    private int calls;
    private long time;

    /** Takes what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        ErrorProgram.run("keyed errors", arguments, KeyedErrorCalls::new);
    }

    private KeyedErrorCalls(long seed) {
        super(seed);
        Arrays.setAll(keys, Key::new);
    }

    /**
     * A key that checks how much stack is left when it is hashed, which is before the map is changed; but for the first
     * time in each call, when it is looked up.
     */
    private static final class Key {
        private final int number;
        private int lookUps;
        private boolean lacksStack;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            if (lookUps > 0) {
                lookUps--;
            } else {
                try {
                    StackReserve.check(); // about half of what there must be
                } catch (StackOverflowError e) {
                    lacksStack = true;
                }
            }
            return number % (KEYS - BUSY_KEYS); // some are the same
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    /** Begins a round, at times that wrap after some rounds, with keys that are idle. */
    @Override
    protected void begin(int round) {
        if (round % 4 == 0) {
            limiter.clear();
        }
        calls = 0;
        time = Long.MAX_VALUE + 10 * INTERVAL * (round - 10);
        List<Reservation> made = new ArrayList<>();
        for (int i = BUSY_KEYS; i < KEYS; i++) {
            made.add(limiter.forKey(keys[i]).reserve(time, 1, Duration.ZERO));
        }
        made.forEach(Reservation::cancel);
    }

    @Override
    public void make() {
        long bits = randomBits();
        int kind = (int) (bits >>> 61);
        int lot = (int) (bits >>> 8);
        Key key = keys[lot & (kind < 3 ? BUSY_KEYS : KEYS) - 1];
        int place = calls;
        called[place] = key;
        counts[place] = false;
        calls = place + 1;
        key.lookUps = kind < 3 ? 2 : 1;
        if (kind < 3) {
            boolean acquired = kind == 0
                    ? limiter.forKey(key).tryAcquireOrDelay(time, 1) == 0
                    : limiter.forKey(key).tryAcquire(time, 1);
            if (acquired) {
                counts[place] = true;
            } else {
                wrong = "refused";
            }
        } else if (kind < 7) {
            if (limiter.forKey(key).reserve(time, 1, Duration.ZERO).cancel()) {
                calls = place;
            } else {
                wrong = "not cancelled";
            }
        } else {
            calls = place;
            key.lookUps = 0;
            limiter.evictIdle(time);
        }
    }

    @Override
    public boolean hasRoom() {
        return calls < ROOM;
    }

    /**
     * Checks that each key counts what has returned, or that and some of what has thrown; and that all can be evicted.
     */
    @Override
    protected void check(int round) {
        for (Key key : keys) {
            check(!key.lacksStack, round, "the map is changed without stack in reserve");
            checkCounted(key, round);
        }

        // Other keys evict all of these, also those that the rotation has after an error and the map has not.
        long later = time + INTERVAL + 1;
        for (int i = 0; i < 2 * KEYS; i++) {
            limiter.forKey(new Key(i)).tryAcquire(later, 1);
        }
        check(limiter.size() == 2 * KEYS, round, limiter.size() + " entries");
        limiter.checkInvariants();
        limiter.evictIdle(later + INTERVAL + 1);
        check(limiter.size() == 0, round, "keeps " + limiter.size() + " keys");
    }

    private void checkCounted(Key key, int round) {
        int least = 0;
        int most = 0;
        for (int i = 0; i < calls; i++) {
            if (called[i] == key) {
                least += counts[i] ? 1 : 0;
                most++;
            }
        }
        long counted = PERMITS - limiter.forKey(key).available(time);
        check(counted >= least && counted <= most, round, counted + " count, not " + least + " to " + most);
        check(limiter.forKey(key).tryAcquire(time, 1), round, "refuses");
    }
}
