package io.github.hotpath.examples.benchmarks;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A table of figures in Markdown, with its rows and columns in the order in which they came. */
final class MarkdownTable {
    private final String corner;
    private final Map<String, Map<String, Double>> rows = new LinkedHashMap<>();
    private final Set<String> columns = new LinkedHashSet<>();

    /** Names the first column, or more of them with a bar between, as the rows do. */
    MarkdownTable(String corner) {
        this.corner = corner;
    }

    void put(String row, String column, double value) {
        columns.add(column);
        rows.computeIfAbsent(row, name -> new LinkedHashMap<>()).put(column, value);
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

    private String cells(Map<String, Double> row) {
        return columns.stream()
                .map(column -> row.containsKey(column) ? figure(row.get(column)) : "–")
                .collect(Collectors.joining(" | "));
    }

    /** Returns a figure with a digit behind the point as long as it is small. */
    static String figure(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.1f" : "%,.0f", value);
    }
}
