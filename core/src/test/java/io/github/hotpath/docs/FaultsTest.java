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

/** Every test that {@code docs/semantics.md} names beside a fault of others exists, and every such test is named there. */
class FaultsTest {
    private static final Path CORE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Pattern NAMED = Pattern.compile("`([a-z]\\w*_\\w+)`");
    private static final Pattern TEST = Pattern.compile("(?m)^    void (\\w+)\\(");

    @Test
    void faults_eachHasItsTest() throws IOException {
        assertThat(tests("")).containsAll(named());
    }

    @Test
    void tests_ofFaults_areAllNamed() throws IOException {
        assertThat(named()).containsAll(tests("PeerFaultsTest"));
    }

    private static List<String> named() throws IOException {
        List<String> table = Files.readAllLines(CORE.getParent().resolve("docs/semantics.md")).stream()
                .dropWhile(line -> !line.startsWith("## Faults of others"))
                .toList();
        assertThat(table).isNotEmpty();
        return NAMED.matcher(String.join("\n", table))
                .results()
                .map(name -> name.group(1))
                .toList();
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
