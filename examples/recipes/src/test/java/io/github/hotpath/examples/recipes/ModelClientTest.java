package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.examples.recipes.Model.Answer;
import io.github.hotpath.examples.recipes.Model.BusyException;
import io.github.hotpath.examples.recipes.ModelClient.Quota;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A minute lasts 100 ns here and the margin 10 ns, so a permit is free again after 111 ns. An answer is immediate. */
class ModelClientTest {
    private static final Duration MINUTE = Duration.ofNanos(100);
    private static final Duration MARGIN = Duration.ofNanos(10);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final FakeScheduler scheduler = new FakeScheduler(0);
    private final List<Long> sent = new ArrayList<>();

    /** What the next calls fail with. */
    private final Queue<Exception> failures = new ArrayDeque<>();

    private int answerTokens;

    @Test
    void ask_moreThanTheCalls_waitsForItsTurn() {
        ModelClient client = client(2, 1000);

        ask(client, 10, 10);
        advance(5);
        ask(client, 10, 10);
        ask(client, 10, 10);
        ask(client, 10, 10);
        assertThat(client.waiting()).isEqualTo(2);
        advance(200);

        assertThat(sent).containsExactly(0L, 5L, 111L, 116L);
    }

    @Test
    void ask_moreThanTheTokens_waitsForItsTurn() {
        ModelClient client = client(100, 100);

        ask(client, 60, 60);
        ask(client, 41, 41);
        ask(client, 1, 1); // in order
        advance(200);

        assertThat(sent).containsExactly(0L, 111L, 111L);
    }

    @Test
    void ask_fewerTokensUsed_othersNeedNotWait() {
        ModelClient client = client(100, 100);

        ask(client, 60, 30);
        ask(client, 70, 70);
        ask(client, 2, 2);
        advance(200);

        assertThat(sent).containsExactly(0L, 0L, 111L);
    }

    @Test
    void ask_noTokensUsed_callCounts() {
        ModelClient client = client(1, 100);

        ask(client, 60, 0);
        ask(client, 60, 0);
        advance(200);

        assertThat(sent).containsExactly(0L, 111L);
    }

    @Test
    void ask_modelFails_estimateCounts() {
        ModelClient client = client(100, 100);
        failures.add(new IOException("lost"));

        CompletableFuture<Answer> lost = ask(client, 60, 60);
        ask(client, 41, 41);
        advance(200);

        assertThat(lost)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withRootCauseInstanceOf(IOException.class);
        assertThat(sent).containsExactly(0L, 111L);
    }

    /** The service has counted nothing; the caller may ask again, and all that wait do so for as long as it says. */
    @ParameterizedTest
    @CsvSource({"30, 30", "9999999999999, 400"})
    void ask_serviceIsBusy_failsAndTheNextWaits(long told, long waited) {
        ModelClient client = client(100, 100);
        failures.add(new BusyException(Duration.ofNanos(told)));

        CompletableFuture<Answer> refused = ask(client, 60, 60);
        ask(client, 100, 100);
        advance(waited - 1);
        assertThat(sent).containsExactly(0L);
        advance(1);

        assertThat(refused)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(BusyException.class);
        assertThat(sent).containsExactly(0L, waited);
    }

    @Test
    void ask_cancelledInLine_leavesItAndIsNotSent() {
        ModelClient client = client(1, 100);
        ask(client, 10, 10);
        CompletableFuture<Answer> second = ask(client, 10, 10);
        ask(client, 10, 10);

        second.cancel(true);
        advance(200);

        assertThat(client.waiting()).isZero();
        assertThat(sent).containsExactly(0L, 111L);
    }

    @Test
    void countOthers_leavesLessForTheCallsInLine() {
        ModelClient client = client(100, 100);

        client.countOthers(80);
        ask(client, 20, 20);
        ask(client, 20, 20);
        advance(200);

        assertThat(sent).containsExactly(0L, 111L);
    }

