package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** A tool: measures what it costs to write a line of a log, each way in turn, in a temporary directory. */
public final class LineCosts {
    private static final int ROUNDS = 10;
    private static final String LINE = "2026-11-24T12:00:00.500Z GET /items/4711 200 5120\n";

    /** What is done for each line. */
    private enum Way {
        CREATE_AND_OPEN("opens the file, after Files.createDirectories", file -> {
            Files.createDirectories(file.getParent());
            return append(file);
        }),
        ENSURE_AND_OPEN("opens the file, after Dirs.ensureParent", file -> append(Dirs.ensureParent(file))),
        OPEN("opens the file, in Dirs.withParent", file -> Dirs.withParent(file, LineCosts::append)),
        CREATE(
                "writes to an open file, after Files.createDirectories",
                file -> Files.createDirectories(file.getParent())),
        CHECK("writes to an open file, after Files.isDirectory", file -> Files.isDirectory(file.getParent())),
        ENSURE("writes to an open file, after Dirs.ensure", file -> Dirs.ensure(file.getParent())),
        WRITE("writes to an open file", file -> file);

        private final String title;
        private final Dirs.PathOperation<?> operation;

        Way(String title, Dirs.PathOperation<?> operation) {
            this.title = title;
            this.operation = operation;
        }
    }

    private LineCosts() {}

    /** Prints microseconds of processor time for a line: the median of nine rounds after the first, and their range. */
    public static void main(String[] args) throws IOException {
        run(Path.of(System.getProperty("java.io.tmpdir")), 20_000, System.out);
    }

    static void run(Path base, int lines, PrintStream out) throws IOException {
        Path dir = Files.createTempDirectory(base, "hotpath-");
        try {
            double[][] micros = new double[Way.values().length][ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                for (Way way : Way.values()) {
                    micros[way.ordinal()][round] = micros(way, dir.resolve("app.log"), lines);
                }
            }
            for (Way way : Way.values()) {
                double[] warm = Arrays.copyOfRange(micros[way.ordinal()], 1, ROUNDS);
                Arrays.sort(warm);
                out.printf(
                        Locale.ROOT,
                        "%-53s %6.2f (%.2f-%.2f)%n",
                        way.title,
                        warm[warm.length / 2],
                        warm[0],
                        warm[warm.length - 1]);
            }
        } finally {
            Files.deleteIfExists(dir.resolve("app.log"));
            Files.delete(dir);
        }
    }

    private static double micros(Way way, Path file, int lines) throws IOException {
        var thread = ManagementFactory.getThreadMXBean();
        long start = thread.getCurrentThreadCpuTime();
        try (var open = Files.newBufferedWriter(file, CREATE, APPEND)) {
            for (int i = 0; i < lines; i++) {
                way.operation.apply(file);
                if (way.compareTo(Way.OPEN) > 0) {
                    open.write(LINE);
                }
            }
        }
        long spent = thread.getCurrentThreadCpuTime() - start;
        if (Files.size(file) != (long) lines * LINE.length()) {
            throw new IOException(way + ": " + Files.size(file) + " bytes");
        }
        Files.delete(file);
        return spent / 1e3 / lines;
    }

    private static Path append(Path file) throws IOException {
        return Files.writeString(file, LINE, CREATE, APPEND);
    }
}
