package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.replay.Result.CandidateResult;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ParameterException;

/**
 * Replays an access log through limits, at the times of the log, and shows which limit would have refused whom: as
 * tables, and as a page with charts.
 *
 * <pre>mvn -q compile exec:java -pl examples/replay -am [-Dexec.args="access.log --limit 60/1m --limit 20/10s"]</pre>
 *
 * <p>The exit status is 0, 1 if a log cannot be read to its end or has no request, or 2 if an argument was wrong.
 */
public final class ReplayLog {
    private static final String NAME = "ReplayLog";
    private static final String STANDARD_INPUT = "standard input";

    /** After so long a progress bar is shown. */
    private static final long LONG_NANOS = 1_000_000_000;

    private final ReplayArguments arguments;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    private ReplayLog(ReplayArguments arguments, InputStream in, PrintStream out, PrintStream err) {
        this.arguments = arguments;
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.in, System.out, System.err, args));
    }

    /** Does what {@code args} say, and returns the exit status. */
    static int run(InputStream in, PrintStream out, PrintStream err, String... args) throws InterruptedException {
        ReplayArguments arguments;
        try {
            arguments = ReplayArguments.of(args);
        } catch (ParameterException e) {
            err.println(NAME + ": " + e.getMessage() + "; --help lists all arguments");
            return 2;
        }
        if (arguments.help) {
            out.print(arguments.usage());
            return 0;
        }
        return new Program(NAME, "[OPTION]... [FILE]...", err).run(() -> new ReplayLog(arguments, in, out, err).run());
    }

    private void run() throws IOException {
        if (!arguments.isWithoutReport) {
            checkReport(); // before the log is read, which may take long
        }
        ReadLog log = new ReadLog(name());
        Replay replay =
                new Replay(arguments.candidates(), arguments.intervals(), arguments.capacity, !arguments.isAlone);
        read(log, replay);
        if (replay.requests() == 0) {
            throw new IOException(log.name() + ": " + reason(log));
        }
        Result result = new Results(replay, arguments.candidates(), arguments.intervals(), arguments.top)
                .of(log, arguments.share == null ? -1 : arguments.share);
        Tables tables = new Tables(result, !arguments.isAlone);
        print(result, tables);
        if (!arguments.isWithoutReport) {
            new HtmlPage(result, tables).write(arguments.report);
            out.println("The same with charts: " + arguments.report);
        }
    }

    private String name() {
        return arguments.files.isEmpty()
                ? new AccessDay(1).toString()
                : arguments.files.stream()
                        .map(file -> file.equals("-") ? STANDARD_INPUT : file)
                        .collect(Collectors.joining(" "));
    }

    private void checkReport() throws IOException {
        Dirs.ensureParent(arguments.report);
        if (Files.isDirectory(arguments.report)) {
            throw new IOException("--report " + arguments.report + ": a directory");
        }
    }

    private static String reason(ReadLog log) {
        if (log.lines() == 0) {
            return "empty";
        }
        return log.unreadable() == 0
                ? "none of " + log.lines() + " lines has a key"
                : "no line can be replayed, of " + log.lines() + "; "
                        + log.firstUnreadable().get(0);
    }

    private void read(ReadLog log, Replay replay) throws IOException {
        LineFormat format = arguments.lineFormat();
        if (arguments.files.isEmpty()) {
            out.println("No log is given, so a day of a service is generated.");
            read("generated", new AccessDay(1), format, log, replay);
            return;
        }
        for (String file : arguments.files) {
            if (file.equals("-")) {
                read(STANDARD_INPUT, LogFile.standardInput(in), format, log, replay);
            } else {
                read(file, LogFile.open(path(file)), format, log, replay);
            }
        }
    }

    private static Path path(String file) throws IOException {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IOException("'" + Shown.text(file, 60) + "': no path: " + e.getReason(), e);
        }
    }

    private void read(String name, Lines lines, LineFormat format, ReadLog log, Replay replay) throws IOException {
        try (lines;
                Progress progress = new Progress(err, name, lines instanceof LogFile, progressNanos())) {
            new LogReader(format, log, progress, replay::add).read(name, lines);
        }
    }

    /** Returns after how long a progress bar is shown, or a negative number for never. */
    private long progressNanos() {
        if (arguments.progress != null) {
            return arguments.progress ? 0 : -1;
        }
        return System.console() == null ? -1 : LONG_NANOS;
    }

    private void print(Result result, Tables tables) {
        tables.summary().forEach(out::println);
        if (!result.candidates().isEmpty()) {
            out.println();
            out.print(tables.candidates().text());
        }
        for (CandidateResult candidate : result.candidates()) {
            Table top = tables.top(candidate);
            if (!top.isEmpty()) {
                out.println();
                out.println("Refused most by " + candidate.candidate() + ":");
                out.print(top.text());
            }
        }
        List<String> suggestion = tables.suggestion();
        if (!suggestion.isEmpty()) {
            out.println();
            suggestion.forEach(out::println);
        }
        out.println();
    }
}
