package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.examples.recipes.ModelClient.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A minute lasts 100 ns here and the margin 10 ns, so a permit is free again after 111 ns. */
class ModelClientTest {
    private static final Duration MINUTE = Duration.ofNanos(100);
    private static final Duration MARGIN = Duration.ofNanos(10);

    private final FakeTicker ticker = new FakeTicker();
    private final CallLog log = new CallLog(0);
    private final List<Long> sent = Collections.synchronizedList(new ArrayList<>());

    /** How much time passes before each of the next readings of the clock. */
    private final Queue<Long> passing = new ConcurrentLinkedQueue<>();

    private int answerTokens;
    private boolean fails;
    private Pause pause = ticker::advance;

    @Test
    void ask_moreThanTheCalls_waitsForItsSlot() throws InterruptedException {
        ModelClient client = client(2, 1000);

        ask(client, 10, 10);
        ticker.advance(5);
        ask(client, 10, 10);
        ask(client, 10, 10);
        ask(client, 10, 10);

        assertThat(sent).containsExactly(0L, 5L, 111L, 116L);
    }

    @Test
    void ask_moreThanTheTokens_waitsForItsSlot() throws InterruptedException {
        ModelClient client = client(100, 100);

        ask(client, 60, 60);
        ask(client, 41, 41);

        assertThat(sent).containsExactly(0L, 111L);
    }

    @Test
    void ask_fewerTokensUsed_othersNeedNotWait() throws InterruptedException {
        ModelClient client = client(100, 100);

        ask(client, 60, 30);
        ask(client, 70, 70);
        ask(client, 2, 2);

        assertThat(sent).containsExactly(0L, 0L, 111L);
        assertThat(log.total()).isEqualTo(new CallLog.Use(3, 132, 102));
    }

    @Test
    void ask_noTokensUsed_callCounts() throws InterruptedException {
        ModelClient client = client(1, 100);

        ask(client, 60, 0);
        ask(client, 60, 0);

        assertThat(sent).containsExactly(0L, 111L);
    }

    @Test
    void ask_modelFails_estimateCounts() throws InterruptedException {
        ModelClient client = client(100, 100);
        fails = true;

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> ask(client, 60, 1));
        fails = false;
        ask(client, 60, 1);

