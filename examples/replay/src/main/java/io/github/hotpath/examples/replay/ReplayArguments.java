package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments of {@link ReplayLog}, which are checked before anything is read. */
@Command(
        name = "ReplayLog",
        description = "Replays an access log through limits: which would have refused whom, and how often?",
        sortOptions = false,
        usageHelpWidth = 110)
final class ReplayArguments {
    private static final Duration LONGEST_USUAL = Duration.ofHours(1);

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "logs, the oldest first, also compressed (gzip, bzip2, xz); - is standard input; "
                    + "without one a day of a service is generated")
    List<String> files = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "LIMITS",
            converter = Converters.Candidates.class,
            description =
                    "permits and interval, or several that apply together, such as 60/1m,1000/1h; give the option "
                            + "again for another candidate; units: ms, s, m, h, d; default: 60/1m,1000/1h and 20/10s")
    List<Candidate> candidates = new ArrayList<>();

    @Option(
            names = "--suggest",
            paramLabel = "PERCENT",
            converter = Converters.Shares.class,
            description =
                    "propose the smallest limits that refuse no more than this part of the clients, such as 0.1%%")
    @Nullable
    Double share;

    @Option(
            names = "--intervals",
            paramLabel = "INTERVALS",
            split = ",",
            converter = Converters.Intervals.class,
            description = "of the charts by the busiest interval, and of the limits that are proposed; "
                    + "default: 1m, and those of --limit up to 1h")
    List<Duration> intervals = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = Converters.Formats.class,
            description = "access, for the common, the combined or a similar format, or csv; "
                    + "default: csv if the first file is named so")
    @Nullable
    Format format;

    @Option(
            names = "--key",
            paramLabel = "FIELD",
            converter = Converters.Fields.class,
            description = "of an access log: address, user, request, referer, agent, or the number of a field; "
                    + "default: address")
    @Nullable
    Integer keyField;

    @Option(
            names = "--key-regex",
            paramLabel = "REGEX",
            converter = Converters.Expressions.class,
            description = "the key is the first group, or all that is matched; lines without a match are left out")
    @Nullable
    Pattern keyExpression;

    @Option(
            names = "--columns",
            paramLabel = "TIME,KEY[,PERMITS]",
            converter = Converters.Columns.class,
            description = "of CSV: the numbers of the columns; default: 1,2,3")
    @Nullable
    CsvColumns columns;

    @Option(
            names = "--time-unit",
            paramLabel = "UNIT",
            converter = Converters.Units.class,
            description = "of CSV: s, ms, us or ns, for times that are numbers; default: s, also with decimals")
    @Nullable
    TimeUnits unit;

    @Option(names = "--report", paramLabel = "FILE", description = "the page; default: ${DEFAULT-VALUE}")
    Path report = Path.of("target", "replay.html");

    @Option(names = "--no-report", description = "write no page")
    boolean isWithoutReport;

    @Option(
            names = "--top",
            paramLabel = "NUMBER",
            converter = Converters.UpToAThousand.class,
            description = "how many of the clients refused most are listed; default: ${DEFAULT-VALUE}")
    int top = 10;

    @Option(
            names = "--clients",
            paramLabel = "NUMBER",
            converter = Converters.PositiveNumbers.class,
            description =
                    "of how many clients the figures are retained, some 200 bytes each; of more, those of a sample; "
                            + "default: ${DEFAULT-VALUE}")
    int capacity = 500_000;

    @Option(
            names = "--no-compare",
            description = "replay through no token bucket and no counters, which takes less time")
    boolean isAlone;

    @Option(
            names = "--progress",
            negatable = true,
            description = "show a progress bar; default: if it takes over a second, on a terminal")
    @Nullable
    Boolean progress;

    @Option(names = "--help", usageHelp = true, description = "print this")
    boolean help;

    @Spec
    private CommandSpec spec;

    private ReplayArguments() {}

    /** The formats of logs. */
    enum Format {
        ACCESS,
        CSV
    }

    /**
     * Reads arguments.
     *
     * @throws ParameterException if an argument is wrong
     */
    static ReplayArguments of(String... args) {
        ReplayArguments arguments = new ReplayArguments();
        new CommandLine(arguments).parseArgs(args);
        if (!arguments.help) {
            arguments.check();
        }
        return arguments;
    }

    private void check() {
        boolean isCsv = format() == Format.CSV;
        reject(isCsv && keyField != null, "--key: not with CSV: see --columns");
        reject(!isCsv && columns != null, "--columns: only with --format csv");
        reject(!isCsv && unit != null, "--time-unit: only with --format csv");
        reject(keyField != null && keyExpression != null, "--key: not with --key-regex");
        reject(files.stream().filter("-"::equals).count() > 1, "-: standard input can be read once");
        for (Candidate candidate : candidates) {
            reject(candidates.stream().filter(candidate::equals).count() > 1, "--limit " + candidate + ": given twice");
        }
    }

    private void reject(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private Format format() {
        if (format != null) {
            return format;
        }
        boolean isNamedCsv = !files.isEmpty() && files.get(0).matches("(?i).*\\.csv(\\.(gz|bz2|xz))?");
        return isNamedCsv ? Format.CSV : Format.ACCESS;
    }

    /** Returns the format, with nothing read yet. */
    LineFormat lineFormat() {
        KeyFormat expression = keyExpression == null ? null : KeyFormat.matching(keyExpression);
        if (format() == Format.CSV) {
            return new CsvFormat(
                    columns == null ? new CsvColumns(1, 2, 3) : columns, unit == null ? TimeUnits.S : unit, expression);
        }
        return new AccessFormat(expression != null ? expression : KeyFormat.field(keyField == null ? 1 : keyField));
    }

    /** Returns the candidates: those given, or if limits are to be suggested perhaps none. */
    List<Candidate> candidates() {
        return candidates.isEmpty() && share == null
                ? List.of(Candidate.parse("60/1m,1000/1h"), Candidate.parse("20/10s"))
                : candidates;
    }

    /** Returns the intervals whose busiest one is found, ascending. */
    List<Duration> intervals() {
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

    /** Returns how the program is called. */
    String usage() {
        return spec.commandLine().getUsageMessage();
    }
}
