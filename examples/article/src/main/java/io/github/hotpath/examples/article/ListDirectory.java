package io.github.hotpath.examples.article;

import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.WrongArgumentException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The mail's experiment: the time to list a directory, names alone and in each way with the attributes.
 *
 * <pre>ListDirectory [--files N] [--dir DIR]</pre>
 *
 * <p>It creates a directory of {@code N} empty files, by default 9000, in {@code DIR} or in the directory for
 * temporary files, lists it in each {@link Listing way} in turn, round by round, and ends with a table of medians. The
 * files are deleted at the end.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if an argument was wrong and nothing has been done.
 */
public final class ListDirectory {
    private static final String USAGE = "[--files N] [--dir DIR]";
    private static final int DEFAULT_FILES = 9000;
    private static final int MOST_FILES = 1_000_000;
    private static final int WARM_UP_ROUNDS = 10;
    private static final int ROUNDS = 21;

    private ListDirectory() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(Path.of(System.getProperty("java.io.tmpdir")), System.out, System.err, args));
    }

    /**
     * Runs the program with {@code args}, creates temporary directories in {@code base}, and returns the exit status.
     */
    static int run(Path base, PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("ListDirectory", USAGE, err).run(() -> run(commandLine(args), base, out));
    }

    private static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(Set.of("--files", "--dir"), args);
        if (!line.words().isEmpty()) {
            throw WrongArgumentException.ofWord(line.words().get(0), "no such option");
        }
        return line;
    }

    private static void run(CommandLine line, Path base, PrintStream out) throws IOException {
        int files = line.number("--files", MOST_FILES, DEFAULT_FILES);
        try (WorkDirectory named = WorkDirectory.open(line.path("--dir").or(() -> Optional.of(base)), base);
                WorkDirectory own = WorkDirectory.open(Optional.empty(), named.path())) {
            out.println("making " + files + " files");
            makeFiles(own.path(), files);
            measured(own.path(), files, out).lines().forEach(out::println);
            out.println(whatCanBeGained(System.getProperty("os.name")));
        }
    }

    private static void makeFiles(Path dir, int files) throws IOException {
        for (int i = 0; i < files; i++) {
            Files.createFile(dir.resolve("file" + i));
        }
    }

    private static Table measured(Path dir, int files, PrintStream out) throws IOException {
        Map<Listing, List<Long>> nanos = new EnumMap<>(Listing.class);
        for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
            boolean counts = round >= WARM_UP_ROUNDS;
            out.println((counts ? "round " + (round - WARM_UP_ROUNDS + 1) : "warming up"));
            for (Listing listing : Listing.values()) {
                long start = System.nanoTime();
                long counted = listing.count(dir);
                long spent = System.nanoTime() - start;
                check(listing, files, counted);
                if (counts) {
                    nanos.computeIfAbsent(listing, any -> new ArrayList<>()).add(spent);
                }
            }
        }
        return table(nanos);
    }

    private static void check(Listing listing, int files, long counted) throws IOException {
        if (counted != files) {
            throw new IOException(listing + ": listed " + counted + " of " + files + " files");
        }
    }

    /** Returns the medians of {@code nanos} beside the mail's figures. */
    static Table table(Map<Listing, List<Long>> nanos) {
        Table table = new Table("way", "median", "mail: a user's Windows", "mail: Solaris", "mail: NTFS");
        nanos.forEach((listing, times) -> {
            List<String> cells = new ArrayList<>(List.of(listing.toString(), millis(median(times))));
            listing.inMail().forEach(time -> cells.add(time.equals("-") ? time : time + " ms"));
            table.add(cells);
        });
        return table;
    }

    private static long median(List<Long> times) {
        long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    /** Describes what the tree walk, and with it Dirs.entries, costs on the system of that name. */
    static String whatCanBeGained(String osName) {
        return osName.startsWith("Windows")
                ? "Windows delivers the attributes with the directory: the walk and Dirs.entries need not read them again."
                : osName
                        + " delivers names alone: every way asks for each file's attributes once, and none can gain much.";
    }
}
