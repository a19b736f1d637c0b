package io.github.hotpath.examples.benchmarks;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A table of figures in Markdown, with its rows and columns in the order in which they came. */
final class MarkdownTable {
    private final String corner;
    private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();
    private final Set<String> columns = new LinkedHashSet<>();

    /** Names the first column, or more of them with a bar between, as the rows do. */
    MarkdownTable(String corner) {
        this.corner = corner;
    }

    void put(String row, String column, String cell) {
        columns.add(column);
        rows.computeIfAbsent(row, name -> new LinkedHashMap<>()).put(column, cell);
    }

    @Override
    public String toString() {
        String left = corner.replaceAll("[^|]+", " --- ");
        String right = columns.stream().map(column -> " ---: |").collect(Collectors.joining());
        String head = "| " + corner + " | " + String.join(" | ", columns) + " |\n|" + left + "|" + right + "\n";
        return rows.entrySet().stream()
                .map(row -> "| " + row.getKey() + " | " + cells(row.getValue()) + " |\n")
                .collect(Collectors.joining("", head, ""));
    }

    private String cells(Map<String, String> row) {
        return columns.stream().map(column -> row.getOrDefault(column, "–")).collect(Collectors.joining(" | "));
    }

    /** Returns a figure with a digit behind the point as long as it is small. */
    static String figure(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.1f" : "%,.0f", value);
    }

    /** Returns a figure of two digits, of which at most one is behind the point. */
    static String rounded(double value) {
        double twoDigits = new BigDecimal(value).round(new MathContext(2)).doubleValue();
        return Math.abs(twoDigits) < 10
                ? String.format(Locale.ROOT, "%.1f", value)
                : String.format(Locale.ROOT, "%,.0f", twoDigits);
    }
}
