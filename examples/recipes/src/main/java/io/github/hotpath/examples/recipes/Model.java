package io.github.hotpath.examples.recipes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A language-model service: what a {@link ModelClient} needs of its API. */
interface Model {
    /** Returns the number of tokens of a prompt, as the service counts them. */
    int countTokens(String prompt);

    /**
     * Sends a prompt. The answer fails with a {@link BusyException} if the service has refused the call.
     *
     * @param maxAnswerTokens the service ends the answer after so many tokens
     */
    CompletableFuture<Answer> ask(String prompt, int maxAnswerTokens);

    /** An answer, and the tokens that the service charges for it: those of the prompt and of the answer. */
    record Answer(String text, int tokens) {}

    /** The service has refused a call, and charges nothing for it: status 429, with {@code Retry-After}. */
    final class BusyException extends Exception {
        private static final long serialVersionUID = 1;

        private final Duration retryAfter;

        BusyException(Duration retryAfter) {
            super("retry after " + retryAfter);
            this.retryAfter = retryAfter;
        }

        Duration retryAfter() {
            return retryAfter;
        }
    }
}
