package io.github.hotpath.examples.recipes;

import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * A client of a language-model service that limits requests and tokens per minute. Calls wait in line, and are sent in
 * order and once: a long prompt is not overtaken by short ones. No time span of a minute has more calls or tokens than
 * the service allows, so it refuses none, unless others use the same account: then their calls are counted as far as
 * they are known, and the service's {@code Retry-After} is followed. Thread-safe.
 */
final class ModelClient {
    private final Model model;
    private final Quota quota;
    private final SlidingWindowLimiter limiter;
    private final BlockingLimiter turns;
    private final LongSupplier nanoClock;
    private final ScheduledExecutorService scheduler;

    /**
     * The limits of the service in any {@code minute}.
     *
     * @param margin how much longer one call may take on its way to the service than another one
     * @param longestWait the longest time for which a refusal keeps back all calls
     */
    record Quota(int calls, int tokens, Duration minute, Duration margin, Duration longestWait) {}

    /** Creates a client. A call that would have to wait is refused if {@code maxWaiting} calls wait already. */
    ModelClient(Model model, Quota quota, int maxWaiting, LongSupplier nanoClock, ScheduledExecutorService scheduler) {
        this.model = model;
        this.quota = quota;
        this.nanoClock = nanoClock;
        this.scheduler = scheduler;
        Duration interval = quota.minute.plus(quota.margin);
        limiter = SlidingWindowLimiter.of(Limit.ofCalls(quota.calls, interval), Limit.of(quota.tokens, interval));
        turns = BlockingLimiter.of(limiter, nanoClock, maxWaiting);
    }

    /**
     * Waits for its turn, calls the model, and returns the answer. It fails with a {@link RejectedExecutionException}
     * if too many wait, and with what the model fails with. To cancel it takes it out of the line.
     *
     * @throws IllegalArgumentException if {@code maxAnswerTokens} is less than 1, or the call may take more tokens than
     *     are allowed in a minute
     */
    CompletableFuture<Model.Answer> ask(String prompt, int maxAnswerTokens) {
        long estimate = (long) model.countTokens(prompt) + maxAnswerTokens; // the most that it can take
        if (maxAnswerTokens < 1 || estimate > quota.tokens) {
            throw new IllegalArgumentException("maxAnswerTokens: " + maxAnswerTokens
                    + " (expected: at least 1, and with the prompt at most " + quota.tokens + ")");
        }
        CompletableFuture<Reservation> turn = turns.acquireAsync((int) estimate, scheduler);
        CompletableFuture<Model.Answer> answer = turn.thenCompose(
                granted -> model.ask(prompt, maxAnswerTokens).whenComplete((result, e) -> correct(granted, result, e)));
        answer.whenComplete((result, e) -> turn.cancel(false)); // a caller who gives up leaves the line
        return answer;
    }

    private void correct(Reservation turn, Model.Answer answer, Throwable e) {
        Throwable cause = e instanceof CompletionException ? e.getCause() : e;
        if (answer != null) {
            turn.adjustTo(Math.max(1, answer.tokens())); // 0 would cancel the call, which the service has counted
        } else if (cause instanceof Model.BusyException busy) {
            Duration wait = busy.retryAfter();
            limiter.closeFor(nanoClock.getAsLong(), wait.compareTo(quota.longestWait) < 0 ? wait : quota.longestWait);
            turn.cancel(); // the service has charged nothing
        } // otherwise the estimate counts: the service may have charged for an answer that was lost
    }

    /** Counts a call that others have made with the same account: it leaves less for the calls in line. */
    void countOthers(int tokens) {
        limiter.record(nanoClock.getAsLong(), tokens);
    }

    /** Returns how many calls wait. */
    int waiting() {
        return turns.waiting();
    }
}
