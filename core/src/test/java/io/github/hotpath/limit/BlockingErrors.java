package io.github.hotpath.limit;

import static io.github.hotpath.window.ErrorCalls.check;

import io.github.hotpath.window.ErrorCalls;
import io.github.hotpath.window.ErrorProgram;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Random calls of a {@link BlockingLimiter} that throw errors: nobody is left in line, and the next one goes on. A call
 * that does not return is noticed by the watchdog: permits always come back after some microseconds, so only one that
 * has left the line without waking the next can keep others.
 */
public final class BlockingErrors {
    private static final Limit LIMIT = Limit.of(2, Duration.ofNanos(2_000));
    private static final Duration SHORT = Duration.ofNanos(100);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final BlockingLimiter turns = BlockingLimiter.of(SlidingWindowLimiter.of(LIMIT));

    /** Rejects all, so that no future needs another thread, and memory of its own. */
    private final BlockingScheduler rejecting = new BlockingScheduler(BlockingSimulation.still(0));

    private BlockingErrors() {
        rejecting.isRejecting = true;
    }

    public static void run(ErrorProgram program) {
        new BlockingErrors().run(program, "alone", 1);
        new BlockingErrors().run(program, "threads at once", 3);
    }

    private void run(ErrorProgram program, String situation, int threads) {
        Calls[] all = program.calls(threads, Calls::new, Calls[]::new);
        program.run(situation, all, round -> {
            if (round == ErrorProgram.BEFORE) {
                link(all[0]);
            }
            ErrorCalls.checkAnswers(all);
            turns.recheck(); // for a future that could not be told
            check(turns.waiting() == 0, turns.waiting() + " wait, and no call is in progress");
            try {
                turns.acquire(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Makes many calls, so that every class is there, and every call site linked, before the first error. */
    private static void link(Calls calls) {
        for (int i = 0; i < 2_000; i++) {
            calls.make();
        }
        BlockingSimulation simulation = BlockingSimulation.still(0);
        BlockingLimiter lasting = BlockingLimiter.of(SlidingWindowLimiter.of(Limit.of(2, Duration.ofDays(1))));
        Reservation both = lasting.acquireAsync(2, simulation.scheduler).join();
        CompletableFuture<Reservation> future = lasting.acquireAsync(2, simulation.scheduler);
        lasting.recheck(); // in vain
        simulation.settle();
        both.cancel();
        simulation.settle();
        future.join();
    }

    private final class Calls extends ErrorCalls {
        private @Nullable CompletableFuture<Reservation> future;
        private @Nullable Reservation kept;

        Calls(long seed) {
            super(seed, 0);
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void make() {
            long bits = randomBits();
            int permits = 1 + (int) (bits >>> 8 & 1);
            try {
                switch ((int) (bits >>> 60)) {
                    case 0, 1, 2, 3, 4, 5 -> kept = turns.acquire(permits);
                    case 6, 7, 8 -> kept = turns.tryAcquire(permits, LONG);
                    case 9, 10 -> kept = turns.tryAcquire(permits, SHORT);
                    case 11, 12 -> future = turns.acquireAsync(permits, rejecting);
                    case 13 -> leave();
                    case 14 -> turns.recheck();
                    default -> release();
                }
            } catch (InterruptedException e) {
                wrong = e;
            }
        }

        private void leave() {
            CompletableFuture<Reservation> waiting = future;
            if (waiting != null) {
                waiting.cancel(false);
            }
        }

        private void release() {
            Reservation granted = kept;
            if (granted != null) {
                granted.cancel();
            }
        }
    }
}
