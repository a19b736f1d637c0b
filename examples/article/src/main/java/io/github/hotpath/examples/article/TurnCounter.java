package io.github.hotpath.examples.article;

import java.io.IOException;
import java.util.function.Consumer;

/** A way to count the calls of a stage in each turn, by a run of its own; its string names them. */
interface TurnCounter {
    /**
     * Returns what {@code stage} does per turn.
     *
     * @throws IOException if it is not available, and why
     */
    String perTurn(Stage stage) throws IOException, InterruptedException;

    /**
     * Returns what {@code stage} does per turn, or a dash if it is not available, and then passes the reason to {@code
     * remark}.
     */
    default String perTurn(Stage stage, Consumer<String> remark) throws InterruptedException {
        try {
            return perTurn(stage);
        } catch (IOException e) {
            remark.accept("Cannot count " + this + ": " + e.getMessage() + ".");
            return "-";
        }
    }
}
