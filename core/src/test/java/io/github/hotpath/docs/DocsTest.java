package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** The name of a class, and of a member of it or of a class in it. */
    private static final Pattern NAME =
            Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.([A-Za-z]\\w*))?(?:\\.([A-Za-z]\\w*))?");

    /** The pages about the code, in which every such name is of this project or of the JDK. */
    private static final Set<String> ABOUT_THE_CODE =
            Set.of("broken-lines.md", "contributing.md", "design.md", "how-it-works.md");

    private static final List<String> PACKAGES_OF_THE_JDK = List.of(
            "java.io",
            "java.lang",
            "java.lang.invoke",
            "java.nio.file",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks");

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
                assertThat(sources.stream().anyMatch(source -> holds(source, code)))
                        .as("is a part of SnippetsTest or of an example:%n%s", code)
                        .isTrue();
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

        assertThat(javadocExamples(source).filter(example -> !run.contains(normalized(example))))
                .as("examples that are no part of SnippetsTest")
                .isEmpty();
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
    @MethodSource("io.github.hotpath.docs.LinksTest#pages")
    void classesAndMembers_namedInAPage_exist(Path page) throws IOException {
        Map<String, String> core = sourcesByClass(CORE.resolve("src"));
        Map<String, String> all = sourcesByClass(PROJECT.resolve("examples"));
        all.putAll(core);
        boolean isOfAnExample = page.startsWith(PROJECT.resolve("examples"));
        boolean isAboutTheCode = ABOUT_THE_CODE.contains(page.getFileName().toString());
        Map<String, String> sources = isOfAnExample || isAboutTheCode ? all : core; // others name other libraries

        List<MatchResult> names = NAME.matcher(Files.readString(page).replaceAll("(?ms)^```.*?^```$", ""))
                .results()
                .toList();

        assertThat(names)
                .filteredOn(name -> sources.containsKey(name.group(1)))
                .extracting(name -> name.group().substring(1))
                .filteredOn(name -> {
                    String[] parts = name.split("\\.");
                    return !Stream.of(parts).allMatch(part -> hasWord(sources.get(parts[0]), part));
                })
                .isEmpty();
        assertThat(names)
                .filteredOn(name -> isAboutTheCode && !sources.containsKey(name.group(1)))
                .extracting(name -> name.group(1))
                .filteredOn(name -> !isOfTheJdk(name))
                .isEmpty();
    }

    private static Map<String, String> sourcesByClass(Path directory) throws IOException {
        Map<String, String> sources = new HashMap<>();
        javaFiles(directory).forEach(file -> sources.merge(className(file), read(file), String::concat));
        return sources;
    }

    private static boolean hasWord(String source, String word) {
        return Pattern.compile("\\b" + word + "\\b").matcher(source).find();
    }

    private static boolean isOfTheJdk(String name) {
        return PACKAGES_OF_THE_JDK.stream().anyMatch(of -> {
            try {
                Class.forName(of + "." + name);
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
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
