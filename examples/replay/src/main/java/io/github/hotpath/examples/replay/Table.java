package io.github.hotpath.examples.replay;

import com.google.common.base.Strings;
import com.google.common.html.HtmlEscapers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table for a terminal and for a page: first columns of words, on the left, then columns of numbers. */
final class Table {
    private final int words;
    private final List<String> head;
    private final List<List<String>> rows = new ArrayList<>();

    /** Takes how many columns have words, and the heads of all columns. */
    Table(int words, String... head) {
        this.words = words;
        this.head = List.of(head);
    }

    /** Adds a row; what is missing at its end is empty. */
    void add(String... cells) {
        rows.add(IntStream.range(0, head.size())
                .mapToObj(i -> i < cells.length ? Shown.text(cells[i], 60) : "")
                .toList());
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Returns the lines for a terminal, which end with a line feed. */
    String text() {
        List<List<String>> all = new ArrayList<>(List.of(head));
        all.addAll(rows);
        int[] widths = IntStream.range(0, head.size())
                .map(i ->
                        all.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
                .toArray();
        return all.stream().map(row -> line(row, widths)).collect(Collectors.joining());
    }

    private String line(List<String> row, int[] widths) {
        return IntStream.range(0, widths.length)
                        .mapToObj(i -> i < words
                                ? Strings.padEnd(row.get(i), widths[i], ' ')
                                : Strings.padStart(row.get(i), widths[i], ' '))
                        .collect(Collectors.joining("  "))
                        .stripTrailing()
                + "\n";
    }

    /** Returns the element of a page, or nothing if there are no rows. */
    String html() {
        if (isEmpty()) {
            return "";
        }
        String body = rows.stream().map(row -> html(row, "td")).collect(Collectors.joining());
        return "<div class=\"wide\"><table><thead>" + html(head, "th") + "</thead><tbody>" + body
                + "</tbody></table></div>\n";
    }

    private String html(List<String> row, String element) {
        return IntStream.range(0, row.size())
                .mapToObj(i -> "<" + element + (i < words ? "" : " class=\"number\"") + ">"
                        + HtmlEscapers.htmlEscaper().escape(row.get(i)) + "</" + element + ">")
                .collect(Collectors.joining("", "<tr>", "</tr>"));
    }
}
