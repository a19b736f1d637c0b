package io.github.hotpath.examples.article.profile;

import io.github.hotpath.examples.article.CountEvents;
import io.github.hotpath.examples.article.Stage;
import io.github.hotpath.examples.support.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordingFile;

/** Exact counts of what a stage does in each turn, each by a run of its own in {@code dir}. */
final class Turns {
    /** A tenth of the article's, for strace makes each system call many times slower. */
    private static final int TRACED = CountEvents.TURNS / 10;

    /** A line of strace's summary: percentage, seconds, microseconds per call, calls, perhaps errors, name. */
    private static final Pattern SUMMARY =
            Pattern.compile("(?m)^ *[\\d.]+ +[\\d.]+ +\\d+ +(?<calls>\\d+) +(\\d+ +)?(?<name>(?!total)\\w+)$");

    private Turns() {}

    /** Returns the exceptions per turn, those that are caught included, as Flight Recorder counts them. */
    static String exceptions(Stage stage, Path dir) throws IOException, InterruptedException {
        Path recording = dir.resolve("exceptions.jfr");
        String statistics = ",+jdk.ExceptionStatistics#";
        List<String> options = List.of(
                "-XX:StartFlightRecording:settings=none,filename=" + recording + statistics + "enabled=true"
                        + statistics + "period=endChunk",
                "-Xlog:jfr+startup=error");
        ChildJvm.run(command(options, stage, dir, CountEvents.TURNS), line -> {});
        long throwables = RecordingFile.readAllEvents(recording).stream()
                .mapToLong(event -> event.getLong("throwables"))
                .max() // each count continues the one before
                .orElseThrow(() -> new IOException("Flight Recorder left no count"));
        return String.format(Locale.ROOT, "%.2f", (double) throwables / CountEvents.TURNS);
    }

    /** Returns the system calls per turn, by name, as strace counts them. */
    static String systemCalls(Stage stage, Path dir) throws IOException, InterruptedException {
        Path summary = dir.resolve("strace.txt");
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-c", "-o", summary.toString()));
        command.addAll(command(List.of(), stage, dir, TRACED));
        ChildJvm.run(command, line -> {});
        return perTurn(Files.readString(summary), TRACED);
    }

    private static List<String> command(List<String> options, Stage stage, Path dir, int turns) {
        return ChildJvm.command(options, CountEvents.class, stage, dir, turns);
    }

    /** Returns the calls that {@code summary} counts at least once in two turns: the others are the JVM's own. */
    static String perTurn(String summary, int turns) {
        return SUMMARY.matcher(summary)
                .results()
                .filter(line -> 2 * Long.parseLong(line.group(1)) >= turns)
                .map(line ->
                        String.format(Locale.ROOT, "%s %.1f", line.group(3), Double.parseDouble(line.group(1)) / turns))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
