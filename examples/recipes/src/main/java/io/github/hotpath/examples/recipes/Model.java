package io.github.hotpath.examples.recipes;

/** A language-model service: what a {@link ModelClient} needs of its API. */
interface Model {
    /** Returns the number of tokens of a prompt, as the service counts them. */
    int countTokens(String prompt);

    /**
     * Sends a prompt and waits for the answer.
     *
     * @param maxAnswerTokens the service ends the answer after so many tokens
     */
    Answer ask(String prompt, int maxAnswerTokens) throws InterruptedException;

    /** An answer, and the tokens that the service charges for it: those of the prompt and of the answer. */
    record Answer(String text, int tokens) {}
}
