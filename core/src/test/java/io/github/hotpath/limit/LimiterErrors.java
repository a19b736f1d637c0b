package io.github.hotpath.limit;

import static io.github.hotpath.window.ErrorCalls.check;
import static io.github.hotpath.window.ErrorCalls.checkCounts;

import io.github.hotpath.window.ErrorCalls;
import io.github.hotpath.window.ErrorProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random calls that throw errors, of a limiter, of keys, or of several together: no limit is exceeded, what was granted
 * counts, and all keys can be evicted.
 */
public final class LimiterErrors {
    private static final long PERMITS = 1L << 40;
    private static final int TIGHT = 40;
    private static final long INTERVAL = 1 << 20;

    /** The number of keys, and of those that permits are acquired of: the others become idle. */
    private static final int KEYS = 32;

    private static final int BUSY_KEYS = 8;

    private final KeyedLimiter<Integer> keyed = KeyedLimiter.of(Limit.of(PERMITS, Duration.ofNanos(INTERVAL)));

    private final List<SlidingWindowLimiter> singles = List.of(
            SlidingWindowLimiter.of(
                    Limit.of(PERMITS, Duration.ofNanos(INTERVAL)), Limit.ofCalls(PERMITS, Duration.ofNanos(INTERVAL))),
            SlidingWindowLimiter.of(Limit.of(TIGHT, Duration.ofNanos(INTERVAL))));

    /** What counts by itself, in a slot of the accounts. The second is exhausted after some calls. */
    private final List<Limiter> parts = new ArrayList<>(singles);

    private final Target[] targets;

    /**
     * What is called.
     *
     * @param parts in which a grant counts
     * @param isRoomy whether no request may be refused
     * @param isIdle whether permits are reserved and cancelled only
     */
    private record Target(Limiter limiter, int[] parts, boolean isRoomy, boolean isIdle) {}

    private LimiterErrors(String called) {
        for (int key = 0; key < KEYS; key++) {
            parts.add(keyed.forKey(key + 1_000));
        }
        targets = switch (called) {
            case "limiter" -> new Target[] {target(true, 0), target(true, 0), target(false, 1)};
            case "keys" ->
                IntStream.range(0, KEYS)
                        .mapToObj(key -> new Target(parts.get(2 + key), new int[] {2 + key}, true, key >= BUSY_KEYS))
                        .toArray(Target[]::new);
            case "together" -> new Target[] {target(true, 3, 0, 2), target(true, 3, 0, 2), target(false, 2, 0, 3, 1)};
            default -> throw new IllegalArgumentException(called);
        };
    }

    private Target target(boolean isRoomy, int... named) {
        Limiter all = named.length == 1
                ? parts.get(named[0])
                : Limiter.allOf(Arrays.stream(named).mapToObj(parts::get).toList());
        return new Target(all, named, isRoomy, false);
    }

    /** Calls {@code limiter}, {@code keys}, {@code together} or {@code new keys}. */
    public static void run(ErrorProgram program, String called) {
        if (called.equals("new keys")) {
            addKeys(program);
        } else {
            new LimiterErrors(called).run(program, "alone", 1);
            new LimiterErrors(called).run(program, "threads at once", 3);
        }
    }

