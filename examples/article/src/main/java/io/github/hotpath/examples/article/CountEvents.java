package io.github.hotpath.examples.article;

import io.github.hotpath.examples.Program;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * The article's program: how many turns of a loop that counts itself and ensures a directory fit into 100 ms.
 *
 * <pre>CountEvents [original|trimmed|checked|hotpath] [--dir DIR] [--turns N]</pre>
 *
 * <p>With a {@link Stage}, runs that stage in this JVM and prints its two lines. With none, runs each in a JVM of its
 * own and ends with a table. The directory is {@code a/b} in {@code DIR}, which is created if necessary and retained,
 * or in a temporary directory that is removed at the end. {@code N} is the number of turns, by default 100,000.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if an argument was wrong and nothing has been done.
 */
public final class CountEvents {
    private CountEvents() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(Path.of(System.getProperty("java.io.tmpdir")), System.out, System.err, args));
    }

    /**
     * Runs the program with {@code args}, creates temporary directories in {@code base}, and returns the exit status.
     */
    static int run(Path base, PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("CountEvents", CountEventsArguments.USAGE, err)
                .run(() -> run(CountEventsArguments.parse(args), base, out, err));
    }

    private static void run(CountEventsArguments arguments, Path base, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        try (WorkDirectory work = WorkDirectory.open(arguments.dir(), base)) {
            Path dir = work.path();
            int turns = arguments.turns();
            if (arguments.stage().isPresent()) {
                Figures figures = Loop.run(arguments.stage().get(), dir, turns, System::nanoTime);
                figures.lines().forEach(out::println);
            } else {
                Comparison.run(new StageLauncher(dir, turns, out, err), out);
            }
        }
    }
}
