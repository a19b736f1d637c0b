package io.github.hotpath.examples.article;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A way to run {@link CountEvents} with one stage after the other, each in a JVM of its own. */
final class StageLauncher {
    private final Path dir;
    private final int turns;
    private final PrintStream out;
    private final PrintStream err;

    /** Creates a launcher of stages that work in {@code dir}, and whose output goes to {@code out} and {@code err}. */
    StageLauncher(Path dir, int turns, PrintStream out, PrintStream err) {
        this.dir = dir;
        this.turns = turns;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs {@code stage}, passes on each line that it prints at once, and returns its figures.
     *
     * @throws IOException if the JVM does not start, ends with another status than 0, or prints no figures
     */
    Figures run(Stage stage) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        int status = jvm(List.of(), stage, dir, turns)
                .run(
                        line -> {
                            out.println(line);
                            lines.add(line);
                        },
                        err::println);
        if (status != 0) {
            throw new IOException("stage " + stage + " failed with exit status " + status);
        }
        return Figures.parse(lines).orElseThrow(() -> new IOException("stage " + stage + " printed no figures"));
    }

    /** Returns the JVM, with those {@code options}, in which {@code stage} runs that many turns in {@code dir}. */
    static ChildJvm jvm(List<String> options, Stage stage, Path dir, int turns) {
        return new ChildJvm(
                options,
                CountEvents.class,
                stage.toString(),
                "--dir",
                dir.toAbsolutePath().toString(),
                "--turns",
                Integer.toString(turns));
    }
}