    /** A key is added to all that holds it, or to nothing. */
    private static void addKeys(ErrorProgram program) {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(PERMITS, Duration.ofNanos(INTERVAL)));
        NewKey calls = new NewKey(limiter);
        program.run("new keys", new ErrorCalls[] {calls}, round -> {
            ErrorCalls.checkAnswers(calls);
            limiter.checkInvariants();
            check(limiter.forKey(calls.key).tryAcquire(0, 1), "refuses: " + calls.key);
            calls.key++;
            check(limiter.size() == calls.key, limiter.size() + " of " + calls.key + " keys");
        });
    }

    private static final class NewKey extends ErrorCalls {
        private final KeyedLimiter<Integer> limiter;
        private int key;

        NewKey(KeyedLimiter<Integer> limiter) {
            super(0, 0);
            this.limiter = limiter;
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void make() {
            limiter.forKey(key).tryAcquire(0, 1);
        }
    }

    private void run(ErrorProgram program, String situation, int threads) {
        Calls[] all = program.calls(threads, Calls::new, Calls[]::new);
        program.run(situation, all, round -> {
            if (round == ErrorProgram.BEFORE) {
                begin(all, round);
                while (all[0].hasRoom()) {
                    all[0].make(); // so that every class is there, and every call site linked, before the first error
                }
            }
            audit(all);
            begin(all, round + 1);
        });
    }

    /** Begins a round, at times that wrap after some rounds; what counted before has expired, or has been cleared. */
    private void begin(Calls[] all, int round) {
        if (round % 4 == 0) {
            singles.forEach(SlidingWindowLimiter::clear);
            keyed.clear();
        }
        for (Calls calls : all) {
            calls.begin(Long.MAX_VALUE + 10 * INTERVAL * (round - 10));
        }
    }

    /** Checks what counts in each part, that all of them can be called, and that all keys can be evicted. */
    private void audit(Calls[] all) {
        ErrorCalls.checkAnswers(all);
        long time = all[0].time;
        for (Calls calls : all) {
            time = calls.time - time > 0 ? calls.time : time;
        }
        for (int i = 0; i < parts.size(); i++) {
            long max = i == 1 ? TIGHT : PERMITS;
            checkCounts(max - parts.get(i).available(time), i, all);
        }
        long later = time + INTERVAL + 1;
        for (Limiter part : parts) {
            long max = part == singles.get(1) ? TIGHT : PERMITS;
            check(part.available(later) == max && part.isIdle(later), "counts what has expired: " + part);
            check(part.tryAcquire(later, TIGHT), "refuses: " + part);
        }
        check(!singles.get(1).tryAcquire(later, 1), "exceeds its limit");
        singles.forEach(SlidingWindowLimiter::checkInvariants);
        long last = later + INTERVAL + 1;
        for (int i = 0; i < 2 * KEYS; i++) {
            keyed.forKey(i).tryAcquire(last, 1); // examines also what an error has left
        }
        check(keyed.size() == 2 * KEYS, keyed.size() + " entries");
        keyed.checkInvariants();
        keyed.evictIdle(last + INTERVAL + 1);
        check(keyed.size() == 0, "keeps " + keyed.size() + " keys");
    }

    private final class Calls extends ErrorCalls {
        private static final int ROOM = 1 << 14;

        private final Kept[] kept = Stream.generate(Kept::new).limit(16).toArray(Kept[]::new);
        private int left;
        private long time;

        /** A reservation that is granted, or none. */
        private static final class Kept {
            private @Nullable Reservation reservation;
            private int[] parts = {};
            private int permits;
        }

        Calls(long seed) {
            super(seed, parts.size());
        }

        void begin(long now) {
            begin();
            time = now;
            left = ROOM;
            for (Kept each : kept) {
                each.reservation = null;
            }
        }

        @Override
        public boolean hasRoom() {
            return left > 0;
        }

        @Override
        public void make() {
            long bits = randomBits();
            left--;
            time += bits >>> 40 & 1; // so that some have the time of the one before
            int permits = 1 + ((int) (bits >>> 20) & 1);
            Kept place = kept[(int) (bits >>> 30) & kept.length - 1];
            Target target = targets[(int) (bits >>> 32 & 0xFFFF) % targets.length];
            if (target.isIdle) {
                add(most, target.parts, permits);
                if (!target.limiter.reserve(time, permits, Duration.ZERO).cancel()) {
                    wrong = "not cancelled";
                }
                add(most, target.parts, -permits);
                return;
            }
            int kind = (int) (bits >>> 60);
            switch (kind) {
                case 9, 10, 11 -> reserve(place, target);
                case 12, 13 -> correct(place, (int) (bits >>> 24) & 7);
                case 14 -> read(target.limiter);
                case 15 -> keyed.evictIdle(time);
                default -> acquire(kind, target, permits);
            }
        }

        private void acquire(int kind, Target target, int permits) {
            add(most, target.parts, permits);
            boolean isGranted = switch (kind) {
                case 0, 1, 2 -> target.limiter.tryAcquire(time, permits);
                case 3, 4, 5 -> target.limiter.tryAcquireOrDelay(time, permits) == 0;
                case 6, 7 -> target.limiter.decide(time, permits).isGranted();
                default -> record(target, permits);
            };
            account(target, permits, isGranted);
        }

        /** Records permits where no limit is exceeded by that, and returns whether it did. */
        private boolean record(Target target, int permits) {
            if (target.isRoomy) {
                target.limiter.record(time, permits);
            }
            return target.isRoomy;
        }

        private void account(Target target, int permits, boolean isGranted) {
            add(isGranted ? least : most, target.parts, isGranted ? permits : -permits);
            if (!isGranted && target.isRoomy) {
                wrong = "refused";
            }
        }

        private void reserve(Kept place, Target target) {
            add(most, target.parts, 3);
            Reservation reservation = target.limiter.reserve(time, 3, Duration.ZERO);
            account(target, 3, reservation.isGranted());
            if (target.isRoomy) {
                place.reservation = reservation;
                place.parts = target.parts;
                place.permits = 3;
            }
        }

        /** Sets the permits of a reservation, which is dropped if that throws. */
        private void correct(Kept place, int permits) {
            Reservation reservation = place.reservation;
            if (reservation == null) {
                return;
            }
            int more = permits - place.permits;
            place.reservation = null;
            add(more > 0 ? most : least, place.parts, more);
            if (!reservation.adjustTo(permits)) {
                wrong = "not adjusted";
            }
            add(more > 0 ? least : most, place.parts, more);
            place.permits = permits;
            place.reservation = permits > 0 ? reservation : null;
        }

        private void read(Limiter limiter) {
            if (limiter.available(time) < 0
                    || limiter.peek(time, 1).quotas().isEmpty()
                    || limiter.toString().isEmpty()) {
                wrong = "read";
            }
            limiter.isIdle(time);
        }
    }
}
