package io.github.hotpath.examples.article.profile;

import io.github.hotpath.examples.article.CountEvents;
import io.github.hotpath.examples.article.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A stage that is repeated for as long as a profiler needs, in a JVM of its own. */
final class RepeatedStage {
    private RepeatedStage() {}

    /** Takes a stage, its directory, and for how many seconds. */
    public static void main(String[] args) throws IOException {
        run(
                Stage.named(args[0]),
                Path.of(args[1]),
                TimeUnit.SECONDS.toNanos(Long.parseLong(args[2])),
                System::nanoTime);
    }

    /** Runs the article's program, whole, until {@code nanos} have passed; once at least. Returns how often. */
    static int run(Stage stage, Path dir, long nanos, LongSupplier clock) throws IOException {
        long start = clock.getAsLong();
        int runs = 0;
        do {
            CountEvents.run(stage.turn(), dir, CountEvents.TURNS, clock);
            runs++;
        } while (clock.getAsLong() - start < nanos);
        return runs;
    }
}
