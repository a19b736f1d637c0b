package io.github.hotpath.examples.article;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A count of system calls per turn, by name, as strace counts them. */
final class SystemCallCounter implements TurnCounter {
    /** A tenth of the article's, for strace makes each call many times slower. */
    private static final int TURNS = 10_000;

    /** A line of strace's summary: percentage, seconds, microseconds per call, calls, perhaps errors, name. */
    private static final Pattern LINE =
            Pattern.compile("\\s*[\\d.]+\\s+[\\d.]+\\s+\\d+\\s+(?<calls>\\d+)\\s+(\\d+\\s+)?(?<name>\\w+)");

    private final Path dir;

    /** Creates a counter of stages that work in {@code dir}. */
    SystemCallCounter(Path dir) {
        this.dir = dir.toAbsolutePath();
    }

    @Override
    public String perTurn(Stage stage) throws IOException, InterruptedException {
        Path summary = Files.createTempFile(dir, "strace-", ".txt");
        List<String> errors = new ArrayList<>();
        int status = StageLauncher.jvm(List.of(), stage, dir, TURNS)
                .under("strace", "-f", "-c", "-o", summary.toString())
                .run(line -> {}, errors::add);
        if (status != 0) {
            throw new IOException("strace failed: " + String.join(" ", errors));
        }
        return perTurn(Files.readAllLines(summary), TURNS);
    }

    /** Returns the calls that {@code summary} counts at least once in two turns: the others are the JVM's own. */
    static String perTurn(List<String> summary, int turns) throws IOException {
        Map<String, Double> calls = new TreeMap<>();
        for (String line : summary) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                calls.put(matcher.group("name"), Double.parseDouble(matcher.group("calls")) / turns);
            }
        }
        calls.remove("total");
        calls.values().removeIf(perTurn -> perTurn < 0.5);
        if (calls.isEmpty()) {
            throw new IOException("strace counted no call that is made turn by turn");
        }
        return calls.entrySet().stream()
                .map(call -> String.format(Locale.ROOT, "%s %.1f", call.getKey(), call.getValue()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return "system calls per turn";
    }
}
