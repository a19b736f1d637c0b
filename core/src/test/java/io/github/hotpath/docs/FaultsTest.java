package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every difference and fault in {@code docs/prior-art.md} has a test that exists, and every such test is named there.
 */
class FaultsTest {
    private static final Path CORE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Pattern NAMED = Pattern.compile("`([a-z]\\w*_\\w+)`");
    private static final Pattern TEST = Pattern.compile("(?m)^    void (\\w+)\\(");

    @Test
    void rows_eachNameTestsThatExist() throws IOException {
        List<String> tests = tests("");
        List<String> rows = rows();

        assertThat(rows).isNotEmpty();
        for (String row : rows) {
            assertThat(named(row)).as(row).isNotEmpty().allMatch(tests::contains);
        }
    }

    @Test
    void tests_ofFaults_areAllNamed() throws IOException {
        assertThat(named(String.join("\n", rows()))).containsAll(tests("PeerFaultsTest"));
    }

    /** Returns the rows of all tables after that of the versions, without their heads. */
    private static List<String> rows() throws IOException {
        List<String> lines = Files.readAllLines(CORE.getParent().resolve("docs/prior-art.md")).stream()
                .dropWhile(line -> !line.startsWith("## Choices"))
                .toList();
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith("| ") && !lines.get(i).startsWith("| ---"))
                .filter(i -> i + 1 == lines.size() || !lines.get(i + 1).startsWith("| ---"))
                .mapToObj(lines::get)
                .toList();
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
