package io.github.hotpath.limit;

import io.github.hotpath.testing.CompactBytes;
import io.github.hotpath.testing.FormTarget;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Any bytes, read as a {@link KeyedLimiter} of eight keys, each of other limits. */
public final class KeyedFormTarget {
    /** A key is twelve bytes of input at least, and has an entry of its own with its limits. */
    private static final long MEMORY_PER_BYTE = 128;

    /** The bits of a key tell which of them it has. */
    private static final List<Limit> LIMITS = List.of(
            Limit.ofCalls(3, Duration.ofNanos(1_000)),
            Limit.of(20, Duration.ofDays(20_000)),
            Limit.of(1_000, Duration.ofNanos(1L << 61)));

    public static final FormTarget<KeyedLimiter<Integer>> TARGET = new FormTarget<>(
            "KeyedLimiter",
            "limit/keyed-limiter-corpus",
            form(KeyedFormTarget::limitsOf),
            MEMORY_PER_BYTE,
            false, // idle keys are evicted one after the other
            random -> KeyedLimiter.of(KeyedFormTarget::limitsOf),
            KeyedFormTarget::call);

    private KeyedFormTarget() {}

    /**
     * The form of limiters with eight keys, a byte each, whose order in a map does not depend on how they came there.
     */
    static CompactBytes<KeyedLimiter<Integer>> form(Function<Integer, List<Limit>> limitsOf) {
        return new CompactBytes<>(
                (limiter, out) -> limiter.writeTo(out, (key, keys) -> keys.writeByte(key)),
                (in, shift) -> KeyedLimiter.readFrom(in, keys -> keys.readByte() & 7, shift, limitsOf));
    }

    private static List<Limit> limitsOf(int key) {
        return IntStream.range(0, LIMITS.size())
                .filter(bit -> (key >> bit & 1) == 1)
                .mapToObj(LIMITS::get)
                .toList();
    }

    private static Object call(KeyedLimiter<Integer> limiter, long nanos, SplittableRandom random) {
        // Before the eviction time, a key may be evicted between two calls, and what was refused be granted earlier.
        boolean isExact = limiter.keys.map().isAfterEviction(nanos);
        Object result = random.nextInt(8) == 0
                ? evicted(limiter, nanos)
                : LimiterFormTarget.answer(limiter.forKey(random.nextInt(8)), nanos, isExact, random);
        Invariants.check(limiter);
        return result;
    }

    private static int evicted(KeyedLimiter<Integer> limiter, long nanos) {
        limiter.evictIdle(nanos);
        return limiter.size();
    }
}
