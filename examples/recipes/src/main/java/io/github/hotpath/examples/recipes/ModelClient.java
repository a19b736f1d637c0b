package io.github.hotpath.examples.recipes;

import com.google.common.base.Preconditions;
import io.github.hotpath.examples.recipes.Model.Answer;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A client of a language-model service that limits requests and tokens per minute. Each call waits in line on its own
 * thread, and calls are sent in order: a long prompt is not overtaken by short ones. Neither limit is exceeded in any
 * time span of a minute by the calls and tokens in the {@link CallLog}, provided that no answer takes more tokens than
 * it may. Thread-safe.
 */
final class ModelClient {
    private final Model model;
    private final int mostTokens;
    private final SlidingWindowLimiter limiter;
    private final long marginNanos;
    private final long maxDelayNanos;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final CallLog log;

    /** Only its holder acquires permits, so none are acquired before they can be used. Fair: first come, first served. */
    private final ReentrantLock line = new ReentrantLock(true);

    /**
     * Creates a client.
     *
     * @param margin how much later than its turn a call may be sent; the limits are kept for a minute and this
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
        this.nanoClock = nanoClock;
        this.pause = pause;
        this.log = log;
        mostTokens = quota.tokens();
        marginNanos = margin.toNanos();
        maxDelayNanos = TimeUnit.NANOSECONDS.convert(maxDelay); // at most the largest long
        Duration interval = quota.minute().plus(margin);
        limiter = SlidingWindowLimiter.of(Limit.ofCalls(quota.calls(), interval), Limit.of(quota.tokens(), interval));
    }

    /**
     * Waits for its turn, calls the model, and returns the answer, or empty if the turn would be too late.
     *
     * @throws IllegalArgumentException if {@code maxAnswerTokens} is less than 1
     */
    Optional<Answer> ask(String prompt, int maxAnswerTokens) throws InterruptedException {
        Preconditions.checkArgument(
                maxAnswerTokens >= 1, "maxAnswerTokens: %s (expected: at least 1)", maxAnswerTokens);
        long estimate = (long) model.countTokens(prompt) + maxAnswerTokens; // the most that it can take
        if (estimate > mostTokens) {
            return Optional.empty();
        }
        long start = nanoClock.getAsLong();
        while (nanoClock.getAsLong() - start <= maxDelayNanos) {
            Optional<Turn> turn = awaitTurn((int) estimate, start);
            if (turn.isEmpty()) {
                return Optional.empty();
            }
            long sent = nanoClock.getAsLong();
            if (sent - turn.get().nanos <= marginNanos) {
                return Optional.of(ask(prompt, maxAnswerTokens, turn.get(), sent));
            }
            turn.get().permits.cancel(); // sent so late, it could be one too many in the minute after its turn
        }
        return Optional.empty();
    }

    /** Waits until the limiter grants the estimate at once, or returns empty if that would be too late. */
    private Optional<Turn> awaitTurn(int estimate, long start) throws InterruptedException {
        if (!line.tryLock(maxDelayNanos, TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        try {
            while (true) {
                long now = nanoClock.getAsLong();
                Reservation permits = limiter.reserve(now, estimate, Duration.ZERO);
                if (permits.isGranted()) {
                    return Optional.of(new Turn(now, estimate, permits));
                }
                if (permits.delayNanos() > maxDelayNanos - (now - start)) {
                    return Optional.empty();
                }
                pause.nanos(permits.delayNanos()); // if that ends early, the limiter refuses again
            }
        } finally {
            line.unlock();
        }
    }

    private Answer ask(String prompt, int maxAnswerTokens, Turn turn, long sent) throws InterruptedException {
        int used = turn.estimate; // if there is no answer, the service may have charged for one
        try {
            Answer answer = model.ask(prompt, maxAnswerTokens);
            used = Math.max(1, answer.tokens()); // 0 would cancel the call, which the service has counted
            return answer;
        } finally {
            turn.permits.adjustTo(used);
            log.add(sent, turn.estimate, used);
        }
    }

    /** Permits that count from a time on. */
    private record Turn(long nanos, int estimate, Reservation permits) {}

    /** The limits of the service in any {@code minute}. */
    record Quota(int calls, int tokens, Duration minute) {}
}
