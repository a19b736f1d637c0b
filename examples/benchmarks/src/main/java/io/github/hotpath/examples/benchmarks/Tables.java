package io.github.hotpath.examples.benchmarks;

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
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the tables in the pages: each between a comment that says what is in it, and one that ends it. There are two
 * kinds, of which the first has all results of a part, and the second one of those that it selects:
 *
 * <pre>
 * &lt;!-- table PART jdkN: keys of a row; keys of a column; what is measured; conditions --&gt;
 *
 * &lt;!-- rows jdkN: title of the columns
 * title of a row | selection of ours | name: selection | name: selection
 * --&gt;
 * </pre>
 */
final class Tables {
    private static final Pattern TABLE =
            Pattern.compile("(<!-- (table|rows) ([^:]*?)jdk(\\d+): ([^>]*?)-->\n).*?(<!-- end -->)", Pattern.DOTALL);

    /** What tables call a key, a method or a metric, if not by its own name in words. */
    private static final Map<String, String> TITLES = Map.ofEntries(
            Map.entry("allocated", "bytes allocated"),
            Map.entry("exactBytes", "EventWindow, bytes"),
            Map.entry("worstPercent", "worst error, %"),
            Map.entry("length", "bytes an event"),
            Map.entry("nanos", "ns"),
            Map.entry("call999", "call p99.9, µs"),
            Map.entry("callMost", "slowest call, µs"),
            Map.entry("response50", "response p50, µs"),
            Map.entry("response999", "response p99.9, µs"),
            Map.entry("late50", "late p50, ms"),
            Map.entry("late999", "late p99.9, ms"),
            Map.entry("percent", "% granted"),
            Map.entry("eventWindow", "EventWindow"),
            Map.entry("arrayDeque", "ArrayDeque"),
            Map.entry("priorityQueue", "PriorityQueue"),
            Map.entry("recordInAnEventWindow", "record in an EventWindow"),
            Map.entry("filesExists", "Files.exists"),
            Map.entry("filesIsDirectory", "Files.isDirectory"),
            Map.entry("filesCreateDirectories", "Files.createDirectories"),
            Map.entry("dirsEnsure", "Dirs.ensure"),
            Map.entry("dirsEnsureParent", "Dirs.ensureParent"),
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

    /** Returns a page with its tables anew, but for those whose results are missing. */
    String in(String page) throws IOException {
        StringBuilder written = new StringBuilder();
        Matcher table = TABLE.matcher(page);
        while (table.find()) {
            if (parts(table.group(2), table.group(3), table.group(5))
                    .allMatch(part -> results.has(part, Integer.parseInt(table.group(4))))) {
                String lines =
                        table.group(2).equals("table") ? ofPart(table.toMatchResult()) : ofRows(table.toMatchResult());
                table.appendReplacement(written, Matcher.quoteReplacement(table.group(1) + lines + table.group(6)));
            }
        }
        return table.appendTail(written).toString();
    }

    /** Returns the parts whose results a table shows. */
    private static Stream<String> parts(String kind, String part, String spec) {
        return kind.equals("table")
                ? Stream.of(part.strip())
                : Pattern.compile("[|:] ([a-z-]+)/").matcher(spec).results().map(match -> match.group(1));
    }

    private String ofPart(MatchResult table) throws IOException {
        String[] spec = table.group(5).strip().split(" *; *");
        List<String> conditions = List.of(spec).subList(3, spec.length);
        List<String> rowKeys = List.of(spec[0].split(", "));
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        Set<String> columns = new LinkedHashSet<>();
        for (Result result : results.read(table.group(3).strip(), Integer.parseInt(table.group(4)))) {
            if (!result.isOf(conditions)) {
                continue;
            }
            Map<String, String> row =
                    rows.computeIfAbsent(values(result, rowKeys, " | "), any -> new LinkedHashMap<>());
            for (String metric : spec[2].split(", ")) {
                if (result.metrics().containsKey(metric)) {
                    String unit = metric.equals("time") ? result.unit().replace("us", "µs") : title(metric);
                    String column = Stream.of(values(result, List.of(spec[1].split(", ")), ", "), unit)
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining(", "));
                    columns.add(column);
                    row.put(column, cell(result.metrics().get(metric)));
                }
            }
        }
        StringBuilder lines = new StringBuilder("| "
                + rowKeys.stream()
                        .map(key -> key.equals("method") ? "call" : title(key))
                        .collect(Collectors.joining(" | ")));
        columns.forEach(column -> lines.append(" | ").append(column));
        lines.append(" |\n|").append(" --- |".repeat(rowKeys.size())).append(" ---: |".repeat(columns.size()));
        rows.forEach((row, cells) -> {
            lines.append("\n| ").append(row);
            columns.forEach(column -> lines.append(" | ").append(cells.getOrDefault(column, "–")));
            lines.append(" |");
        });
        return lines.append("\n").toString();
    }

    private String ofRows(MatchResult table) throws IOException {
        int jdk = Integer.parseInt(table.group(4));
        List<String> spec = table.group(5).lines().toList();
        List<String> lines = new ArrayList<>(List.of("| " + spec.get(0) + " |", "| --- | ---: | --- |"));
        for (String row : spec.subList(1, spec.size())) {
            String[] parts = row.split(" [|] ");
            List<String> others = new ArrayList<>();
            for (String other : List.of(parts).subList(2, parts.length)) {
                String[] named = other.split(": ");
                others.add(named[0] + " " + cell(named[1], jdk));
            }
            lines.add("| " + parts[0] + " | " + cell(parts[1], jdk) + " | " + String.join("; ", others) + " |");
        }
        return String.join("\n", lines) + "\n";
    }

    private String cell(String selection, int jdk) throws IOException {
        return cell(results.only(selection, jdk).metrics().get("time"));
    }

    /** Returns the values of these keys, but of those that a benchmark does not have. */
    private static String values(Result result, List<String> keys, String between) {
        return keys.stream()
                .filter(result.keys()::containsKey)
                .map(key -> value(key, result.keys().get(key)))
                .collect(Collectors.joining(between));
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
    static String cell(List<Double> sorted) {
        String least = figure(sorted.get(0));
        String most = figure(sorted.get(sorted.size() - 1));
        String median = figure(new Result(Map.of(), "", Map.of("", sorted)).median(""));
        return least.equals(most) ? median : median + " (" + least + "–" + most + ")";
    }

    /** Returns a figure of two digits, or three where a third is behind the point or the first is 1. */
    static String figure(double value) {
        double rounded = new BigDecimal(value)
                .round(new MathContext(value >= 1000 ? 2 : 3))
                .doubleValue();
        return String.format(Locale.ROOT, Math.abs(rounded) < 10 ? "%.1f" : "%,.0f", rounded);
    }
}
