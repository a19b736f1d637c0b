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
import java.util.regex.MatchResult;
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

    /** A block; one of another library is marked, and shows beside it how the same is done with this one. */
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java( other-library)?\\n(.*?)^```$");

    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)");
    private static final Set<String> CLASSES_OF_THE_JDK = Set.of(
            "ArrayDeque",
            "CompletableFuture",
            "DelayQueue",
            "Files",
            "LongAdder",
            "OutOfMemoryError",
            "ReentrantLock",
            "StackOverflowError",
            "StampedLock",
            "ThreadLocal");
    private static final List<Path> EXAMPLES = Stream.of(
                    "article/src/main/java",
                    "recipes/src/main/java",
                    "stream/src/main/java",
                    "postgresql/src/main/java",
                    "redis/src/test/java",
                    "web/src/test/java", // code of a user
                    "web/src/it")
            .map(PROJECT.resolve("examples")::resolve)
            .toList();

    @ParameterizedTest
    @MethodSource("io.github.hotpath.docs.LinksTest#pages")
    void javaBlocks_areRunUnlessOfAnotherLibrary(Path page) throws IOException {
        List<String> lines = Files.readAllLines(page);
        List<MatchResult> blocks =
                BLOCK.matcher(String.join("\n", lines)).results().toList();
        List<String> sources = normalizedSources();

        for (MatchResult block : blocks) {
            String code = block.group(2);
            if (block.group(1) == null) {
                assertThat(sources).as("holds: %s", code).anyMatch(source -> holds(source, code));
            } else { // or the mark would be a way past the check
                assertThat(code.split("\\W+")).doesNotContainAnyElementsOf(publicClasses());
            }
        }
        assertThat(lines).filteredOn(line -> line.strip().startsWith("```java")).hasSameSizeAs(blocks);
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
        return javaFiles(CORE.resolve("src/main")).stream()
                .filter(source -> javadocExamples(source).findAny().isPresent())
                .toList();
    }

    private static List<Path> javaFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void javadocExample_isRun(Path source) {
        String run = normalized(read(SNIPPETS));

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
        String firstScreen = String.join("\n", lines.subList(0, 60));

        assertThat(firstScreen).containsSubsequence("EventWindow.of(", "Dirs.ensure(", "KeyedLimiter.of(");
    }

    /** A page that tells where things are is worth nothing when they have moved. */
    @ParameterizedTest
    @ValueSource(strings = {"how-it-works.md", "design.md"})
    void classes_namedInPageAboutTheCode_exist(String name) throws IOException {
        Set<String> classes = new HashSet<>(CLASSES_OF_THE_JDK);
        javaFiles(CORE.resolve("src")).forEach(file -> classes.add(className(file)));
        String page = Files.readString(PROJECT.resolve("docs").resolve(name));

        assertThat(CLASS.matcher(page).results().map(found -> found.group(1)))
                .hasSizeGreaterThan(25)
                .allMatch(classes::contains);
    }

    private static Stream<String> javadocExamples(Path source) {
        return EXAMPLE.matcher(read(source))
                .results()
                .map(example -> example.group(1).replaceAll("(?m)^ *\\* ?", ""));
    }

    private static List<String> normalizedSources() throws IOException {
        List<String> sources = new ArrayList<>(List.of(normalized(read(SNIPPETS))));
        for (Path example : EXAMPLES) {
            javaFiles(example).forEach(file -> sources.add(normalized(read(file))));
        }
        return sources;
    }

    private static List<String> publicClasses() throws IOException {
        return javaFiles(CORE.resolve("src/main")).stream()
                .filter(file -> read(file).contains("\npublic "))
                .map(DocsTest::className)
                .toList();
    }

    private static String className(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static String normalized(String code) {
        return code.replaceAll("\\s+", "");
    }
}
