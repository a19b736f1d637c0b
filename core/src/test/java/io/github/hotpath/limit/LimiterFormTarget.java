package io.github.hotpath.limit;

import io.github.hotpath.testing.FormTarget;
import java.time.Duration;
import java.util.SplittableRandom;

/** Any bytes, read as a {@link SlidingWindowLimiter}. */
public final class LimiterFormTarget {
    /** A limit is three bytes of input at least, an entry one; a log may have grown to it by copying. */
    private static final long MEMORY_PER_BYTE = 128;

    public static final FormTarget<SlidingWindowLimiter> TARGET = new FormTarget<>(
            "SlidingWindowLimiter",
            "limit/limiter-corpus",
            Limiters.FORM,
            MEMORY_PER_BYTE,
            true,
            random -> SlidingWindowLimiter.of(LimiterTraffic.limits(LimiterTraffic.Kind.LEAPS, random)),
            LimiterFormTarget::call);

    private LimiterFormTarget() {}

    private static Object call(SlidingWindowLimiter limiter, long nanos, SplittableRandom random) {
        Object result = answer(limiter, nanos, true, random);
        Invariants.check(limiter);
        return result;
    }

    /** Makes a random call of any limiter, and returns its result; {@code isExact} tells whether to check a delay. */
    static Object answer(Limiter limiter, long nanos, boolean isExact, SplittableRandom random) {
        int permits = 1 + (random.nextInt() >>> random.nextInt(1, 32));
        return switch (random.nextInt(8)) {
            case 0 -> limiter.tryAcquire(nanos, permits);
            case 1 -> isExact ? delay(limiter, nanos, permits) : limiter.tryAcquireOrDelay(nanos, permits);
            case 2 -> {
                Reservation reservation = limiter.reserve(nanos, permits, Duration.ofNanos(random.nextLong() >>> 1));
                boolean kept = random.nextBoolean() || reservation.cancel();
                yield reservation.toString() + kept;
            }
            case 3 -> {
                limiter.closeFor(nanos, Duration.ofNanos(random.nextLong() >>> random.nextInt(3, 64)));
                yield limiter.decide(nanos, permits).toString();
            }
            case 4 -> {
                limiter.record(nanos, permits);
                yield limiter.peek(nanos, 1).toString();
            }
            case 5 -> limiter.available(nanos);
            case 6 -> limiter.isIdle(nanos);
            default -> limiter.toString();
        };
    }

    private static long delay(Limiter limiter, long nanos, int permits) {
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
