package io.github.hotpath.examples.article;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A way to run stages under a profiler, each in a JVM of its own. */
final class StageSampler {
    private final Profiler profiler;
    private final Path dir;
    private final int seconds;
    private final PrintStream err;

    /** Creates a sampler of stages that run in {@code dir} for {@code seconds}, or a little longer, to end a run. */
    StageSampler(Profiler profiler, Path dir, int seconds, PrintStream err) {
        this.profiler = profiler;
        this.dir = dir.toAbsolutePath();
        this.seconds = seconds;
        this.err = err;
    }

    /**
     * Runs {@code stage} and returns the samples.
     *
     * @throws IOException if the JVM does not start, ends with another status than 0, or leaves no samples of the loop
     */
    CollapsedStacks sample(Stage stage) throws IOException, InterruptedException {
        Path results = Files.createTempDirectory(dir, "samples-"); // nothing of an earlier stage is in it
        ChildJvm jvm = new ChildJvm(
                profiler.options(results),
                RepeatedStage.class,
                stage.toString(),
                dir.toString(),
                Integer.toString(seconds));
        int status = jvm.run(err::println, err::println); // it prints only errors
        if (status != 0) {
            throw new IOException("stage " + stage + " failed under " + profiler + " with exit status " + status);
        }
        CollapsedStacks stacks = profiler.stacks(results);
        if (Part.LOOP.of(stacks).total() == 0) {
            throw new IOException(profiler + " took no sample of stage " + stage);
        }
        return stacks;
    }
}
