package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every fault of others in {@code docs/semantics.md} has a test that exists, and every such test is named there. */
class FaultsTest {
    private static final Path CORE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Pattern NAMED = Pattern.compile("`([a-z]\\w*_\\w+)`");
    private static final Pattern TEST = Pattern.compile("(?m)^    void (\\w+)\\(");

    @Test
    void faults_eachHasItsTest() throws IOException {
        List<String> tests = tests("");
        for (String row :
                table().stream().filter(line -> line.startsWith("| ")).skip(2).toList()) {
            assertThat(named(row)).as(row).isNotEmpty().allMatch(tests::contains);
        }
    }

    @Test
    void tests_ofFaults_areAllNamed() throws IOException {
        assertThat(named(String.join("\n", table()))).containsAll(tests("PeerFaultsTest"));
    }

    private static List<String> table() throws IOException {
        List<String> table = Files.readAllLines(CORE.getParent().resolve("docs/semantics.md")).stream()
                .dropWhile(line -> !line.startsWith("## Faults of others"))
                .toList();
        assertThat(table).isNotEmpty();
        return table;
    }

    private static List<String> named(String rows) {
        return NAMED.matcher(rows).results().map(name -> name.group(1)).toList();
    }

    /** Returns the names of the tests in the classes whose names contain {@code name}. */
    private static List<String> tests(String name) throws IOException {
        try (Stream<Path> sources = Files.walk(CORE.resolve("src/test/java"))) {
            List<Path> found = sources.filter(source -> source.toString().endsWith(".java")
                            && source.toString().contains(name))
                    .toList();
            return found.stream().flatMap(source -> tests(source).stream()).collect(Collectors.toList());
        }
    }

    private static List<String> tests(Path source) {
        try {
            return TEST.matcher(Files.readString(source))
                    .results()
                    .map(test -> test.group(1))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(source.toString(), e);
        }
    }
}
