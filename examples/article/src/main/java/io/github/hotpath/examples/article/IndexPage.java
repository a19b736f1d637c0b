package io.github.hotpath.examples.article;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A page of HTML, made from its top to its end, that links to other files of its folder. */
final class IndexPage {
    private static final String STYLE = """
            :root { color-scheme: light dark; font: 16px/1.5 sans-serif; }
            body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
            div { overflow-x: auto; }
            table { border-collapse: collapse; }
            th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #8886; }
            th:first-child, td:first-child { text-align: left; }
            td { white-space: nowrap; }""";

    private final List<String> lines = new ArrayList<>();

    IndexPage(String title) {
        lines.add("<!DOCTYPE html>");
        lines.add("<html lang=\"en\">");
        lines.add("<meta charset=\"utf-8\">");
        lines.add("<title>" + escaped(title) + "</title>");
        lines.add("<style>");
        STYLE.lines().forEach(lines::add);
        lines.add("</style>");
        lines.add("<h1>" + escaped(title) + "</h1>");
    }

    void heading(String text) {
        lines.add("<h2>" + escaped(text) + "</h2>");
    }

    void paragraph(String text) {
        lines.add("<p>" + escaped(text) + "</p>");
    }

    void table(Table table) {
        lines.add("<div><table>");
        String cell = "th"; // the first row is the header
        for (List<String> row : table.rows()) {
            lines.add("<tr>");
            for (String text : row) {
                lines.add("<" + cell + ">" + escaped(text) + "</" + cell + ">");
            }
            lines.add("</tr>");
            cell = "td";
        }
        lines.add("</table></div>");
    }

    /** Adds a paragraph with {@code name}, and a link to each of {@code files}, which are mapped to its text. */
    void links(String name, Map<String, String> files) {
        lines.add("<p><b>" + escaped(name) + "</b>");
        files.forEach((file, text) -> lines.add("· <a href=\"" + file + "\">" + escaped(text) + "</a>"));
        lines.add("</p>");
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
