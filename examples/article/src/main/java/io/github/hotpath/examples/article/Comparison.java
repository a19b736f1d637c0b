package io.github.hotpath.examples.article;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

import com.google.common.io.MoreFiles;
import io.github.hotpath.examples.support.ChildJvm;
import io.github.hotpath.examples.support.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs each stage in a JVM of its own, in a temporary directory, and prints a table. */
final class Comparison {
    private static final Pattern RESULT = Pattern.compile("Average count: (\\d+) op\\s+Spent time: (\\d+) ms");

    private Comparison() {}

    static void run(Path base, int turns, PrintStream out) throws IOException, InterruptedException {
        Path dir = Files.createTempDirectory(base, "hotpath-");
        try {
            Table table = new Table("stage", "average count", "time");
            for (Stage stage : Stage.values()) {
                out.println(stage + ":");
                List<String> command =
                        ChildJvm.command(List.of(), CountEvents.class, stage, dir.toAbsolutePath(), turns);
                table.add(row(stage, ChildJvm.run(command, out::println)));
            }
            out.print("\n" + table);
        } finally {
            MoreFiles.deleteRecursively(dir, ALLOW_INSECURE); // a directory of our own
        }
    }

    private static Object[] row(Stage stage, String printed) throws IOException {
        Matcher result = RESULT.matcher(printed);
        if (!result.find()) {
            throw new IOException("stage " + stage + " printed no result: " + printed);
        }
        return new Object[] {stage, result.group(1) + " op", result.group(2) + " ms"};
    }
}
