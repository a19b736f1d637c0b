package io.github.hotpath.examples.recipes;

import com.google.common.base.Preconditions;
import com.google.common.base.Throwables;
import io.github.hotpath.examples.recipes.Model.Answer;
import io.github.hotpath.examples.recipes.Model.BusyException;
import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * A client of a language-model service that limits requests and tokens per minute. Calls wait in line, and are sent in
 * order: a long prompt is not overtaken by short ones. No time span of a minute has more calls or tokens than the
 * service allows, so it refuses none, unless others use the same account: then their calls are counted as far as they
 * are known, and the service's {@code Retry-After} is followed. Thread-safe.
 */
final class ModelClient {
    private static final int ATTEMPTS = 3;

    private final Model model;
    private final SlidingWindowLimiter limiter;
    private final BlockingLimiter turns;
    private final LongSupplier nanoClock;
    private final ScheduledExecutorService scheduler;

    /**
     * Creates a client.
     *
     * @param margin how much longer one call may take on its way to the service than another one
     * @param maxWaiting a call that would have to wait is refused if so many wait already, also one to be sent again
     */
    ModelClient(
            Model model,
            Quota quota,
            Duration margin,
            int maxWaiting,
            LongSupplier nanoClock,
            ScheduledExecutorService scheduler) {
        this.model = model;
        this.nanoClock = nanoClock;
        this.scheduler = scheduler;
        Duration interval = quota.minute().plus(margin);
        limiter = SlidingWindowLimiter.of(Limit.ofCalls(quota.calls(), interval), Limit.of(quota.tokens(), interval));
        turns = BlockingLimiter.of(limiter, nanoClock, maxWaiting);
    }

    /**
     * Waits for its turn, calls the model, and returns the answer. It fails with a {@link RejectedExecutionException}
     * if too many wait, and with what the model fails with. If that has refused the call, it is sent again, three times
     * in all.
     *
     * @throws IllegalArgumentException if {@code maxAnswerTokens} is less than 1, or the call may take more tokens than
     *     are allowed in a minute
     */
    CompletableFuture<Answer> ask(String prompt, int maxAnswerTokens) {
        Preconditions.checkArgument(
                maxAnswerTokens >= 1, "maxAnswerTokens: %s (expected: at least 1)", maxAnswerTokens);
        long estimate = (long) model.countTokens(prompt) + maxAnswerTokens; // the most that it can take
        Preconditions.checkArgument(estimate <= Integer.MAX_VALUE, "%s tokens in one call", estimate);
        return ask(prompt, maxAnswerTokens, (int) estimate, ATTEMPTS);
    }

    private CompletableFuture<Answer> ask(String prompt, int maxAnswerTokens, int estimate, int attempts) {
        return turns.acquireAsync(estimate, scheduler)
                .thenCompose(turn -> model.ask(prompt, maxAnswerTokens)
                        .whenComplete((answer, e) -> correct(turn, answer, e))
                        .exceptionallyCompose(e -> attempts > 1 && isRefused(e)
                                ? ask(prompt, maxAnswerTokens, estimate, attempts - 1)
                                : CompletableFuture.failedFuture(e)));
    }

    private void correct(Reservation turn, Answer answer, Throwable e) {
        if (answer != null) {
            turn.adjustTo(Math.max(1, answer.tokens())); // 0 would cancel the call, which the service has counted
        } else if (e != null && Throwables.getRootCause(e) instanceof BusyException busy) {
            limiter.closeFor(nanoClock.getAsLong(), busy.retryAfter());
            turn.cancel();
        } // otherwise the estimate counts: the service may have charged for an answer that was lost
    }

    private static boolean isRefused(Throwable e) {
        return Throwables.getRootCause(e) instanceof BusyException;
    }

    /** Counts a call that others have made with the same account: it leaves less for the calls in line. */
    void countOthers(int tokens) {
        limiter.record(nanoClock.getAsLong(), tokens);
    }

    /** Returns how many calls wait. */
    int waiting() {
        return turns.waiting();
    }

    /** The limits of the service in any {@code minute}. */
    record Quota(int calls, int tokens, Duration minute) {}
}
