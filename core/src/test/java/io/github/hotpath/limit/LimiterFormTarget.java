package io.github.hotpath.limit;

import io.github.hotpath.fuzz.FormTarget;
import java.time.Duration;
import java.util.SplittableRandom;

/** Any bytes, read as a {@link SlidingWindowLimiter}. Jazzer calls it by its name. */
public final class LimiterFormTarget {
    static final String CORPUS = "io/github/hotpath/limit/limiter-corpus";

    /** A limit is three bytes of input at least, an entry one; a log may have grown to it by copying. */
    private static final long MEMORY_PER_BYTE = 128;

    static final FormTarget<SlidingWindowLimiter> TARGET =
            new FormTarget<>(Limiters.FORM, MEMORY_PER_BYTE, LimiterFormTarget::call);

    private LimiterFormTarget() {}

    /** Throws an error if something does not hold for {@code bytes}. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        TARGET.check(bytes);
    }

    private static Object call(SlidingWindowLimiter limiter, long nanos, SplittableRandom random) {
        Object result = call(limiter, nanos, 1 + (random.nextInt() >>> random.nextInt(1, 32)), random);
        limiter.checkInvariants();
        return result;
    }

    private static Object call(SlidingWindowLimiter limiter, long nanos, int permits, SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> limiter.tryAcquire(nanos, permits);
            case 1 -> delay(limiter, nanos, permits);
            case 2 -> {
                Reservation reservation = limiter.reserve(nanos, permits, Duration.ofNanos(random.nextLong() >>> 1));
                boolean kept = random.nextBoolean() || reservation.cancel();
                yield reservation.toString() + kept;
            }
            case 3 -> limiter.available(nanos);
            case 4 -> limiter.isIdle(nanos);
            default -> limiter.toString();
        };
    }

    private static long delay(SlidingWindowLimiter limiter, long nanos, int permits) {
        long delay = limiter.tryAcquireOrDelay(nanos, permits);
        if (delay > 0 && limiter.tryAcquire(nanos + delay - 1, permits)) {
            throw new AssertionError("granted before the delay of " + delay);
        }
        if (delay > 0 && delay < Long.MAX_VALUE && !limiter.tryAcquire(nanos + delay, permits)) {
            throw new AssertionError("refused after the delay of " + delay);
        }
        return delay;
    }
}
