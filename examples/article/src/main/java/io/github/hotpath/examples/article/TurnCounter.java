package io.github.hotpath.examples.article;

import java.io.IOException;
import java.util.function.Consumer;

/** A way to count what a stage does in each turn, by a run of its own; its string says what. */
interface TurnCounter {
    /**
     * Returns what {@code stage} does per turn.
     *
     * @throws IOException if it cannot be had, and why
     */
    String perTurn(Stage stage) throws IOException, InterruptedException;

    /** Returns what {@code stage} does per turn, or a dash if it cannot be had, and then tells {@code remark} why. */
    default String perTurn(Stage stage, Consumer<String> remark) throws InterruptedException {
        try {
            return perTurn(stage);
        } catch (IOException e) {
            remark.accept("Cannot count " + this + ": " + e.getMessage() + ".");
            return "-";
        }
    }
}
