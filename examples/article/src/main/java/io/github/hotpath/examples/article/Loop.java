package io.github.hotpath.examples.article;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** The article's loop, the same code for every stage. */
final class Loop {
    private Loop() {}

    /**
     * Runs {@code turns} turns: each counts itself in the stage's window and ensures, in the stage's way, that {@code
     * a/b} in {@code dir} exists.
     *
     * @param clock returns the time in nanoseconds, as {@link System#nanoTime()} does
     */
    static Figures run(Stage stage, Path dir, int turns, LongSupplier clock) throws IOException {
        Window window = stage.newWindow();
        Stage.Ensurer ensurer = stage.ensurer();
        Path ab = dir.resolve("a").resolve("b");
        int[] counts = new int[turns];

        // The JVM is cold and the stages are close, so nothing but their own work is in the timed part.
        long start = clock.getAsLong();
        for (int turn = 0; turn < turns; turn++) {
            counts[turn] = (int) window.record(clock.getAsLong());
            ensurer.ensure(ab);
        }
        return Figures.of(counts, clock.getAsLong() - start);
    }
}
