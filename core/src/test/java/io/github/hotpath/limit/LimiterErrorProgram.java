package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterErrorCalls.Mix;
import io.github.hotpath.window.ErrorSource;
import io.github.hotpath.window.MemoryShortage;
import io.github.hotpath.window.Seed;
import io.github.hotpath.window.StackDiver;
import io.github.hotpath.window.Watchdog;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Calls limiters while the stack overflows, or while there is hardly any memory, and sees each time afterwards whether
 * the limiter is still right. Ends with a status other than 0 if not, and if a call does not return.
 */
final class LimiterErrorProgram {
    private static final int ROOM = 1 << 15;
    private static final long MANY = 1_000_000_000;

    /** Makes calls that throw, and returns how many have. */
    private interface Trouble {
        int make(ErrorSource[] all, String doing);
    }

    private final SplittableRandom random = Seed.random("limiter errors");
    private final Trouble trouble;
    private final int rounds;
    private int errors;

    private LimiterErrorProgram(boolean memory, int rounds) {
        this.trouble =
                memory ? new MemoryShortage(random)::runOut : (all, doing) -> StackDiver.overflow(all, random, doing);
        this.rounds = rounds;
    }

    /** Takes {@code stack} or {@code memory}, and the number of rounds in each situation. */
    public static void main(String[] arguments) {
        link();
        LimiterErrorProgram program =
                new LimiterErrorProgram(arguments[0].equals("memory"), Integer.parseInt(arguments[1]));
        program.run("few", 1, 5, roomy(60, 1, 0, 1), Limit.of(MANY, nanos(60)));
        program.run(
                "thousands",
                1,
                3_000,
                roomy(30_000, 2, 1, 0),
                Limit.of(MANY, nanos(30_000)),
                Limit.ofCalls(MANY, nanos(20_000)));
        program.run("expiring in bulk", 1, 3_000, roomy(30_000, 2, 3, 3), Limit.of(MANY, nanos(30_000)));
        program.run("corrections", 1, 100, new Mix(20_000, true, 6, 7, 0, 0, nanos(0)), Limit.of(MANY, nanos(20_000)));
        program.run("exhausted", 1, 0, tight(60, 0), Limit.of(9, nanos(60)));
        program.run("exhausted twice", 1, 0, tight(200, 0), Limit.of(8, nanos(50)), Limit.ofCalls(9, nanos(200)));
        program.run("pending", 1, 0, tight(60, 300), Limit.of(9, nanos(60)));
        program.run("threads at once", 3, 0, tight(Long.MAX_VALUE / 4, 0), Limit.of(700, nanos(Long.MAX_VALUE / 4)));
        System.out.println(program.errors);
    }

    /** Makes each call once: a call site whose first call fails is not linked at any later one. */
    private static void link() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(3, nanos(10)), Limit.ofCalls(3, nanos(10)));
        limiter.clear();
        Reservation reservation = limiter.reserve(0, 2, nanos(10));
        boolean linked = limiter.tryAcquire(0, 1)
                && !limiter.tryAcquire(0, 1)
                && reservation.adjustTo(1)
                && reservation.cancel()
                && limiter.tryAcquireOrDelay(0, 3) > 0
                && limiter.available(0) == 2
                && !limiter.isIdle(0)
                && !limiter.toString().isEmpty();
        if (!linked) {
            throw new AssertionError(limiter);
        }
        limiter.checkInvariants();
    }

    private static Mix roomy(long interval, int reserves, int bursts, int leaps) {
        return new Mix(interval, true, reserves, reserves, bursts, leaps, Duration.ZERO);
    }

    private static Mix tight(long interval, long maxDelay) {
        return new Mix(interval, false, 4, 3, 0, 0, nanos(maxDelay));
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    private void run(String situation, int threads, int fill, Mix mix, Limit... limits) {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limits);
        long start = Long.MAX_VALUE - 1_000_000; // it wraps on the way
        LimiterErrorCalls[] all = new LimiterErrorCalls[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new LimiterErrorCalls(limiter, start, mix, random.nextLong(), ROOM);
        }
        LimiterErrorAudit audit = new LimiterErrorAudit(all);
        Watchdog.run(() -> audit.run(true, fill), "before: " + situation);
        for (int round = 0; round < rounds; round++) {
            String doing = situation + ", round " + round;
            errors += trouble.make(all, doing);
            boolean clear = threads > 1 || round % 4 == 3;
            Watchdog.run(() -> audit.run(clear, fill), "audit: " + doing);
        }
    }
}
