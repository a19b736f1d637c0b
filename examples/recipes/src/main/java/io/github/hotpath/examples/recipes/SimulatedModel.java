package io.github.hotpath.examples.recipes;

import com.google.common.math.IntMath;
import java.math.RoundingMode;
import java.util.Random;

/** A service that needs no network: it takes its time, and answers with as many words as it likes. Thread-safe. */
final class SimulatedModel implements Model {
    private static final int CHARACTERS_PER_TOKEN = 4;

    private final Random random = new Random(1); // the same lengths each time
    private final long nanosPerToken;
    private final Pause pause;

    SimulatedModel(long nanosPerToken, Pause pause) {
        this.nanosPerToken = nanosPerToken;
        this.pause = pause;
    }

    @Override
    public int countTokens(String prompt) {
        return IntMath.divide(prompt.length(), CHARACTERS_PER_TOKEN, RoundingMode.CEILING);
    }

    @Override
    public Answer ask(String prompt, int maxAnswerTokens) throws InterruptedException {
        int tokens = 1 + random.nextInt(maxAnswerTokens);
        pause.nanos(tokens * nanosPerToken);
        return new Answer("word".repeat(tokens), countTokens(prompt) + tokens);
    }
}
