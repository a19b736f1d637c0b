package io.github.hotpath.limit;

import io.github.hotpath.fuzz.FormTarget;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Any bytes, read as a {@link KeyedLimiter} of eight keys. Jazzer calls it by its name. */
public final class KeyedFormTarget {
    static final String CORPUS = "io/github/hotpath/limit/keyed-limiter-corpus";

    /** A key is four bytes of input at least, and has an entry of its own with its limits. */
    static final long MEMORY_PER_BYTE = 512;

    static final FormTarget<KeyedLimiter<Integer>> TARGET = new FormTarget<>(
            KeyedForms.ofEightKeys(
                    List.of(Limit.ofCalls(3, Duration.ofNanos(1_000)), Limit.of(20, Duration.ofDays(20_000)))),
            MEMORY_PER_BYTE,
            KeyedFormTarget::call);

    private KeyedFormTarget() {}

    /** Throws an error if something does not hold for {@code bytes}. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        TARGET.check(bytes);
    }

    private static Object call(KeyedLimiter<Integer> limiter, long nanos, SplittableRandom random) {
        int key = random.nextInt(8);
        Object result = call(limiter, key, nanos, 1 + (random.nextInt() >>> random.nextInt(1, 32)), random);
        limiter.checkInvariants();
        return result;
    }

    private static Object call(
            KeyedLimiter<Integer> limiter, int key, long nanos, int permits, SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> limiter.forKey(key).tryAcquire(nanos, permits);
            case 1 -> limiter.forKey(key).tryAcquireOrDelay(nanos, permits);
            case 2 -> {
                Duration maxDelay = Duration.ofNanos(random.nextLong() >>> 1);
                yield limiter.forKey(key).reserve(nanos, permits, maxDelay).toString();
            }
            case 3 -> limiter.forKey(key).available(nanos);
            default -> limiter.size();
        };
    }
}
