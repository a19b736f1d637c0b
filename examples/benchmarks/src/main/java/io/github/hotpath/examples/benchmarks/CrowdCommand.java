package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Runs the benchmark of many threads, or some cases of it.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am \
 *     -Dexec.args='crowd --short --traffic toArray,recordAndCount --threads 200 --window concurrent,reentrant'</pre>
 *
 * <p>A traffic is chosen by its name, a number of threads by itself, a window by the beginning of its name. Results in
 * the directory of cases that are not chosen are kept.
 */
final class CrowdCommand {
    static final String NAME = "crowd";

    private static final String USAGE =
            NAME + " [--short] [--to DIR] [--traffic NAME,...] [--threads N,...] [--window NAME,...]";

    private boolean brief;
    private Path dir = Path.of("target/benchmarks");
    private List<CrowdCase> cases = CrowdCase.all(Threads.hasVirtual());

    private CrowdCommand() {}

    /** Does what {@code words}, of which the first is the name, say, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, List<String> words) throws IOException {
        CrowdCommand command = new CrowdCommand();
        if (!command.understands(words.subList(1, words.size()).iterator())) {
            err.println("Benchmarks: " + String.join(" ", words) + ": not understood; usage: Benchmarks " + USAGE);
            return 2;
        }
        try {
            return new CrowdSuite(command.brief, out).run(command.dir, command.cases) ? 0 : 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private boolean understands(Iterator<String> words) {
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("--short")) {
                brief = true;
            } else if (!words.hasNext() || !understands(word, words.next())) {
                return false;
            }
        }
        return !cases.isEmpty();
    }

    private boolean understands(String option, String value) {
        switch (option) {
            case "--to" -> dir = Path.of(value);
            case "--traffic" -> choose(one -> names(value).anyMatch(one.method()::equals));
            case "--threads" -> choose(one -> names(value).anyMatch(String.valueOf(one.threads())::equals));
            case "--window" ->
                choose(one -> names(value.toUpperCase(Locale.ROOT)).anyMatch(one.param("window")::startsWith));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void choose(Predicate<CrowdCase> chosen) {
        cases = cases.stream().filter(chosen).toList();
    }

    private static Stream<String> names(String value) {
        return Stream.of(value.split(","));
    }
}
