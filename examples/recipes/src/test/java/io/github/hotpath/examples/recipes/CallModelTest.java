package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.MoreExecutors;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallModelTest {
    private static final long NANOS_PER_TOKEN = 300_000;

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 2_500_000_000L, Long.MIN_VALUE, -1_000_000_000L})
    void run_oneThread_exhaustsEachLimitAndExceedsNone(long start) throws InterruptedException {
        Run run = run(start, MoreExecutors.newDirectExecutorService(), tokens -> tokens);

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("minute  calls of 60  tokens of 6000  estimated")
                .endsWith("no limit was exceeded in any minute");
        List<Long> most = numbers(run.out().get(run.out().size() - 3));
        assertThat(most.get(0)).isEqualTo(60);
        assertThat(most.get(1)).isBetween(5500L, 6000L);
        assertThat(most.get(2)).isGreaterThan(6000); // what was not used has been acquired by others
        assertThat(numbers(run.out().get(1)).get(0)).isEqualTo(60);
        assertThat(numbers(run.out().get(run.out().size() - 2)).get(0)).isEqualTo(160);
    }

    @Test
    void run_severalThreads_exceedsNone() throws InterruptedException {
        Run run = run(0, Executors.newCachedThreadPool(), tokens -> tokens);

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(numbers(run.out().get(run.out().size() - 2)).get(0)).isEqualTo(160);
    }

    @Test
    void run_modelTakesMoreThanAllowed_isOneLineAndStatus1() throws InterruptedException {
        Run run = run(0, MoreExecutors.newDirectExecutorService(), tokens -> 40 * tokens);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .singleElement()
                .asString()
                .matches("CallModel: a limit was exceeded: up to \\d+ calls and \\d+ tokens in a minute "
                        + "\\(expected: at most 60 and 6000\\)");
        assertThat(run.out()).noneMatch(line -> line.startsWith("no limit"));
    }

    /** Runs the program by a clock that each pause advances, with a model that charges {@code tokens}. */
    private static Run run(long start, ExecutorService threads, IntUnaryOperator tokens) throws InterruptedException {
        AtomicLong clock = new AtomicLong(start);
        SimulatedModel model = new SimulatedModel(NANOS_PER_TOKEN, clock::addAndGet);
        Model charging = new Model() {
            @Override
            public int countTokens(String prompt) {
                return model.countTokens(prompt);
            }

            @Override
            public Answer ask(String prompt, int maxAnswerTokens) throws InterruptedException {
                Answer answer = model.ask(prompt, maxAnswerTokens);
                return new Answer(answer.text(), tokens.applyAsInt(answer.tokens()));
            }
        };
        return Run.of(
                (out, err, args) -> CallModel.run(charging, clock::get, clock::addAndGet, threads, out, err, args));
    }

    /** Returns the calls, the tokens and the estimate of a line. */
    private static List<Long> numbers(String line) {
        return List.of(line.strip().split(" +")).subList(1, 4).stream()
                .map(Long::valueOf)
                .toList();
    }
}
