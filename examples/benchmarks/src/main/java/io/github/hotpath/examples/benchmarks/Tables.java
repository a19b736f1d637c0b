package io.github.hotpath.examples.benchmarks;

import static java.util.stream.Collectors.joining;

import io.github.hotpath.examples.benchmarks.Results.Result;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes the tables in the pages: each between a comment that says what is in it, and one that ends it. Where there are
 * two JDKs, the figures of both are in a cell. The first kind has all results of a part, the second those that it
 * selects; the others say what is missed, where others are faster, what has changed, and how it was measured:
 *
 * <pre>
 * &lt;!-- table PART jdkN: keys of a row; keys of a column; what is measured; conditions --&gt;
 *
 * &lt;!-- rows jdkN jdkN: title of the columns
 * title of a row | selection of ours | name: selection | name: selection
 * --&gt;
 *
 * &lt;!-- targets jdkN jdkN: title of the first column
 * what is promised | the most | selection, or two with " / " or " - " between them
 * --&gt;
 *
 * &lt;!-- ahead jdkN jdkN: PART#what is measured; key that tells them apart; ours; not one of these, nor of these --&gt;
 *
 * &lt;!-- changes jdkN jdkN: --&gt;
 *
 * &lt;!-- measured jdkN jdkN: --&gt;
 * </pre>
 */
final class Tables {
    private static final Pattern TABLE = Pattern.compile(
            "(<!-- (table|rows|targets|ahead|changes|measured) ?([^:]*?) ?((?:jdk\\d+ ?)+):([^>]*?)-->\n).*?(<!-- end -->)",
            Pattern.DOTALL);
    private static final Pattern PART = Pattern.compile("(?:[|:/-] |^)([a-z-]+)/");

    /** What tables call a key, a method or a metric, if not by its own name in words. */
    private static final Map<String, String> TITLES = Map.ofEntries(
            Map.entry("allocated", "bytes allocated"),
            Map.entry("exactBytes", "EventWindow, bytes"),
            Map.entry("worstPercent", "worst error, %"),
            Map.entry("length", "bytes an event"),
            Map.entry("nanos", "ns"),
            Map.entry("refused", "refused, %"),
            Map.entry("clock", "readings of a clock"),
            Map.entry("before", "done before"),
            Map.entry("call999", "call p99.9, µs"),
            Map.entry("callMost", "slowest call, µs"),
            Map.entry("response50", "response p50, µs"),
            Map.entry("response999", "response p99.9, µs"),
            Map.entry("late50", "late p50, ms"),
            Map.entry("late999", "late p99.9, ms"),
            Map.entry("percent", "% granted"),
            Map.entry("eventWindow", "EventWindow"),
            Map.entry("arrayDeque", "ArrayDeque, trimmed"),
            Map.entry("priorityQueue", "PriorityQueue"),
            Map.entry("recordInAnEventWindow", "record in an EventWindow"),
            Map.entry("filesExists", "Files.exists"),
            Map.entry("filesIsDirectory", "Files.isDirectory"),
            Map.entry("filesCreateDirectories", "Files.createDirectories"),
            Map.entry("dirsEnsure", "Dirs.ensure"),
            Map.entry("dirsEnsureParent", "Dirs.ensureParent"),
            Map.entry("dirsWithParent", "Dirs.withParent, of Files.exists"),
            Map.entry("guavaCreateParentDirectories", "Guava, MoreFiles.createParentDirectories"),
            Map.entry("commonsIoCreateParentDirectories", "Commons IO, PathUtils.createParentDirectories"),
            Map.entry("commonsIoForceMkdir", "Commons IO, FileUtils.forceMkdir"),
            Map.entry("fileMkdirs", "File.mkdirs"));

    private final Results results;

    Tables(Results results) {
        this.results = results;
    }

