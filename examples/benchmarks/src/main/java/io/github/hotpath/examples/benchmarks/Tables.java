package io.github.hotpath.examples.benchmarks;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.github.hotpath.examples.benchmarks.Results.Row;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes the tables in the pages: each between a comment that says what is in it, and one that ends it. Where there are
 * two JDKs, the figures of both are in a cell. The first kind has all results of a part, with the unit in front if there
 * is one for all, the second those that it selects; the others say what is missed, where others are faster, what has
 * changed since the measurement before, and how it was measured. A condition is a key with its value, or "not" before
 * one:
 *
 * <pre>
 * &lt;!-- table PART jdkN jdkN: keys of a row; keys of a column; what is measured; conditions --&gt;
 * &lt;!-- rows jdkN jdkN: title of the columns
 * title of a row | selection of ours | name: selection | name: selection
 * --&gt;
 * &lt;!-- targets jdkN jdkN: title of the first column
 * what has a target | the most | selection, or two with " / " or " - " between them
 * --&gt;
 * &lt;!-- ahead jdkN jdkN:
 * title of a row; PART#what is measured; key that tells them apart; ours; pattern of those that are left out
 * --&gt;
 * &lt;!-- changes jdkN jdkN: --&gt;
 * &lt;!-- measured jdkN jdkN: --&gt;
 * </pre>
 */
final class Tables {
    private static final Pattern TABLE = Pattern.compile(
            "(<!-- (table|rows|targets|ahead|changes|measured) ?([^:]*?) ?((?:jdk\\d+ ?)+):([^>]*?)-->\n).*?(<!-- end -->)",
            Pattern.DOTALL);
    private static final Pattern PART = Pattern.compile("(?:[|:/-] |^)([a-z-]+)/");

    /** What tables call a key, a method or a metric, if not by its own name in words. */
    private static final Map<String, String> TITLES =
            Part.lines("titles.txt").map(line -> line.split("=")).collect(toMap(named -> named[0], named -> named[1]));

    private final Results results;

    Tables(Results results) {
        this.results = results;
    }

    /** Writes all tables of which there are results, in all pages below {@code root}. */
    void write(Path root) throws IOException {
        for (Path page : pages(root)) {
            Files.writeString(page, in(Files.readString(page)));
        }
    }