    @Test
    void ask_tooManyWait_refused() {
        ModelClient client = client(1, 100);
        for (int i = 0; i < 3; i++) {
            ask(client, 10, 10);
        }

        assertThat(ask(client, 10, 10))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(RejectedExecutionException.class);
        advance(222);

        assertThat(sent).containsExactly(0L, 111L, 222L);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, Integer.MAX_VALUE - 1})
    void ask_moreTokensThanAllowed_rejected(int tokens) {
        ModelClient client = client(1, 100);

        assertThatIllegalArgumentException().isThrownBy(() -> client.ask("p", tokens));
        assertThatIllegalArgumentException().isThrownBy(() -> client.ask("pp", Integer.MAX_VALUE));
        assertThat(client.ask("p", 99)).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void ask_noTokensForTheAnswer_rejected(int tokens) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client(1, 100).ask("ppp", tokens))
                .withMessage("maxAnswerTokens: " + tokens + " (expected: at least 1, and with the prompt at most 100)");
    }

    /** The service refuses calls only if the client was not told of the others, and each is answered in the end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ask_othersUseTheAccount_followsTheService(boolean isTold) {
        Quota quota = new Quota(1000, 60_000, Duration.ofMinutes(1), SimulatedModel.LONGEST_WAY, LONGEST_WAIT);
        SimulatedModel service = new SimulatedModel(quota, scheduler);
        ModelClient client = new ModelClient(service, quota, 1000, scheduler, scheduler);
        service.askAsOther(30_000);
        if (isTold) {
            client.countOthers(30_000);
        }
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            answers.add(askUntilAnswered(client));
        }

        scheduler.advance(Duration.ofMinutes(4));

        assertThat(answers).allMatch(CompletableFuture::isDone).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(service.refused() == 0).isEqualTo(isTold);
        assertThat(service.mostTokens(quota.minute())).isLessThanOrEqualTo(60_000);
    }

    /** As a caller with a policy of retries does. */
    private static CompletableFuture<Answer> askUntilAnswered(ModelClient client) {
        return client.ask("why ".repeat(5), 995)
                .exceptionallyCompose(e -> e.getCause() instanceof BusyException
                        ? askUntilAnswered(client)
                        : CompletableFuture.failedFuture(e));
    }

    /** Estimates are ten times what is used, and yet nearly all that the service allows is used in each minute. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 150_000_000_000L})
    void ask_alwaysOneMore_usesWhatIsAllowedAndIsNeverRefused(long start) {
        Quota quota = new Quota(3000, 200_000, Duration.ofMinutes(1), SimulatedModel.LONGEST_WAY, LONGEST_WAIT);
        FakeScheduler time = new FakeScheduler(start);
        SimulatedModel service = new SimulatedModel(quota, time);
        ModelClient client = new ModelClient(service, quota, 10, time, time);
        for (int i = 0; i < 10; i++) {
            askAgainAndAgain(client, i % 2 == 0);
        }

        for (int minute = 1; minute <= 6; minute++) {
            time.advance(quota.minute());
            assertThat(service.tokens(time.getAsLong(), quota.minute()))
                    .isBetween(minute == 1 ? 100_000L : 194_000L, 200_000L);
        }

        assertThat(service.mostTokens(quota.minute())).isLessThanOrEqualTo(200_000);
        assertThat(service.refused()).isZero();
    }

    /** Asks the next question when the last one has been answered: every second time a long one. */
    private static void askAgainAndAgain(ModelClient client, boolean isLong) {
        client.ask("why ".repeat(isLong ? 20 : 2), isLong ? 1500 : 300)
                .thenRun(() -> askAgainAndAgain(client, !isLong));
    }

    private void advance(long nanos) {
        scheduler.advance(Duration.ofNanos(nanos));
    }

    private ModelClient client(int calls, int tokens) {
        Model model = new Model() {
            @Override
            public int countTokens(String prompt) {
                return prompt.length();
            }

            @Override
            public CompletableFuture<Answer> ask(String prompt, int maxAnswerTokens) {
                sent.add(scheduler.getAsLong());
                Exception failure = failures.poll();
                return failure == null
                        ? CompletableFuture.completedFuture(new Answer("", answerTokens))
                        : CompletableFuture.failedFuture(failure);
            }
        };
        Quota quota = new Quota(calls, tokens, MINUTE, MARGIN, Duration.ofNanos(400));
        return new ModelClient(model, quota, 2, scheduler, scheduler);
    }

    /** Calls the model with an estimate of {@code estimate} tokens; its next answers use {@code used}. */
    private CompletableFuture<Answer> ask(ModelClient client, int estimate, int used) {
        answerTokens = used;
        return client.ask("", estimate);
    }
}
