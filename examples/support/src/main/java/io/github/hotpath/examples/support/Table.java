package io.github.hotpath.examples.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table of text: a column of words, aligned on the left, then columns of numbers, aligned on the right. */
public final class Table {
    private final List<String> head;
    private final List<List<String>> rows = new ArrayList<>();

    /** Creates an empty table, with the heads of all columns. */
    public Table(String... head) {
        this.head = List.of(head);
    }

    /**
     * Adds a row; cells that are missing at its end are empty. A {@link Long} has commas, a {@link Double} two decimals.
     *
     * @throws IllegalArgumentException if there are more cells than columns
     */
    public void add(Object... cells) {
        if (cells.length > head.size()) {
            throw new IllegalArgumentException("cells: " + cells.length + " (expected: at most " + head.size() + ")");
        }
        rows.add(IntStream.range(0, head.size())
                .mapToObj(i -> i < cells.length ? text(cells[i]) : "")
                .toList());
    }

    private static String text(Object cell) {
        String format = cell instanceof Long ? "%,d" : cell instanceof Double ? "%.2f" : "%s";
        return String.format(Locale.ROOT, format, cell);
    }

    /** Returns the lines of the head and of the rows, two blanks between columns, each with a line feed at its end. */
    @Override
    public String toString() {
        int[] widths = IntStream.range(0, head.size())
                .map(i -> lines().mapToInt(row -> row.get(i).length()).max().orElse(0))
                .toArray();
        return lines().map(row -> line(row, widths)).collect(Collectors.joining());
    }

    private Stream<List<String>> lines() {
        return Stream.concat(Stream.of(head), rows.stream());
    }

    private String line(List<String> row, int[] widths) {
        return IntStream.range(0, widths.length)
                        .mapToObj(i -> {
                            String blanks = " ".repeat(widths[i] - row.get(i).length());
                            return i == 0 ? row.get(i) + blanks : blanks + row.get(i);
                        })
                        .collect(Collectors.joining("  "))
                        .stripTrailing()
                + "\n";
    }
}
