package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterErrorCalls.Target;
import io.github.hotpath.window.ErrorProgram;
import io.github.hotpath.window.ErrorSource;
import io.github.hotpath.window.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The {@link ErrorProgram} of limiters: of a {@code limiter}, of {@code keys}, or of several {@code together}. */
final class LimiterErrorProgram {
    private static final long PERMITS = 1L << 40;
    private static final int TIGHT = 40;
    private static final long INTERVAL = 1 << 20;

    /** The number of keys, and of those that permits are acquired of: the others become idle. */
    private static final int KEYS = 32;

    private static final int BUSY_KEYS = 8;

    private final KeyedLimiter<Integer> keyed = KeyedLimiter.of(Limit.of(PERMITS, nanos(INTERVAL)));

    /** What counts by itself. The last but keys is exhausted after some calls. */
    private final List<Limiter> parts = new ArrayList<>();

    private final List<SlidingWindowLimiter> singles = List.of(
            SlidingWindowLimiter.of(Limit.of(PERMITS, nanos(INTERVAL)), Limit.ofCalls(PERMITS, nanos(INTERVAL))),
            SlidingWindowLimiter.of(Limit.of(TIGHT, nanos(INTERVAL))));

    private final Target[] targets;

    private LimiterErrorProgram(String kind) {
        parts.addAll(singles);
        for (int key = 0; key < KEYS; key++) {
            parts.add(keyed.forKey(key + 1_000));
        }
        targets = switch (kind) {
            case "limiter" -> new Target[] {target(true, 0), target(true, 0), target(false, 1)};
            case "keys" ->
                IntStream.range(0, KEYS)
                        .mapToObj(key -> new Target(parts.get(2 + key), new int[] {2 + key}, true, key >= BUSY_KEYS))
                        .toArray(Target[]::new);
            case "together" -> new Target[] {target(true, 3, 0, 2), target(true, 3, 0, 2), target(false, 2, 0, 3, 1)};
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private Target target(boolean isRoomy, int... named) {
        Limiter all = named.length == 1
                ? parts.get(named[0])
                : Limiter.allOf(Arrays.stream(named).mapToObj(parts::get).toList());
        return new Target(all, named, isRoomy, false);
    }

    /** Takes the kind, and what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        ErrorProgram program = new ErrorProgram(arguments[0] + " errors", arguments[1], arguments[2]);
        new LimiterErrorProgram(arguments[0]).run(program, "alone", 1);
        new LimiterErrorProgram(arguments[0]).run(program, "threads at once", 3);
        program.end();
    }

    private void run(ErrorProgram program, String situation, int threads) {
        LimiterErrorCalls[] all = new LimiterErrorCalls[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new LimiterErrorCalls(
                    parts.size(), targets, keyed, program.random().nextLong());
        }
        program.run(situation, (ErrorSource[]) all, round -> {
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
    private void begin(LimiterErrorCalls[] all, int round) {
        if (round % 4 == 0) {
            singles.forEach(SlidingWindowLimiter::clear);
            keyed.clear();
        }
        for (LimiterErrorCalls calls : all) {
            calls.restart(Long.MAX_VALUE + 10 * INTERVAL * (round - 10));
        }
    }

    /** Checks what counts in each limiter, that all of them can be called, and that all keys can be evicted. */
    private void audit(LimiterErrorCalls[] all) {
        long time = all[0].time;
        for (LimiterErrorCalls calls : all) {
            calls.checkAnswers();
            time = calls.time - time > 0 ? calls.time : time;
        }
        for (int i = 0; i < parts.size(); i++) {
            checkCounted(i, time, all);
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

    private void checkCounted(int part, long time, LimiterErrorCalls[] all) {
        long least = 0;
        long most = 0;
        for (LimiterErrorCalls calls : all) {
            least += calls.least[part];
            most += calls.most[part];
        }
        long max = part == 1 ? TIGHT : PERMITS;
        long counts = max - parts.get(part).available(time);
        check(counts >= least && counts <= most, part + " counts " + counts + ", not " + least + " to " + most);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise + ", " + Seed.hint());
        }
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }
}