    static List<Path> pages(Path root) throws IOException {
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            Stream<Path> pages = docs.filter(page -> page.toString().endsWith(".md"));
            return Stream.concat(Stream.of(root.resolve("README.md")), pages)
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
            Stream<String> parts = switch (table.group(2)) {
                case "table" -> Stream.of(table.group(3));
                case "rows" -> PART.matcher(table.group(5)).results().map(match -> match.group(1));
                default -> Stream.empty(); // these show what there is
            };
            if (parts.allMatch(part -> has(part, jdks))) {
                List<String> spec = table.group(5).strip().lines().toList();
                List<String> lines = switch (table.group(2)) {
                    case "table" -> ofPart(table.group(3), jdks, spec.get(0).split(" *; *"));
                    case "rows" -> ofRows(spec, jdks);
                    case "targets" -> ofTargets(spec, jdks);
                    case "ahead" -> ofAhead(spec, jdks);
                    case "changes" -> ofChanges(jdks);
                    default -> ofSettings(jdks);
                };
                String whole = lines.stream().map(line -> "| " + line + " |\n").collect(joining());
                table.appendReplacement(written, Matcher.quoteReplacement(table.group(1) + whole + table.group(6)));
            }
        }
        return table.appendTail(written).toString();
    }

    private boolean has(String part, List<Integer> jdks) {
        return jdks.stream().allMatch(jdk -> results.has(part, jdk));
    }

    private List<String> ofPart(String part, List<Integer> jdks, String... spec) throws IOException {
        List<String> rowKeys = List.of(spec[0].split(", "));
        List<String> columnKeys = List.of(spec[1].split(", "));
        List<String> metrics = List.of(spec[2].split(", "));
        Map<String, Map<String, Map<Integer, String>>> rows = new LinkedHashMap<>();
        Set<String> columns = new LinkedHashSet<>();
        Set<String> units = new LinkedHashSet<>();
        List<String> conditions = List.of(spec).subList(3, spec.length);
        for (int jdk : jdks) {
            for (Row result : results.read(part, jdk)) {
                if (!conditions.stream().allMatch(condition -> isMet(condition, result))) {
                    continue;
                }
                Map<String, Map<Integer, String>> row =
                        rows.computeIfAbsent(values(result, rowKeys, " | "), any -> new LinkedHashMap<>());
                for (String metric : metrics) {
                    List<Double> figures = result.metrics().get(metric);
                    if (figures != null) {
                        String unit = unit(metric, result);
                        String column = values(result, columnKeys, ", ") + (metrics.size() > 1 ? ", " + unit : "");
                        column = column.replaceFirst("^(, |$)", column.isEmpty() ? unit : "");
                        units.add(column.equals(unit) ? "" : ", " + unit);
                        columns.add(column);
                        row.computeIfAbsent(column, any -> new LinkedHashMap<>())
                                .put(jdk, cell(figures));
                    }
                }
            }
        }
        String keys = rowKeys.stream().map(Tables::title).collect(joining(" | "));
        String unit = metrics.size() > 1 ? "" : String.join("", units);
        List<String> lines = new ArrayList<>();
        lines.add(Stream.concat(Stream.of(keys.replaceFirst("$|(?= [|])", unit)), columns.stream())
                .collect(joining(" | ")));
        lines.add("--- | ".repeat(rowKeys.size())
                + "---: | ".repeat(columns.size()).replaceFirst(" [|] $", ""));
        rows.forEach((row, cells) -> lines.add(row
                + columns.stream()
                        .map(column -> " | " + cells(cells.getOrDefault(column, Map.of()), jdks))
                        .collect(joining())));
        return lines;
    }

    private static boolean isMet(String condition, Row result) {
        String key = condition.replaceFirst("^not ", "");
        return result.isOf(List.of(key)) == key.equals(condition);
    }

    /** Returns the figures of all JDKs, or one stroke where there are none. */
    private static String cells(Map<Integer, String> figures, List<Integer> jdks) {
        return figures.isEmpty()
                ? "–"
                : jdks.stream().map(jdk -> figures.getOrDefault(jdk, "–")).collect(joining(" / "));
    }

    private List<String> ofRows(List<String> spec, List<Integer> jdks) throws IOException {
        List<String> lines = new ArrayList<>(List.of(spec.get(0), "--- | ---: | ---"));
        for (String row : spec.subList(1, spec.size())) {
            String[] parts = row.split(" [|] ");
            List<String> others = new ArrayList<>();
            for (String other : List.of(parts).subList(2, parts.length)) {
                String[] named = other.split(": ");
                others.add((named[0] + " " + cells(named[1], jdks)).strip());
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
            StringBuilder line = new StringBuilder(parts[0] + " | " + parts[1]);
            for (int jdk : jdks) {
                line.append(" | ").append(target(parts[2], Double.parseDouble(parts[1]), jdk));
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private String target(String selections, double most, int jdk) throws IOException {
        List<Double> values = new ArrayList<>();
        for (String selection : selections.split(" [/-] ")) {
            if (!results.has(selection.split("/")[0], jdk)) {
                return "–";
            }
            values.add(Results.median(results.only(selection, jdk)));
        }
        double value = values.stream()
                .reduce((a, b) -> selections.contains(" / ") ? a / b : a - b)
                .orElseThrow();
        return (value > most ? "**missed:** " : "") + figure(value, 2);
    }

    /** Where all figures of another one are below all of ours, on each JDK. */
    private List<String> ofAhead(List<String> spec, List<Integer> jdks) throws IOException {
        List<String> lines = new ArrayList<>(List.of("case | hotpath | less", "--- | ---: | ---"));
        for (String line : spec) {
            String[] parts = line.split("; ");
            String[] part = parts[1].split("#");
            String metric = part.length == 1 ? "time" : part[1];
            String without = parts.length == 4 ? "" : parts[4];
            List<Row> all = ofAllJdks(part[0], jdks);
            for (Row ours : all) {
                List<String> less = new ArrayList<>();
                String selection = part[0] + ours.selection() + "#" + metric;
                for (Row other : parts[3].equals(ours.keys().get(parts[2])) ? all : List.<Row>of()) {
                    String name = other.keys().get(parts[2]);
                    String theirs = part[0] + other.selection() + "#" + metric;
                    if (!name.matches(without)
                            && other.without(parts[2]).equals(ours.without(parts[2]))
                            && isLess(theirs, selection, jdks)) {
                        less.add(value(parts[2], name) + " " + cells(theirs, jdks));
                    }
                }
                if (!less.isEmpty()) {
                    String title = Stream.of(parts[0], nameWithout(parts[2], ours), unit(metric, ours))
                            .filter(word -> !word.isEmpty())
                            .collect(joining(", "));
                    lines.add(title + " | " + cells(selection, jdks) + " | " + String.join("; ", less));
                }
            }
        }
        return lines;
    }

    /** Returns the results of the first JDK that all others have, too. */
    private List<Row> ofAllJdks(String part, List<Integer> jdks) throws IOException {
        List<Row> rows = new ArrayList<>(results.read(part, jdks.get(0)));
        for (int jdk : jdks) {
            Set<Map<String, String>> keys =
                    results.read(part, jdk).stream().map(Row::keys).collect(toSet());
            rows.removeIf(row -> !keys.contains(row.keys()));
        }
        return rows;
    }

    private boolean isLess(String theirs, String ours, List<Integer> jdks) throws IOException {
        boolean isLess = true;
        for (int jdk : jdks) {
            isLess &= isLess(results.only(theirs, jdk), results.only(ours, jdk));
        }
        return isLess;
    }

    private static boolean isLess(List<Double> one, List<Double> other) {
        return one.get(one.size() - 1) < other.get(0);
    }

    /** What has changed by a twentieth or more, and so that all figures of before are on one side of those of now. */
    private List<String> ofChanges(List<Integer> jdks) throws IOException {
        List<String> lines = new ArrayList<>(List.of("JDK, row | before | now | ratio", "--- | ---: | ---: | ---:"));
        for (int jdk : jdks) {
            for (String part : Part.ALL.keySet()) {
                Map<Map<String, String>, Row> before = new LinkedHashMap<>();
                results.before().read(part, jdk).forEach(result -> before.put(result.keys(), result));
                for (Row now : results.read(part, jdk)) {
                    for (String metric : before.containsKey(now.keys()) ? now.measured() : Set.<String>of()) {
                        List<Double> was = before.get(now.keys()).metrics().getOrDefault(metric, List.of(0.0));
                        List<Double> is = now.metrics().get(metric);
                        double ratio = Results.median(is) / Results.median(was);
                        if (Math.abs(ratio - 1) >= 0.05 && (isLess(was, is) || isLess(is, was))) {
                            lines.add("JDK " + jdk + ", " + part + ": "
                                    + values(
                                            now,
                                            List.copyOf(now.without("clock").keySet()),
                                            ", ") + ", "
                                    + unit(metric, now) + " | " + cell(was) + " | " + cell(is) + " | "
                                    + figure(ratio, 2));
                        }
                    }
                }
            }
        }
        return lines;
    }

    private List<String> ofSettings(List<Integer> jdks) throws IOException {
        Map<String, Set<Integer>> measured = new TreeMap<>();
        Map<String, Set<String>> parts = new TreeMap<>();
        for (String part : Part.ALL.keySet()) {
            for (int jdk : jdks) {
                for (Row result : results.read(part, jdk)) {
                    measured.computeIfAbsent(result.settings(), any -> new LinkedHashSet<>())
                            .add(jdk);
                    parts.computeIfAbsent(result.settings(), any -> new LinkedHashSet<>())
                            .add(part);
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("commit | day | flags | warm-up | measured | rounds | JDKs | parts");
        lines.add("--- | --- | --- | --- | --- | --- | --- | ---");
        parts.forEach((settings, same) -> lines.add(settings + " | "
                + measured.get(settings).stream().map(String::valueOf).collect(joining(", ")) + " | "
                + String.join(", ", same)));
        return lines;
    }

    /** Returns what else tells a result apart: not its method, nor that it is of one thread, or of an unused JVM. */
    private static String nameWithout(String key, Row result) {
        Map<String, String> keys = result.without(key);
        keys.remove("threads", "1");
        keys.keySet().removeAll(Set.of("method", "before"));
        return values(result, List.copyOf(keys.keySet()), ", ");
    }

    private static String unit(String metric, Row result) {
        return metric.equals("time") ? result.unit() : title(metric);
    }

    private String cells(String selection, List<Integer> jdks) throws IOException {
        List<String> cells = new ArrayList<>();
        for (int jdk : jdks) {
            cells.add(cell(results.only(selection, jdk)));
        }
        return String.join(" / ", cells);
    }

    /** Returns the values of these keys, but of those that a benchmark does not have. */
    private static String values(Row result, List<String> keys, String between) {
        return keys.stream()
                .filter(result.keys()::containsKey)
                .map(key -> value(key, result.keys().get(key)))
                .collect(joining(between));
    }

    /** Returns the value in words: as those of this key are called, or those of any. */
    private static String value(String key, String value) {
        return switch (key) {
            case "threads" -> value + (value.equals("1") ? " thread" : " threads");
            case "method" -> title(value);
            default -> TITLES.getOrDefault(key + " " + value, TITLES.getOrDefault(value, number(value)));
        };
    }

    private static String number(String value) {
        return value.matches("\\d{4,}") ? String.format(Locale.ROOT, "%,d", Long.parseLong(value)) : value;
    }

    /** Returns the name in words. */
    private static String title(String name) {
        return TITLES.getOrDefault(name, name.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
    }

    /** Returns the median, and the range unless all figures are within a twentieth of it, or look like it. */
    private static String cell(List<Double> sorted) {
        double least = sorted.get(0);
        double most = sorted.get(sorted.size() - 1);
        double median = Results.median(sorted);
        String shown = figure(median, 1);
        String range = figure(least, 1) + "–" + figure(most, 1);
        return least >= 0.95 * median && most <= 1.05 * median || range.equals(shown + "–" + shown)
                ? shown
                : shown + " (" + range + ")";
    }

    /** Returns a figure of two digits, or three where {@code behind} the point or the first is 1. */
    private static String figure(double value, int behind) {
        double rounded = new BigDecimal(value)
                .round(new MathContext(value >= 1000 ? 2 : 3))
                .doubleValue();
        return String.format(Locale.ROOT, Math.abs(rounded) < 10 ? "%." + behind + "f" : "%,.0f", rounded);
    }
}
