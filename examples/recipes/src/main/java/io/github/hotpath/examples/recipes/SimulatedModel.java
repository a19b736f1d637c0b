package io.github.hotpath.examples.recipes;

import com.google.common.math.IntMath;
import io.github.hotpath.examples.recipes.ModelClient.Quota;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A service that needs no network: a call takes a while on its way, the answer has as many words as it likes, and calls
 * and tokens over the limits are refused, exactly. For one thread.
 */
final class SimulatedModel implements Model {
    private static final int CHARACTERS_PER_TOKEN = 4;

    private final Random random = new Random(1); // the same each time
    private final SimulatedScheduler scheduler;
    private final Duration longestWay;
    private final Duration perToken;
    private final SlidingWindowLimiter limiter;
    private final CallLog log;
    private int refused;

    /**
     * Creates a service.
     *
     * @param longestWay a call takes from none to so much time to arrive
     * @param perToken how long a token of an answer takes
     * @param log all calls that the service has accepted, by their arrival
     */
    SimulatedModel(Quota quota, Duration longestWay, Duration perToken, SimulatedScheduler scheduler, CallLog log) {
        this.scheduler = scheduler;
        this.longestWay = longestWay;
        this.perToken = perToken;
        this.log = log;
        limiter = SlidingWindowLimiter.of(
                Limit.ofCalls(quota.calls(), quota.minute()), Limit.of(quota.tokens(), quota.minute()));
    }

    @Override
    public int countTokens(String prompt) {
        return IntMath.divide(prompt.length(), CHARACTERS_PER_TOKEN, RoundingMode.CEILING);
    }

    /** An answer takes a tenth of the tokens that the call may take, more or less. */
    @Override
    public CompletableFuture<Answer> ask(String prompt, int maxAnswerTokens) {
        int promptTokens = countTokens(prompt);
        int share = Math.max(1, (promptTokens + maxAnswerTokens) / 10 - promptTokens);
        int answerTokens = Math.min(maxAnswerTokens, share / 2 + random.nextInt(share) + 1);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        after((long) (random.nextDouble() * longestWay.toNanos()), () -> {
            if (accept(promptTokens + maxAnswerTokens, promptTokens + answerTokens, answer)) {
                after(
                        answerTokens * perToken.toNanos(),
                        () -> answer.complete(new Answer("word".repeat(answerTokens), promptTokens + answerTokens)));
            }
        });
        return answer;
    }

    /** Counts a call if the limits allow it, and otherwise refuses it. */
    private boolean accept(int estimate, int tokens, CompletableFuture<Answer> answer) {
        long wait = limiter.tryAcquireOrDelay(scheduler.nanos(), tokens);
        if (wait > 0) {
            refused++;
            answer.completeExceptionally(new BusyException(Duration.ofNanos(wait)));
            return false;
        }
        log.add(scheduler.nanos(), estimate, tokens);
        return true;
    }

    /** A call of another client with the same account, which asks nobody. */
    void askAsOther(int tokens) {
        limiter.record(scheduler.nanos(), tokens);
    }

    /** Returns how many calls were refused. */
    int refused() {
        return refused;
    }

    private void after(long nanos, Runnable task) {
        scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }
}
