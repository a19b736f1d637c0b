package io.github.hotpath.examples.article;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of text in columns: the first column is flush left, the others, which hold figures, flush right. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... header) {
        add(List.of(header));
    }

    /** Adds a row with as many cells as the header has. */
    void add(List<String> cells) {
        rows.add(cells);
    }

    /** Returns the cells of each row, the header first. */
    List<List<String>> rows() {
        return List.copyOf(rows);
    }

    /** Returns the table line by line, the header first. */
    List<String> lines() {
        return rows.stream().map(this::line).toList();
    }

    private String line(List<String> cells) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> padded(column, cells.get(column)))
                .collect(Collectors.joining("  "));
    }

    private String padded(int column, String cell) {
        String padding = " ".repeat(width(column) - cell.length());
        return column == 0 ? cell + padding : padding + cell;
    }

    private int width(int column) {
        return rows.stream().mapToInt(cells -> cells.get(column).length()).max().getAsInt();
    }
}
