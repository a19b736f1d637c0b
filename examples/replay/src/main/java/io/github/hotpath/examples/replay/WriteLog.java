package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.WrongArgumentException;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Writes the access log of the day that {@link ReplayLog} generates if it is given no log, with so many times as many
 * people: to try the program, and to measure it.
 *
 * <pre>mvn -q compile exec:java -pl examples/replay -am -Dexec.mainClass=io.github.hotpath.examples.replay.WriteLog
 *     -Dexec.args="FILE [TIMES]"</pre>
 *
 * <p>The exit status is 0, 1 if the file cannot be written, or 2 if an argument was wrong.
 */
public final class WriteLog {
    private WriteLog() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Does what {@code args} say, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("WriteLog", "FILE [TIMES]", err).run(() -> {
            if (args.length < 1 || args.length > 2) {
                throw new WrongArgumentException("FILE", "one file, and perhaps a number");
            }
            Path file = new Argument("", Optional.of(args[0])).path().orElseThrow();
            int times = Argument.of(args.length == 2 ? new String[] {args[1]} : new String[] {})
                    .number(1, 1000)
                    .orElse(1);
            out.println(write(Dirs.ensureParent(file), new AccessDay(times)) + " lines: " + file);
        });
    }

    /** Writes a day, and returns the number of lines. */
    static long write(Path file, AccessDay day) throws IOException {
        long lines = 0;
        try (Writer writer = Files.newBufferedWriter(file)) {
            for (String line = day.next(); line != null; line = day.next()) {
                writer.write(line);
                writer.write('\n');
                lines++;
            }
        }
        return lines;
    }
}
