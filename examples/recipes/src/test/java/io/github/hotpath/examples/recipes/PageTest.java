package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first table of the page is right, as a new user would find who pastes what it names into an empty project. */
class PageTest {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path SOURCES = MODULE.resolve("src/main/java/io/github/hotpath/examples/recipes");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| \\[(.+?)]\\(.*?\\) \\| (.+) \\| (\\d+) \\| (.*)\\|$");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");
    private static final Pattern DEPENDENCY = Pattern.compile("`[\\w.]+:([\\w-]+):([\\w.]+)`");
    private static final List<String> PROGRAMS = List.of("KeepLimits", "LineCosts", "package-info");

    /** The files that Maven brings along with an artifact, that one included. */
    private static final Map<String, String> JARS = Map.of(
            "micrometer-core", "micrometer-.*",
            "structured-fields", "structured-fields-.*",
            "logback-classic", "logback-.*|slf4j-api-.*");

    private record Recipe(String name, List<String> classes, int lines, List<String> artifacts) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Recipe> recipes() throws IOException {
        return ROW.matcher(Files.readString(MODULE.resolve("README.md")))
                .results()
                .map(row -> new Recipe(
                        row.group(1),
                        groups(CLASS, row.group(2)),
                        Integer.parseInt(row.group(3)),
                        DEPENDENCY
                                .matcher(row.group(4))
                                .results()
                                .map(artifact -> artifact.group(1) + "-" + artifact.group(2))
                                .toList()))
                .toList();
    }

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void recipe_copied_isShortAndCompilesWithWhatThePageNames(Recipe recipe, @TempDir Path out) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", out.toString(), "-cp", classPath(recipe)));
        int lines = 0;
        for (String name : recipe.classes) {
            Path source = SOURCES.resolve(name + ".java");
            int length = Files.readAllLines(source).size();
            assertThat(length).as(name).isLessThanOrEqualTo(150);
            lines += length;
            arguments.add(source.toString());
        }
        ByteArrayOutputStream messages = new ByteArrayOutputStream();

        int result =
                ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments.toArray(new String[0]));

        assertThat(result).as(messages.toString()).isZero();
        assertThat(recipe.classes).hasSizeLessThanOrEqualTo(3);
        assertThat(recipe.lines).isEqualTo(lines);
    }

    /** Returns core with its annotations, and the artifacts that are named, in that version. */
    private static String classPath(Recipe recipe) {
        String core = EventWindow.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        List<String> jars = new ArrayList<>(List.of(Path.of(URI.create(core)).toString()));
        List<String> all = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        for (String artifact : recipe.artifacts) {
            assertThat(all).anyMatch(entry -> entry.endsWith(artifact + ".jar"));
            String names = JARS.get(artifact.replaceAll("-[\\d.]+$", ""));
            all.stream()
                    .filter(entry -> Path.of(entry).getFileName().toString().matches(names))
                    .forEach(jars::add);
        }
        all.stream().filter(entry -> entry.contains("jspecify-")).forEach(jars::add);
        return String.join(File.pathSeparator, jars);
    }

    @Test
    void classes_allButPrograms_areInTheTable() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".java", ""))
                            .filter(name -> !PROGRAMS.contains(name)))
                    .containsExactlyInAnyOrderElementsOf(recipes().stream()
                            .flatMap(recipe -> recipe.classes.stream())
                            .distinct()
                            .toList());
        }
    }
}