        assertThat(sent).containsExactly(0L, 111L);
        assertThat(log.total()).isEqualTo(new CallLog.Use(2, 120, 61));
    }

    @Test
    void ask_longerThanMaxDelay_refusedAndNothingCounts() throws InterruptedException {
        ModelClient client = client(1, 100);
        ask(client, 60, 60);
        ask(client, 60, 60);

        ticker.advance(-1); // a turn is 112 away
        assertThat(client.ask("p".repeat(10), 50)).isEmpty();
        ticker.advance(1);
        assertThat(client.ask("p".repeat(10), 50)).isPresent();

        assertThat(sent).containsExactly(0L, 111L, 222L);
    }

    @Test
    void ask_moreTokensThanTheLimit_refused() throws InterruptedException {
        assertThat(client(1, 100).ask("p".repeat(10), 91)).isEmpty();
        assertThat(sent).isEmpty();
    }

    /** More than an {@code int} holds: it must not wrap around to what the limit allows, nor be rejected. */
    @Test
    void ask_moreTokensThanAnInt_refused() throws InterruptedException {
        assertThat(client(1, 100).ask("p".repeat(10), Integer.MAX_VALUE)).isEmpty();
        assertThat(client(1, Integer.MAX_VALUE).ask("p", Integer.MAX_VALUE)).isEmpty();
        assertThat(sent).isEmpty();
        assertThat(client(1, Integer.MAX_VALUE).ask("p", Integer.MAX_VALUE - 1)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void ask_noTokensForTheAnswer_rejected(int tokens) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client(1, 100).ask("ppp", tokens))
                .withMessage("maxAnswerTokens: " + tokens + " (expected: at least 1)");
    }

    @Test
    void ask_interrupted_nothingCounts() throws InterruptedException {
        ModelClient client = client(1, 100);
        ask(client, 60, 60);
        pause = nanos -> {
            throw new InterruptedException();
        };

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> ask(client, 60, 60));
        pause = ticker::advance;
        ask(client, 60, 60);

        assertThat(sent).containsExactly(0L, 111L); // and not 222
    }

    @Test
    void ask_wakesUpLate_countsWhenItIsSent() throws InterruptedException {
        ModelClient client = client(1, 100);

        ask(client, 60, 60);
        wakeUpLate(1000);
        ask(client, 60, 60);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(0L, 1111L, 1222L);
    }

    /** A turn that a thread has missed must not delay the others: otherwise all of them miss all of their turns. */
    @Test
    void ask_threadsThatAlwaysWakeUpLate_eachSent() throws Exception {
        ModelClient client = client(1, 100, Duration.ofDays(1));
        AtomicInteger pauses = new AtomicInteger();
        pause = nanos -> {
            assertThat(pauses.incrementAndGet()).isLessThan(1000);
            ticker.advance(nanos + 11);
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Void> asking = () -> {
                for (int i = 0; i < 5; i++) {
                    ask(client, 60, 60);
                }
                return null;
            };
            for (Future<Void> each : threads.invokeAll(Collections.nCopies(4, asking))) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }

        assertThat(log.total().calls()).isEqualTo(20);
        assertThat(log.mostInAny(MINUTE).calls()).isEqualTo(1);
    }

    @Test
    void ask_sentLaterThanItsTurnByTheMargin_sent() throws InterruptedException {
        ModelClient client = client(1, 100);

        isLateToSend(10);
        ask(client, 60, 60);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(10L, 111L);
    }

    /** Sent at 11 and counted at 0, the next could be sent at 111: two in [11, 111]. */
    @Test
    void ask_sentLaterThanTheMargin_takesAnotherTurn() throws InterruptedException {
        ModelClient client = client(1, 100);

        isLateToSend(11);
        ask(client, 60, 60);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(11L, 122L);
    }

    @Test
    void ask_alwaysLaterThanTheMargin_refusedAndNothingCounts() throws InterruptedException {
        ModelClient client = client(1, 100);

        for (int i = 0; i < 1000; i++) {
            passing.add(11L);
        }
        assertThat(client.ask("p", 59)).isEmpty();
        assertThat(passing).isNotEmpty();
        passing.clear();
        long now = ticker.read();
        ask(client, 60, 60);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(now, now + 111);
    }

    @Test
    void ask_wakesUpEarly_waitsOn() throws InterruptedException {
        ModelClient client = client(1, 100);

        ask(client, 60, 60);
        wakeUpLate(-100);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(0L, 111L);
    }

    /** The clock is read at the begin, before the turn, at the turn, and when the call is sent. */
    private void isLateToSend(long byNanos) {
        passing.addAll(List.of(0L, 0L, 0L, byNanos));
    }

    private long clock() {
        Long nanos = passing.poll();
        return ticker.advance(nanos == null ? 0 : nanos).read();
    }

    private void wakeUpLate(long byNanos) {
        pause = nanos -> {
            ticker.advance(nanos + byNanos);
            pause = ticker::advance;
        };
    }

    private ModelClient client(int calls, int tokens) {
        return client(calls, tokens, MINUTE.plus(MARGIN).plusNanos(1));
    }

    private ModelClient client(int calls, int tokens, Duration maxDelay) {
        Model model = new Model() {
            @Override
            public int countTokens(String prompt) {
                return prompt.length();
            }

            @Override
            public Answer ask(String prompt, int maxAnswerTokens) {
                sent.add(ticker.read());
                if (fails) {
                    throw new IllegalStateException();
                }
                return new Answer("", answerTokens);
            }
        };
        Quota quota = new Quota(calls, tokens, MINUTE);
        return new ModelClient(model, quota, MARGIN, maxDelay, this::clock, nanos -> pause.nanos(nanos), log);
    }

    /** Calls the model with an estimate of {@code estimate} tokens, of which {@code used} are used. */
    private void ask(ModelClient client, int estimate, int used) throws InterruptedException {
        answerTokens = used;
        assertThat(client.ask("p", estimate - 1)).isPresent();
    }
}
