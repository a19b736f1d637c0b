package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.examples.recipes.CircuitBreaker.OpenException;
import io.github.hotpath.examples.recipes.CircuitBreaker.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Opens for 10 seconds when half of at least four calls of a minute have failed. */
class CircuitBreakerTest {
    private static final Duration SPAN = Duration.ofMinutes(1);
    private static final Duration OPEN_FOR = Duration.ofSeconds(10);

    private final FakeClock clock = new FakeClock();
    private final CircuitBreaker breaker =
            new CircuitBreaker(new Settings(SPAN, 4, 50, OPEN_FOR), e -> e instanceof IOException, clock);

    @Test
    void call_succeeds_itsResult() throws Exception {
        assertThat(breaker.<String>call(() -> "answer")).isEqualTo("answer");
    }

    @Test
    void call_fewCallsFail_staysClosed() throws Exception {
        fail(3);

        assertClosed();
    }

    @Test
    void call_halfOfThemFail_opens() throws Exception {
        succeed(2);
        fail(1);
        assertClosed(); // one more that succeeds
        fail(1);
        assertClosed();
        fail(2);

        assertOpen();
    }

    @Test
    void call_failuresAreOlderThanTheSpan_staysClosed() throws Exception {
        fail(3);
        clock.advance(SPAN.plusNanos(1));
        fail(1);

        assertClosed();
    }

    @Test
    void call_otherExceptions_areNoFailures() throws Exception {
        call(10, new IllegalArgumentException());

        assertClosed();
    }

    /** Nor does it keep the breaker open: the next call tries. */
    @Test
    void call_tryTellsNothing_doesNotClose() throws Exception {
        fail(4);
        clock.advance(OPEN_FOR);

        call(1, new IllegalArgumentException());
        fail(1);

        assertOpen();
    }

    @Test
    void call_errorIsThrown_isAFailure() throws Exception {
        for (int i = 0; i < 4; i++) {
            assertThatExceptionOfType(StackOverflowError.class)
                    .isThrownBy(() -> breaker.call(() -> {
                        throw new StackOverflowError();
                    }));
        }

        assertOpen();
    }

    @Test
    void call_openForAWhile_oneTriesAndCloses() throws Exception {
        fail(4);
        clock.advance(OPEN_FOR.minusNanos(1));
        assertOpen();
        clock.advance(Duration.ofNanos(1));

        breaker.call(() -> {
            assertOpen(); // the others wait for the result
            return null;
        });

        fail(3); // those before do not count any more
        assertClosed();
    }

    @Test
    void call_tryFails_opensAgain() throws Exception {
        fail(4);
        clock.advance(OPEN_FOR);

        fail(1);

        assertOpen();
        clock.advance(OPEN_FOR.minusNanos(1));
        assertOpen();
        clock.advance(Duration.ofNanos(1));
        assertClosed();
    }

    /** Begun before the breaker opened, it ends while another call tries: of that alone depends whether it closes. */
    @Test
    void call_endsWhileAnotherTries_doesNotDecide() throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        FutureTask<Object> early = new FutureTask<>(() -> breaker.call(() -> {
            begun.complete(null);
            return end.join();
        }));
        new Thread(early).start();
        begun.join();
        fail(4);
        clock.advance(OPEN_FOR);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> breaker.call(() -> {
                    end.complete(null);
                    early.get(); // succeeds
                    assertOpen();
                    throw new IOException();
                }));

        assertOpen();
    }

    private void succeed(int calls) throws Exception {
        for (int i = 0; i < calls; i++) {
            breaker.call(() -> null);
        }
    }

    private void fail(int calls) {
        call(calls, new IOException());
    }

    private void call(int calls, Exception thrown) {
        for (int i = 0; i < calls; i++) {
            assertThatThrownBy(() -> breaker.call(() -> {
                        throw thrown;
                    }))
                    .isSameAs(thrown);
        }
    }

    private void assertClosed() throws Exception {
        succeed(1);
    }

    private void assertOpen() {
        assertThatExceptionOfType(OpenException.class)
                .isThrownBy(() -> breaker.call(() -> {
                    throw new AssertionError("called");
                }));
    }
}
