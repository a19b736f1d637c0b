package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorProgram;
import io.github.hotpath.window.ErrorSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The {@link ErrorProgram} of {@link BlockingLimiter}. */
final class BlockingErrorProgram {
    private static final Limit LIMIT = Limit.of(2, Duration.ofNanos(2_000));

    private BlockingErrorProgram() {}

    /** Takes what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        ErrorProgram program = new ErrorProgram("blocking errors", arguments[0], arguments[1]);
        run(program, "alone", 1);
        run(program, "threads at once", 3);
        program.end();
    }

    private static void run(ErrorProgram program, String situation, int threads) {
        BlockingLimiter turns = BlockingLimiter.of(SlidingWindowLimiter.of(LIMIT));
        BlockingScheduler rejecting = new BlockingScheduler(BlockingSimulation.still(0));
        rejecting.isRejecting = true; // so that no future needs another thread, and memory of its own
        BlockingErrorCalls[] all = new BlockingErrorCalls[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new BlockingErrorCalls(turns, rejecting, program.random().nextLong());
        }
        program.run(situation, (ErrorSource[]) all, round -> {
            if (round == ErrorProgram.BEFORE) {
                link(all);
            }
            check(turns, all);
        });
    }

    /** Makes many calls, so that every class is there, and every call site linked, before the first error. */
    private static void link(BlockingErrorCalls[] all) {
        for (int i = 0; i < 2_000; i++) {
            all[0].make();
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

    private static void check(BlockingLimiter turns, BlockingErrorCalls[] all) {
        for (BlockingErrorCalls calls : all) {
            calls.checkAnswers();
        }
        turns.recheck(); // for a future that could not be told
        if (turns.waiting() != 0) {
            throw new AssertionError(turns.waiting() + " wait, and no call is in progress");
        }
        try {
            turns.acquire(2);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
