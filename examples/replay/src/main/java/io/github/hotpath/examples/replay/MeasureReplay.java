package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.WrongArgumentException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures how many lines of an access log are replayed in a second, beside reading the lines alone.
 *
 * <pre>mvn -q compile exec:java -pl examples/replay -am -Dexec.mainClass=io.github.hotpath.examples.replay.MeasureReplay
 *     -Dexec.args="FILE [ROUNDS]"</pre>
 *
 * <p>{@link WriteLog} writes such a log. The exit status is 0, 1 if it cannot be read, or 2 if an argument was wrong.
 */
public final class MeasureReplay {
    private static final int CAPACITY = 500_000;
    private static final List<Duration> MINUTE = List.of(Duration.ofMinutes(1));

    private final PrintStream out;
    private final Path file;
    private final int rounds;

    private MeasureReplay(PrintStream out, Path file, int rounds) {
        this.out = out;
        this.file = file;
        this.rounds = rounds;
    }

    /** Reads the file in some way, and returns the number of lines. */
    private interface Way {
        long read() throws IOException;
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Does what {@code args} say, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("MeasureReplay", "FILE [ROUNDS]", err).run(() -> {
            if (args.length < 1 || args.length > 2) {
                throw new WrongArgumentException("FILE", "one access log, and perhaps a number");
            }
            Path file = new Argument("", Optional.of(args[0])).path().orElseThrow();
            int rounds = Argument.of(args.length == 2 ? new String[] {args[1]} : new String[] {})
                    .number(1, 100)
                    .orElse(5);
            new MeasureReplay(out, file, rounds).measure();
        });
    }

    private void measure() throws IOException {
        Candidate minute = Candidate.parse("60/1m");
        Candidate hour = Candidate.parse("60/1m,1000/1h");
        out.printf(Locale.ROOT, "%-44s %12s %26s%n", "", "lines/s", "of " + rounds + ", least to most");
        measure("lines, by BufferedReader", this::readBuffered);
        measure("lines, by LineReader", this::readLines);
        measure("the same, and requests", () -> replay(null));
        measure("the same, and 60/1m", () -> replay(new Replay(List.of(minute), MINUTE, CAPACITY, false)));
        measure(
                "60/1m compared with bucket and counter",
                () -> replay(new Replay(List.of(minute), MINUTE, CAPACITY, true)));
        measure(
                "60/1m,1000/1h and 20/10s, compared",
                () -> replay(new Replay(List.of(hour, Candidate.parse("20/10s")), MINUTE, CAPACITY, true)));
    }

    private void measure(String name, Way way) throws IOException {
        way.read(); // compiles the code
        double[] perSecond = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            long start = System.nanoTime();
            long lines = way.read();
            perSecond[i] = lines * 1e9 / (System.nanoTime() - start);
        }
        Arrays.sort(perSecond);
        out.printf(
                Locale.ROOT,
                "%-44s %,12.0f %26s%n",
                name,
                perSecond[rounds / 2],
                String.format(Locale.ROOT, "%,.0f to %,.0f", perSecond[0], perSecond[rounds - 1]));
    }

    private long readBuffered() throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return reader.lines().count();
        }
    }

    private long readLines() throws IOException {
        long lines = 0;
        try (Lines reader = LogFile.open(file)) {
            while (reader.next() != null) {
                lines++;
            }
        }
        return lines;
    }

    private long replay(@Nullable Replay replay) throws IOException {
        ReadLog log = new ReadLog(file.toString());
        LogReader.Sink sink = replay == null ? (key, nanos, permits) -> {} : replay::add;
        try (Lines lines = LogFile.open(file);
                Progress none = new Progress(out, "", true, -1)) {
            new LogReader(new AccessFormat(KeyFormat.field(1)), log, none, sink).read(log.name(), lines);
        }
        return log.lines();
    }
}
