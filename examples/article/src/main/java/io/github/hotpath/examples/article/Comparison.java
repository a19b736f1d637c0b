package io.github.hotpath.examples.article;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

import com.google.common.io.MoreFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs each stage in a JVM of its own, in a temporary directory, and prints a table with the article's results. */
final class Comparison {
    private static final Pattern RESULT = Pattern.compile("Average count: (\\d+) op\\s+Spent time: (\\d+) ms");

    private Comparison() {}

    static void run(Path base, int turns, PrintStream out) throws IOException, InterruptedException {
        Path dir = Files.createTempDirectory(base, "hotpath-");
        try {
            List<String> table = new ArrayList<>();
            for (Stage stage : Stage.values()) {
                out.println(stage + ":");
                List<String> command =
                        ChildJvm.command(List.of(), CountEvents.class, stage, dir.toAbsolutePath(), turns);
                table.add(row(stage, ChildJvm.run(command, out::println)));
            }
            out.printf(
                    "%n%-8s  %13s  %7s  %21s  %13s%n",
                    "stage", "average count", "time", "article average count", "article time");
            table.forEach(out::println);
        } finally {
            MoreFiles.deleteRecursively(dir, ALLOW_INSECURE); // a directory of our own
        }
    }

    private static String row(Stage stage, String printed) throws IOException {
        Matcher result = RESULT.matcher(printed);
        if (!result.find()) {
            throw new IOException("stage " + stage + " printed no result: " + printed);
        }
        String row = String.format(Locale.ROOT, "%-8s  %10s op  %4s ms", stage, result.group(1), result.group(2));
        return stage.articleMillis == 0
                ? row
                : row + String.format(Locale.ROOT, "  %18d op  %10d ms", stage.articleCount, stage.articleMillis);
    }
}
