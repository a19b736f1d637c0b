package io.github.hotpath.examples.replay;

import com.google.common.base.Splitter;
import com.google.common.html.HtmlEscapers;
import com.google.common.io.Resources;
import com.google.gson.Gson;
import io.github.hotpath.examples.replay.Result.CandidateResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The report as a page, which is one file: its charts are drawn by Chart.js, which is part of it. */
final class HtmlPage {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
    private static final String CHART_JS = "META-INF/resources/webjars/chart.js/%s/dist/chart.umd.js";
    private static final String CHART_JS_POM = "META-INF/maven/org.webjars.npm/chart.js/pom.properties";

    private final Result result;
    private final Tables tables;

    HtmlPage(Result result, Tables tables) {
        this.result = result;
        this.tables = tables;
    }

    /** Writes the page, in place of what is there. */
    void write(Path file) throws IOException {
        Map<String, String> parts = Map.of(
                "title", escaped(result.log().name()),
                "style", resource("report.css"),
                "summary", paragraphs(tables.summary()),
                "candidates", tables.candidates().html(),
                "suggestion", suggestion(),
                "top", result.candidates().stream().map(this::top).collect(Collectors.joining()),
                "data",
                        new Gson()
                                .toJson(ChartData.of(result, tables.compares())), // escapes what could end the element
                "library", chartJs(),
                "script", resource("report.js"));
        Matcher places = PLACE.matcher(resource("report.html"));
        Files.writeString(
                file, places.replaceAll(place -> Matcher.quoteReplacement(parts.getOrDefault(place.group(1), ""))));
    }

    private String suggestion() {
        List<String> sentences = tables.suggestion();
        return sentences.isEmpty() ? "" : "<h2>Suggested limits</h2>\n" + paragraphs(sentences);
    }

    private String top(CandidateResult candidate) {
        Table table = tables.top(candidate);
        return table.isEmpty()
                ? ""
                : "<section><h3>" + escaped(candidate.candidate().toString())
                        + "</h3>\n<div class=\"chart\"><canvas id=\"top"
                        + candidate.index()
                        + "\" role=\"img\" aria-label=\"Requests of the clients below\"></canvas></div>\n"
                        + table.html() + "</section>\n";
    }

    private static String paragraphs(List<String> lines) {
        return lines.stream()
                .map(line -> line.startsWith(" ")
                        ? "<pre>" + escaped(line.strip()) + "</pre>\n"
                        : "<p>" + escaped(line) + "</p>\n")
                .collect(Collectors.joining());
    }

    private static String escaped(String text) {
        return HtmlEscapers.htmlEscaper().escape(text);
    }

    private static String resource(String name) throws IOException {
        return Resources.toString(Resources.getResource(HtmlPage.class, name), StandardCharsets.UTF_8);
    }

    /** Returns the library without its last line, which names a file that a browser would look for. */
    private static String chartJs() throws IOException {
        Properties pom = new Properties();
        try (InputStream in = Resources.getResource(CHART_JS_POM).openStream()) {
            pom.load(in);
        }
        URL script = Resources.getResource(String.format(CHART_JS, pom.getProperty("version")));
        return Splitter.on('\n')
                .splitToStream(Resources.toString(script, StandardCharsets.UTF_8))
                .filter(line -> !line.startsWith("//# sourceMappingURL"))
                .collect(Collectors.joining("\n"));
    }
}
