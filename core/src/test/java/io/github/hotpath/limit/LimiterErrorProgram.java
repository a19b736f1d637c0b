package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterErrorCalls.Mix;
import io.github.hotpath.window.ErrorProgram;
import java.time.Duration;
import java.util.List;

/** The {@link ErrorProgram} of {@link SlidingWindowLimiter}. */
final class LimiterErrorProgram {
    private static final int ROOM = 1 << 15;
    private static final long MANY = 1_000_000_000;

    private final ErrorProgram program;

    private LimiterErrorProgram(ErrorProgram program) {
        this.program = program;
    }

    /** Takes what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        link();
        new LimiterErrorProgram(new ErrorProgram("limiter errors", arguments[0], arguments[1])).run();
    }

    private void run() {
        run("few", 1, 5, roomy(60, 1, 0, 1), Limit.of(MANY, nanos(60)));
        run(
                "thousands",
                1,
                3_000,
                roomy(30_000, 2, 1, 0),
                Limit.of(MANY, nanos(30_000)),
                Limit.ofCalls(MANY, nanos(20_000)));
        run("expiring in bulk", 1, 3_000, roomy(30_000, 2, 3, 3), Limit.of(MANY, nanos(30_000)));
        run("corrections", 1, 100, new Mix(20_000, true, 6, 7, 0, 0, nanos(0)), Limit.of(MANY, nanos(20_000)));
        run("exhausted", 1, 0, tight(60, 0), Limit.of(9, nanos(60)));
        run("exhausted twice", 1, 0, tight(200, 0), Limit.of(8, nanos(50)), Limit.ofCalls(9, nanos(200)));
        run("pending", 1, 0, tight(60, 300), Limit.of(9, nanos(60)));
        run("threads at once", 3, 0, tight(Long.MAX_VALUE / 4, 0), Limit.of(700, nanos(Long.MAX_VALUE / 4)));
        program.end();
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
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(List.of(limits));
        long start = Long.MAX_VALUE - 1_000_000; // it wraps on the way
        LimiterErrorCalls[] all = new LimiterErrorCalls[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new LimiterErrorCalls(limiter, start, mix, program.random().nextLong(), ROOM);
        }
        LimiterErrorAudit audit = new LimiterErrorAudit(all);
        program.run(situation, all, round -> audit.run(threads > 1 || (round + 1) % 4 == 0, fill));
    }
}
