package io.github.hotpath.examples.recipes;

import com.google.common.math.IntMath;
import io.github.hotpath.examples.recipes.ModelClient.Quota;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A service that needs no network: a call takes up to 20 ms on its way, an answer half a millisecond for each token,
 * and calls and tokens over the limits are refused, exactly. It keeps a log of what it has accepted. For one thread.
 */
final class SimulatedModel implements Model {
    static final Duration LONGEST_WAY = Duration.ofMillis(20);
    private static final long NANOS_PER_TOKEN = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int CHARACTERS_PER_TOKEN = 4;

    private final Random random = new Random(1); // the same each time
    private final FakeScheduler scheduler;
    private final SlidingWindowLimiter limiter;
    private final List<Call> accepted = new ArrayList<>();
    private int refused;

    SimulatedModel(Quota quota, FakeScheduler scheduler) {
        this.scheduler = scheduler;
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
        int tokens = promptTokens + answerTokens;
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        after((long) (random.nextDouble() * LONGEST_WAY.toNanos()), () -> {
            long wait = limiter.tryAcquireOrDelay(scheduler.getAsLong(), tokens);
            if (wait > 0) {
                refused++;
                answer.completeExceptionally(new BusyException(Duration.ofNanos(wait)));
            } else {
                accepted.add(new Call(scheduler.getAsLong(), tokens));
                after(answerTokens * NANOS_PER_TOKEN, () -> answer.complete(new Answer("word", tokens)));
            }
        });
        return answer;
    }

    /** A call of another client with the same account, which asks nobody. */
    void askAsOther(int tokens) {
        limiter.record(scheduler.getAsLong(), tokens);
    }

    /** Returns how many calls were refused. */
    int refused() {
        return refused;
    }

    /** Returns the tokens in the time span of length {@code span} that ends at {@code end}, both ends included. */
    long tokens(long end, Duration span) {
        return accepted.stream()
                .filter(call -> end - call.nanos >= 0 && end - call.nanos <= span.toNanos())
                .mapToLong(Call::tokens)
                .sum();
    }

    /** Returns the most tokens in any time span of that length, counted without a limiter. */
    long mostTokens(Duration span) {
        long most = 0;
        long sum = 0;
        int oldest = 0;
        for (Call call : accepted) {
            sum += call.tokens;
            while (call.nanos - accepted.get(oldest).nanos > span.toNanos()) {
                sum -= accepted.get(oldest++).tokens;
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    private void after(long nanos, Runnable task) {
        scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    private record Call(long nanos, int tokens) {}
}
