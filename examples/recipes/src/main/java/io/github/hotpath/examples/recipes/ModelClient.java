package io.github.hotpath.examples.recipes;

import io.github.hotpath.examples.recipes.Model.Answer;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A client of a language-model service that limits requests and tokens per minute. Each call waits for its turn on its
 * own thread, and calls take their turns in order: a long prompt is not overtaken by short ones. Neither limit is
 * exceeded in any time span of a minute by the calls and tokens in the {@link CallLog}, provided that no answer takes
 * more tokens than it may. Thread-safe.
 */
final class ModelClient {
    private final Model model;
    private final SlidingWindowLimiter limiter;
    private final long marginNanos;
    private final Duration maxDelay;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final CallLog log;

    /**
     * Creates a client.
     *
     * @param margin how late a thread may wake up; the limits are kept for a minute and this
     * @param maxDelay a call that would have to wait longer is refused
     */
    ModelClient(
            Model model,
            Quota quota,
            Duration margin,
            Duration maxDelay,
            LongSupplier nanoClock,
            Pause pause,
            CallLog log) {
        this.model = model;
        this.maxDelay = maxDelay;
        this.nanoClock = nanoClock;
        this.pause = pause;
        this.log = log;
        marginNanos = margin.toNanos();
        Duration interval = quota.minute().plus(margin);
        limiter = SlidingWindowLimiter.of(Limit.ofCalls(quota.calls(), interval), Limit.of(quota.tokens(), interval));
    }

    /** Waits for its slot, calls the model, and returns the answer, or empty if the slot would be too late. */
    Optional<Answer> ask(String prompt, int maxAnswerTokens) throws InterruptedException {
        int estimate = model.countTokens(prompt) + maxAnswerTokens; // the most that it can take
        while (true) {
            long now = nanoClock.getAsLong();
            Reservation turn = limiter.reserve(now, estimate, maxDelay);
            if (!turn.isGranted()) {
                return Optional.empty();
            }
            long slot = now + turn.delayNanos();
            awaitSlot(slot, turn);
            long sent = nanoClock.getAsLong();
            if (sent - slot <= marginNanos) {
                return Optional.of(ask(prompt, maxAnswerTokens, estimate, turn, sent));
            }
            turn.cancel(); // it counts at its slot, and sent so late it could be one too many in the minute after that
        }
    }

    private void awaitSlot(long slot, Reservation turn) throws InterruptedException {
        try {
            pause.until(slot, nanoClock);
        } catch (InterruptedException e) {
            turn.cancel();
            throw e;
        }
    }

    private Answer ask(String prompt, int maxAnswerTokens, int estimate, Reservation turn, long sent)
            throws InterruptedException {
        int used = estimate; // if there is no answer, the service may have charged for one
        try {
            Answer answer = model.ask(prompt, maxAnswerTokens);
            used = Math.max(1, answer.tokens()); // 0 would cancel the call, which the service has counted
            return answer;
        } finally {
            turn.adjustTo(used);
            log.add(sent, estimate, used);
        }
    }

    /** The limits of the service in any {@code minute}. */
    record Quota(int calls, int tokens, Duration minute) {}
}
