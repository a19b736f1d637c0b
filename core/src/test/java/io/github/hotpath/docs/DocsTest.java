package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every block of Java in README, docs and Javadoc is code that {@link SnippetsTest} runs, or of an example, but for
 * white space; and what the pages name exists. Only code of another library, which is marked as that, is not run.
 */
class DocsTest {
    private static final Path CORE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path PROJECT = CORE.getParent();
    private static final Path SNIPPETS = CORE.resolve("src/test/java/io/github/hotpath/docs/SnippetsTest.java");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)<pre>\\{@code\\n(.*?)}</pre>");
    private static final String RUN = "```java";

    /** Begins code of another library, to show beside it how the same is done with this one. */
    private static final String OF_ANOTHER_LIBRARY = "```java other-library";

    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)");
    private static final Set<String> CLASSES_OF_THE_JDK = Set.of(
            "ArrayDeque",
            "DelayQueue",
            "Files",
            "LongAdder",
            "OutOfMemoryError",
            "ReentrantLock",
            "StackOverflowError",
            "ThreadLocal");
    private static final List<Path> EXAMPLES = Stream.of(
                    "article/src/main/java",
                    "recipes/src/main/java",
                    "stream/src/main/java",
                    "fleet/src/main/java",
                    "redis/src/main/java",
                    "web/src/main/java",
                    "web/src/test/java") // code for another container than that of the program
            .map(PROJECT.resolve("examples")::resolve)
            .toList();

    @ParameterizedTest
    @MethodSource("io.github.hotpath.docs.LinksTest#pages")
    void javaBlock_isRun(Path page) throws IOException {
        List<String> sources = normalizedSources();

        for (String block : javaBlocks(Files.readAllLines(page))) {
            assertThat(sources).as("holds: %s", block).anyMatch(source -> holds(source, block));
        }
    }

    /** Imports of a block are somewhere in the file, and everything else is in one piece. */
    private static boolean holds(String source, String block) {
        return block.lines().filter(DocsTest::isImport).allMatch(line -> source.contains(normalized(line)))
                && source.contains(
                        normalized(block.lines().filter(line -> !isImport(line)).collect(Collectors.joining("\n"))));
    }

    private static boolean isImport(String line) {
        return line.startsWith("import ");
    }

    static List<Path> sources() throws IOException {
        try (Stream<Path> sources = Files.walk(CORE.resolve("src/main/java"))) {
            return sources.filter(source -> source.toString().endsWith(".java"))
                    .filter(source -> javadocExamples(source).findAny().isPresent())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void javadocExample_isRun(Path source) throws IOException {
        String run = normalized(Files.readString(SNIPPETS));

        assertThat(javadocExamples(source)).allMatch(example -> run.contains(normalized(example)));
    }

    @Test
    void javadocExamples_ofPublicClasses_areFound() throws IOException {
        assertThat(sources())
                .extracting(source -> source.getFileName().toString())
                .containsExactlyInAnyOrder(
                        "BlockingLimiter.java",
                        "BoundedEventWindow.java",
                        "ConcurrentEventWindow.java",
                        "Decision.java",
                        "Dirs.java",
                        "EventWindow.java",
                        "KeyedLimiter.java",
                        "Limiter.java",
                        "Reservation.java",
                        "SlidingWindowLimiter.java");
    }

    /** What was ordered comes first: counting, then directories, then limits. */
    @Test
    void readme_firstScreen_countsEnsuresAndLimits() throws IOException {
        List<String> lines = Files.readAllLines(PROJECT.resolve("README.md"));
        String firstScreen = String.join("\n", lines.subList(0, 45));

        assertThat(firstScreen).containsSubsequence("EventWindow.of(", "Dirs.ensure(", "KeyedLimiter.of(");
    }

    /** A page that tells where things are is worth nothing when they have moved. */
    @ParameterizedTest
    @ValueSource(strings = {"how-it-works.md", "design.md"})
    void classes_namedInPageAboutTheCode_exist(String name) throws IOException {
        Set<String> classes = new HashSet<>(CLASSES_OF_THE_JDK);
        try (Stream<Path> files = Files.walk(CORE.resolve("src"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".java"))
                    .forEach(file -> classes.add(file.substring(0, file.length() - ".java".length())));
        }
        String page = Files.readString(PROJECT.resolve("docs").resolve(name));

        assertThat(CLASS.matcher(page).results().map(found -> found.group(1)))
                .hasSizeGreaterThan(50)
                .allMatch(classes::contains);
    }

    private static Stream<String> javadocExamples(Path source) {
        try {
            return EXAMPLE.matcher(Files.readString(source))
                    .results()
                    .map(example -> example.group(1).replaceAll("(?m)^ *\\* ?", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> normalizedSources() throws IOException {
        List<String> sources = new ArrayList<>(List.of(normalized(Files.readString(SNIPPETS))));
        for (Path example : EXAMPLES) {
            try (Stream<Path> files = Files.walk(example)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    sources.add(normalized(Files.readString(file)));
                }
            }
        }
        return sources;
    }

    /** A page whose blocks are no longer found is no longer checked. */
    @ParameterizedTest
    @MethodSource("io.github.hotpath.docs.LinksTest#pages")
    void javaBlocks_ofPage_areAllFound(Path page) throws IOException {
        List<String> lines = Files.readAllLines(page);

        assertThat(javaBlocks(lines).size() + blocks(lines, OF_ANOTHER_LIBRARY).size())
                .isEqualTo((int) lines.stream()
                        .filter(line -> line.strip().startsWith(RUN))
                        .count());
    }

    /** Or the mark would be a way past the check. */
    @ParameterizedTest
    @MethodSource("io.github.hotpath.docs.LinksTest#pages")
    void javaBlock_ofAnotherLibrary_usesNoClassOfThisOne(Path page) throws IOException {
        List<String> classes = publicClasses();

        for (String block : blocks(Files.readAllLines(page), OF_ANOTHER_LIBRARY)) {
            assertThat(block.split("\\W+")).doesNotContainAnyElementsOf(classes);
        }
    }

    private static List<String> publicClasses() throws IOException {
        List<String> classes = new ArrayList<>();
        for (String directory : List.of("limit", "window", "files")) {
            try (Stream<Path> files = Files.list(CORE.resolve("src/main/java/io/github/hotpath/" + directory))) {
                for (Path file : files.toList()) {
                    if (Files.readString(file).contains("\npublic ")) {
                        classes.add(file.getFileName().toString().replace(".java", ""));
                    }
                }
            }
        }
        return classes;
    }

    private static List<String> javaBlocks(List<String> lines) {
        return blocks(lines, RUN);
    }

    /** Returns the blocks that begin with a line of exactly that text. */
    private static List<String> blocks(List<String> lines, String begin) {
        List<String> blocks = new ArrayList<>();
        for (int from = lines.indexOf(begin); from >= 0; ) {
            List<String> rest = lines.subList(from + 1, lines.size());
            int length = rest.indexOf("```");
            blocks.add(String.join("\n", rest.subList(0, length)));
            lines = rest.subList(length, rest.size());
            from = lines.indexOf(begin);
        }
        return blocks;
    }

    private static String normalized(String code) {
        return code.replaceAll("\\s+", "");
    }
}
