package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every link of README, changelog, docs and the examples' manuals leads to a file of the project and, if it names one,
 * to a heading of it; and where a table tells how many lines a linked source has, it has as many. Every table has a
 * head.
 */
class LinksTest {
    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    /** A link or a picture, in Markdown or in HTML, with its target. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)|(?:href|src)=\"([^\"]+)\"");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    /** A row of a table that begins with a link to a source and the number of its lines. */
    private static final Pattern SOURCE = Pattern.compile("(?m)^\\| \\[[^]]+]\\(([^)]+\\.java)\\) \\| (\\d+) \\|");

    /** A table: rows one below the other. */
    private static final Pattern TABLE = Pattern.compile("(?m)(?:^ *\\|.*\\R?)+");

    /** The first row of a table, and the beginning of the line below it. */
    private static final Pattern HEAD = Pattern.compile("^.*\\R *\\| ---");

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"));
                Stream<Path> examples = Files.list(PROJECT.resolve("examples"))) {
            Stream<Path> manuals =
                    examples.map(example -> example.resolve("README.md")).filter(Files::exists);
            return Stream.of(
                            Stream.of("README.md", "CHANGELOG.md", "examples/README.md", ".github/SECURITY.md")
                                    .map(PROJECT::resolve),
                            docs,
                            manuals)
                    .flatMap(pages -> pages)
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void links_leadSomewhere(Path page) throws IOException {
        assertThat(links(page).filter(link -> !link.contains("://")).filter(link -> !leads(page, link)))
                .as("links that lead nowhere")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linesOfASource_inATable_areAsMany(Path page) throws IOException {
        for (MatchResult row : SOURCE.matcher(Files.readString(page)).results().toList()) {
            assertThat(Files.readAllLines(page.resolveSibling(row.group(1))))
                    .as(row.group(1))
                    .hasSize(Integer.parseInt(row.group(2)));
        }
    }

    /** What an empty line cuts off from its table is not shown as one. */
    @ParameterizedTest
    @MethodSource("pages")
    void tables_haveAHead(Path page) throws IOException {
        String text = Files.readString(page).replaceAll("(?ms)^```.*?^```$", "");

        assertThat(TABLE.matcher(text).results().map(MatchResult::group))
                .filteredOn(table -> !HEAD.matcher(table).find())
                .as("tables without a head")
                .isEmpty();
    }

    private static Stream<String> links(Path page) throws IOException {
        return LINK.matcher(Files.readString(page)).results().map(LinksTest::target);
    }

    private static String target(MatchResult link) {
        return link.group(1) != null ? link.group(1) : link.group(2);
    }

    private static boolean leads(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        try {
            return Files.exists(file) && (parts.length == 1 || anchors(file).anyMatch(parts[1]::equals));
        } catch (IOException e) {
            throw new AssertionError(link, e);
        }
    }

    /** The anchors that GitHub gives to headings. */
    private static Stream<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
    }
}