    /** Writes all tables of which there are results, in all pages below {@code root}. */
    void write(Path root) throws IOException {
        for (Path page : pages(root)) {
            String text = Files.readString(page);
            String written = in(text);
            if (!written.equals(text)) {
                Files.writeString(page, written);
            }
        }
    }

    static List<Path> pages(Path root) throws IOException {
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(root.resolve("README.md")),
                            docs.filter(page -> page.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }

    /** Returns a page with its tables anew, but for those of which results are missing. */
    String in(String page) throws IOException {
        StringBuilder written = new StringBuilder();
        Matcher table = TABLE.matcher(page);
        while (table.find()) {
            List<Integer> jdks = Stream.of(table.group(4).split(" "))
                    .map(jdk -> Integer.parseInt(jdk.substring(3)))
                    .toList();
            if (parts(table).allMatch(part -> jdks.stream().allMatch(jdk -> results.has(part, jdk)))) {
                String lines = lines(table.toMatchResult(), jdks);
                table.appendReplacement(written, Matcher.quoteReplacement(table.group(1) + lines + table.group(6)));
            }
        }
        return table.appendTail(written).toString();
    }

    /** Returns the parts whose results a table shows. */
    private static Stream<String> parts(MatchResult table) {
        return switch (table.group(2)) {
            case "table" -> Stream.of(table.group(3));
            case "rows" -> PART.matcher(table.group(5)).results().map(match -> match.group(1));
            default -> Stream.empty(); // these show what there is
        };
    }

    private String lines(MatchResult table, List<Integer> jdks) throws IOException {
        String spec = table.group(5).strip();
        List<String> lines = switch (table.group(2)) {
            case "table" -> ofPart(table.group(3), jdks.get(0), spec.split(" *; *"));
            case "rows" -> ofRows(spec.lines().toList(), jdks);
            case "targets" -> ofTargets(spec.lines().toList(), jdks);
            case "ahead" -> ofAhead(spec.lines().toList(), jdks);
            case "changes" -> ofChanges(jdks);
            default -> ofSettings(jdks);
        };
        return lines.stream().map(line -> "| " + line + " |\n").collect(joining());
    }

    private List<String> ofPart(String part, int jdk, String... spec) throws IOException {
        List<String> rowKeys = List.of(spec[0].split(", "));
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        Set<String> columns = new LinkedHashSet<>();
        for (Result result : results.read(part, jdk)) {
            if (!result.isOf(List.of(spec).subList(3, spec.length))) {
                continue;
            }
            Map<String, String> row =
                    rows.computeIfAbsent(values(result, rowKeys, " | "), any -> new LinkedHashMap<>());
            for (String metric : spec[2].split(", ")) {
                if (result.metrics().containsKey(metric)) {
                    String column = Stream.of(values(result, List.of(spec[1].split(", ")), ", "), unit(metric, result))
                            .filter(text -> !text.isEmpty())
                            .collect(joining(", "));
                    columns.add(column);
                    row.put(column, cell(result.metrics().get(metric)));
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(Stream.concat(
                        rowKeys.stream().map(key -> key.equals("method") ? "call" : title(key)), columns.stream())
                .collect(joining(" | ")));
        lines.add("--- | ".repeat(rowKeys.size())
                + "---: | ".repeat(columns.size()).replaceFirst(" [|] $", ""));
        rows.forEach((row, cells) -> lines.add(row + " | "
                + columns.stream()
                        .map(column -> cells.getOrDefault(column, "–"))
                        .collect(joining(" | "))));
        return lines;
    }

    private List<String> ofRows(List<String> spec, List<Integer> jdks) throws IOException {
        List<String> lines = new ArrayList<>(List.of(spec.get(0), "--- | ---: | ---"));
        for (String row : spec.subList(1, spec.size())) {
            String[] parts = row.split(" [|] ");
            List<String> others = new ArrayList<>();
            for (String other : List.of(parts).subList(2, parts.length)) {
                String[] named = other.split(": ");
                others.add(named[0] + " " + cells(named[1], jdks));
            }
            lines.add(parts[0] + " | " + cells(parts[1], jdks) + " | " + String.join("; ", others));
        }
        return lines;
    }

    private List<String> ofTargets(List<String> spec, List<Integer> jdks) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(spec.get(0) + " | at most"
                + jdks.stream().map(jdk -> " | JDK " + jdk).collect(joining()));
        lines.add("--- | ---:" + " | ---:".repeat(jdks.size()));
        for (String target : spec.subList(1, spec.size())) {
            String[] parts = target.split(" [|] ");
            String[] selections = parts[2].split(" [/-] ");
            StringBuilder line = new StringBuilder(parts[0] + " | " + parts[1]);
            for (int jdk : jdks) {
                line.append(" | ")
                        .append(target(selections, parts[2].contains(" / "), Double.parseDouble(parts[1]), jdk));
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private String target(String[] selections, boolean isRatio, double most, int jdk) throws IOException {
        double value = 0;
        for (String selection : selections) {
            if (!results.has(selection.split("/")[0], jdk)) {
                return "–";
            }
            double median = Results.median(results.only(selection, jdk));
            value = value == 0 ? median : isRatio ? value / median : value - median;
        }
        return (value > most ? "**missed:** " : "") + figure(value, 2);
    }

    /** Where all figures of another one are below all of ours, on each JDK. */
    private List<String> ofAhead(List<String> spec, List<Integer> jdks) throws IOException {
        List<String> lines = new ArrayList<>(List.of("case | hotpath | less", "--- | ---: | ---"));
        for (String line : spec) {
            String[] parts = line.split("; ");
            String[] part = parts[0].split("#");
            String metric = part.length == 1 ? "time" : part[1];
            if (!jdks.stream().allMatch(jdk -> results.has(part[0], jdk))) {
                continue;
            }
            Set<String> others = parts.length == 3 ? Set.of() : Set.of(parts[3].split(", nor "));
            List<Result> all = results.read(part[0], jdks.get(0));
            for (Result ours : all) {
                if (!parts[2].equals(ours.keys().get(parts[1]))) {
                    continue;
                }
                String selection = part[0] + selection(ours) + "#" + metric;
                List<String> less = new ArrayList<>();
                for (Result other : all) {
                    String name = other.keys().get(parts[1]);
                    String theirs = part[0] + selection(other) + "#" + metric;
                    if (!others.contains(name)
                            && other.without(parts[1]).equals(ours.without(parts[1]))
                            && isLess(theirs, selection, jdks)) {
                        less.add(value(parts[1], name) + " " + cells(theirs, jdks));
                    }
                }
                if (!less.isEmpty()) {
                    lines.add(name(part[0], ours) + ", " + unit(metric, ours) + " | " + cells(selection, jdks) + " | "
                            + String.join("; ", less));
                }
            }
        }
        return lines;
    }

    private boolean isLess(String theirs, String ours, List<Integer> jdks) throws IOException {
        for (int jdk : jdks) {
            List<Double> figures = results.only(theirs, jdk);
            if (figures.get(figures.size() - 1) >= results.only(ours, jdk).get(0)) {
                return false;
            }
        }
        return true;
    }

    /** What has changed by a twentieth or more, and so that all figures of before are on one side of those of now. */
    private List<String> ofChanges(List<Integer> jdks) throws IOException {
        List<String> lines = new ArrayList<>(List.of("JDK, row | before | now | ratio", "--- | ---: | ---: | ---:"));
        for (int jdk : jdks) {
            for (String part : Part.ALL.keySet()) {
                if (!results.has(part, jdk) || !results.before().has(part, jdk)) {
                    continue;
                }
                List<Result> rows = results.read(part, jdk);
                for (Result before : results.before().read(part, jdk)) {
                    for (Result now : rows) {
                        if (now.keys().equals(before.keys())) {
                            addChanges(lines, "JDK " + jdk + ", " + name(part, now), before, now);
                        }
                    }
                }
            }
        }
        return lines;
    }

    private static void addChanges(List<String> lines, String row, Result before, Result now) {
        for (String metric : now.measured()) {
            List<Double> was = before.metrics().getOrDefault(metric, List.of());
            List<Double> is = now.metrics().get(metric);
            double ratio = was.isEmpty() ? 1 : Results.median(is) / Results.median(was);
            if (Math.abs(ratio - 1) >= 0.05
                    && (was.get(was.size() - 1) < is.get(0) || is.get(is.size() - 1) < was.get(0))) {
                lines.add(row + ", " + unit(metric, now) + " | " + cell(was) + " | " + cell(is) + " | "
                        + figure(ratio, 2));
            }
        }
    }

    private List<String> ofSettings(List<Integer> jdks) throws IOException {
        Map<String, List<String>> bySettings = new TreeMap<>();
        for (String part : Part.ALL.keySet()) {
            for (int jdk : jdks) {
                if (results.has(part, jdk)) {
                    for (Result result : results.read(part, jdk)) {
                        List<String> same = bySettings.computeIfAbsent(result.settings(), any -> new ArrayList<>());
                        if (!same.contains(part)) {
                            same.add(part);
                        }
                    }
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("commit | day | JVM | version | its flags | warm-up | of | measured | of | parts");
        lines.add("--- | --- | --- | --- | --- | ---: | --- | ---: | --- | ---");
        bySettings.forEach((settings, same) -> lines.add(settings + " | " + String.join(", ", same)));
        return lines;
    }

    private static String unit(String metric, Result result) {
        return metric.equals("time") ? result.unit().replace("us", "µs") : title(metric);
    }

    private static String selection(Result result) {
        return result.keys().entrySet().stream()
                .map(key -> "/" + key.getKey() + "=" + key.getValue())
                .collect(joining());
    }

    private static String name(String part, Result result) {
        return part + ": " + values(result, List.copyOf(result.keys().keySet()), ", ");
    }

    private String cells(String selection, List<Integer> jdks) throws IOException {
        List<String> cells = new ArrayList<>();
        for (int jdk : jdks) {
            cells.add(cell(results.only(selection, jdk)));
        }
        return String.join(" / ", cells);
    }

    /** Returns the values of these keys, but of those that a benchmark does not have. */
    private static String values(Result result, List<String> keys, String between) {
        return keys.stream()
                .filter(key -> result.keys().containsKey(key) || key.equals("clock"))
                .map(key -> key.equals("clock")
                        ? ClockReadings.of(result.keys())
                        : value(key, result.keys().get(key)))
                .collect(joining(between));
    }

    private static String value(String key, String value) {
        if (key.equals("threads")) {
            return value + (value.equals("1") ? " thread" : " threads");
        }
        if (value.matches("\\d{4,}")) {
            return String.format(Locale.ROOT, "%,d", Long.parseLong(value));
        }
        return key.equals("method") ? title(value) : value;
    }

    /** Returns the name in words. */
    private static String title(String name) {
        return TITLES.getOrDefault(name, name.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
    }

    /** Returns the median, and the range unless all figures are the same. */
    private static String cell(List<Double> sorted) {
        String least = figure(sorted.get(0), 1);
        String most = figure(sorted.get(sorted.size() - 1), 1);
        String median = figure(Results.median(sorted), 1);
        return least.equals(most) ? median : median + " (" + least + "–" + most + ")";
    }

    /** Returns a figure of two digits, or three where {@code behind} the point or the first is 1. */
    private static String figure(double value, int behind) {
        double rounded = new BigDecimal(value)
                .round(new MathContext(value >= 1000 ? 2 : 3))
                .doubleValue();
        return String.format(Locale.ROOT, Math.abs(rounded) < 10 ? "%." + behind + "f" : "%,.0f", rounded);
    }
}
