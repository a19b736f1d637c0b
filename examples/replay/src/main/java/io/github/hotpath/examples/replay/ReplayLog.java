package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.replay.AccessFormat.Key;
import io.github.hotpath.examples.replay.LogReader.Keys;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Replays an access log through limits, at the times of the log, and shows which limit would have refused whom.
 *
 * <pre>mvn -q compile exec:java -pl examples/replay -am [-Dexec.args="access.log --limit 60/1m --limit 20/10s"]</pre>
 *
 * <p>The exit status is 0, 1 if a log cannot be read to its end or has no request, or 2 if an argument was wrong.
 */
@Command(
        name = "ReplayLog",
        description = "Replays an access log through limits: which would have refused whom, and how often?",
        sortOptions = false,
        usageHelpWidth = 110)
public final class ReplayLog implements Callable<Integer> {
    private static final Duration LONGEST_USUAL = Duration.ofHours(1);
    private static final Path STANDARD_INPUT = Path.of("-");
    private static final int MOST_COLUMNS = 1000;
    private static final Pattern PERCENT = Pattern.compile("(100|\\d{1,2}(\\.\\d{1,9})?)%");

    private final InputStream in;
    private final PrintStream out;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "logs, in any order, also compressed (gzip, bzip2, xz), or one, - for standard input; "
                    + "without one a day of a service is generated")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "LIMITS",
            description =
                    "permits and interval, or several that apply together, such as 60/1m,1000/1h; give the option "
                            + "again for another candidate; units: ms, s, m, h, d; default: 60/1m,1000/1h and 20/10s")
    private List<Candidate> candidates = new ArrayList<>();

    @Option(
            names = "--suggest",
            paramLabel = "PERCENT",
            description =
                    "propose the smallest limits that refuse no more than this part of the clients, such as 0.1%%")
    private @Nullable Double share;

    @Option(
            names = "--intervals",
            paramLabel = "INTERVALS",
            split = ",",
            description = "whose busiest one is found for each client, and of the limits that are proposed; "
                    + "default: 1m, and those of --limit up to 1h")
    private List<Duration> intervals = new ArrayList<>();

    @Option(
            names = "--key",
            paramLabel = "FIELD",
            description = "of an access log: address, user, request, referer or agent; default: address")
    private @Nullable Key key;

    @Option(
            names = "--key-regex",
            paramLabel = "REGEX",
            description = "the key is the first group, or all that is matched; lines without a match are left out")
    private @Nullable Pattern keyExpression;

    @Option(
            names = "--networks",
            description = "an address stands for its network: the first 24 bits of IPv4, the first 64 of IPv6")
    private boolean areNetworks;

    @Option(
            names = "--columns",
            paramLabel = "TIME,KEY[,PERMITS]",
            split = ",",
            description = "the logs are CSV, with these numbers of columns; default: 1,2,3 if the first file is *.csv")
    private List<Integer> columns = new ArrayList<>();

    @Option(
            names = "--time-unit",
            paramLabel = "UNIT",
            description = "s, ms, us or ns, for times that are numbers; default: s, also with decimals")
    private Times.Unit unit = Times.Unit.S;

    @Option(names = "--zone", paramLabel = "ZONE", description = "of times without an offset; default: UTC")
    private ZoneId zone = ZoneOffset.UTC;

    @Option(
            names = "--top",
            paramLabel = "NUMBER",
            description = "how many of the clients refused most are listed; default: ${DEFAULT-VALUE}")
    private int top = 10;

    @Option(names = "--help", usageHelp = true, description = "print this")
    private boolean help;

    private ReplayLog(InputStream in, PrintStream out) {
        this.in = in;
        this.out = out;
    }

    /** Returns a part of a whole, {@code 0.1%}, as a number from 0 to 1. */
    private static Double part(String text) {
        if (!PERCENT.matcher(text).matches()) {
            throw new IllegalArgumentException("expected: from 0% to 100%, such as 0.1%");
        }
        return Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
    }

    /** Runs the program. */
    public static void main(String[] args) {
        System.exit(run(System.in, System.out, System.err, args));
    }

    /** Does what {@code args} say, and returns the exit status. */
    static int run(InputStream in, PrintStream out, PrintStream err, String... args) {
        CommandLine program = new CommandLine(new ReplayLog(in, out))
                .setOut(new PrintWriter(out, true))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Candidate.class, Candidate::parse)
                .registerConverter(Duration.class, Spans::parse)
                .registerConverter(Double.class, ReplayLog::part)
                .setParameterExceptionHandler((e, arguments) -> {
                    err.println("ReplayLog: " + Report.shown(e.getMessage(), 300) + "; --help lists all arguments");
                    return 2;
                })
                .setExecutionExceptionHandler((e, command, result) -> {
                    if (!(e instanceof IOException)) {
                        throw e;
                    }
                    err.println("ReplayLog: " + (e instanceof FileSystemException ? e.toString() : e.getMessage()));
                    return 1;
                });
        return program.execute(args);
    }

    @Override
    public Integer call() throws IOException {
        check();
        Replay replay = new Replay(candidates(), intervals());
        Times times = new Times(unit, zone);
        Key field = key == null ? Key.ADDRESS : key;
        LineFormat lines = isCsv()
                ? new CsvFormat(columns.isEmpty() ? List.of(1, 2, 3) : columns, times)
                : new AccessFormat(field, times);
        Keys keys = new Keys(keyExpression, areNetworks, !isCsv() && keyExpression == null && field == Key.ADDRESS);
        LogReader log = new LogReader(lines, keys, replay);
        sort(log);
        read(log);
        if (replay.requests == 0) {
            throw new IOException(name() + ": " + reason(log));
        }
        replay.finish();
        if (times.isZoneUsed()) {
            out.println("Warning: times without an offset are taken as " + zone + "; see --zone.");
        }
        new Report(out, log, replay).print(name(), top, share);
        return 0;
    }

    private void check() {
        reject(isCsv() && key != null, "--key: not with CSV: see --columns");
        reject(
                columns.size() == 1
                        || columns.size() > 3
                        || columns.stream().anyMatch(column -> column < 1 || column > MOST_COLUMNS),
                "--columns: " + columns + " (expected: two or three columns from 1 to " + MOST_COLUMNS + ")");
        reject(key != null && keyExpression != null, "--key: not with --key-regex");
        reject(top < 0, "--top: " + top + " (expected: at least 0)");
        for (Path file : files) { // of several, each is opened twice
            boolean isReadOnce = file.equals(STANDARD_INPUT) || Files.exists(file) && !Files.isRegularFile(file);
            reject(isReadOnce && files.size() > 1, file + ": can be read once, so not with other files");
        }
        for (Candidate candidate : candidates) {
            reject(candidates.stream().filter(candidate::equals).count() > 1, "--limit " + candidate + ": given twice");
        }
    }

    private void reject(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private boolean isCsv() {
        return !columns.isEmpty()
                || !files.isEmpty() && files.get(0).toString().matches("(?i).*\\.csv(\\.(gz|bz2|xz))?");
    }

    /** Returns the candidates: those given, or if limits are to be suggested perhaps none. */
    private List<Candidate> candidates() {
        return candidates.isEmpty() && share == null
                ? List.of(Candidate.parse("60/1m,1000/1h"), Candidate.parse("20/10s"))
                : candidates;
    }

    /** Returns the intervals whose busiest one is found, ascending. */
    private List<Duration> intervals() {
        if (!intervals.isEmpty()) {
            return List.copyOf(new TreeSet<>(intervals));
        }
        Stream<Duration> usual = candidates().isEmpty()
                ? Stream.of(Duration.ofMinutes(1), LONGEST_USUAL)
                : Stream.of(Duration.ofMinutes(1));
        Stream<Duration> limited = candidates().stream()
                .flatMap(candidate -> candidate.limits().stream())
                .map(Limit::interval)
                .filter(interval -> interval.compareTo(LONGEST_USUAL) <= 0);
        return Stream.concat(usual, limited).distinct().sorted().toList();
    }

    private String name() {
        return files.isEmpty()
                ? new AccessDay().toString()
                : files.stream().map(ReplayLog::name).collect(Collectors.joining(" "));
    }

    private static String name(Path file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file.toString();
    }

    private static String reason(LogReader log) {
        if (log.lines == 0) {
            return "empty";
        }
        return log.unreadable == 0
                ? "none of " + Report.counted(log.lines, "line") + " has a key"
                : "no line can be replayed, of " + log.lines + "; " + log.firstUnreadable.get(0);
    }

    /** Brings several files into the order of their times: by their names, access.log.10 is before access.log.2. */
    private void sort(LogReader log) throws IOException {
        Map<Path, Long> firstNanos = new HashMap<>();
        for (Path file : files.size() > 1 ? files : List.<Path>of()) {
            try (LogFile lines = LogFile.open(file)) {
                firstNanos.put(file, log.firstNanos(lines::next));
            }
        }
        files.sort(Comparator.comparing(firstNanos::get));
    }

    private void read(LogReader log) throws IOException {
        if (files.isEmpty()) {
            out.println("No log is given, so a day of a service is generated.");
            log.read("generated", new AccessDay());
        }
        for (Path file : files) {
            try (LogFile lines = file.equals(STANDARD_INPUT) ? new LogFile(name(file), in) : LogFile.open(file)) {
                log.read(name(file), lines::next);
            }
        }
    }
}
