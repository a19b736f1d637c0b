package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.examples.recipes.ModelClient.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A minute lasts 100 ns here and the margin 10 ns, so a permit is free again after 111 ns. */
class ModelClientTest {
    private static final Duration MINUTE = Duration.ofNanos(100);
    private static final Duration MARGIN = Duration.ofNanos(10);

    private final FakeTicker ticker = new FakeTicker();
    private final CallLog log = new CallLog(0);
    private final List<Long> sent = new ArrayList<>();
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
        ask(client, 1, 1);

        assertThat(sent).containsExactly(0L, 0L, 111L);
        assertThat(log.total()).isEqualTo(new CallLog.Use(3, 131, 101));
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

    @Test
    void ask_interrupted_turnIsCancelled() throws InterruptedException {
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
    void ask_wakesUpLateByTheMargin_sent() throws InterruptedException {
        ModelClient client = client(1, 100);

        ask(client, 60, 60);
        wakeUpLate(10);
        ask(client, 60, 60);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(0L, 121L, 222L);
    }

    /** Sent at 122 and counted at 111, the next could be sent at 222: two in [122, 222]. */
    @Test
    void ask_wakesUpLaterThanTheMargin_takesAnotherTurn() throws InterruptedException {
        ModelClient client = client(1, 100);

        ask(client, 60, 60);
        wakeUpLate(11);
        ask(client, 60, 60);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(0L, 122L, 233L);
    }

    @Test
    void ask_wakesUpEarly_waitsOn() throws InterruptedException {
        ModelClient client = client(1, 100);

        ask(client, 60, 60);
        wakeUpLate(-100);
        ask(client, 60, 60);

        assertThat(sent).containsExactly(0L, 111L);
    }

    private void wakeUpLate(long byNanos) {
        pause = nanos -> {
            ticker.advance(nanos + byNanos);
            pause = ticker::advance;
        };
    }

    private ModelClient client(int calls, int tokens) {
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
        Duration maxDelay = MINUTE.plus(MARGIN).plusNanos(1);
        return new ModelClient(model, quota, MARGIN, maxDelay, ticker::read, nanos -> pause.nanos(nanos), log);
    }

    /** Calls the model with an estimate of {@code estimate} tokens, of which {@code used} are used. */
    private void ask(ModelClient client, int estimate, int used) throws InterruptedException {
        answerTokens = used;
        assertThat(client.ask("p", estimate - 1)).isPresent();
    }
}
