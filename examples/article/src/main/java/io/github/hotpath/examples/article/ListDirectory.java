package io.github.hotpath.examples.article;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

import com.google.common.io.MoreFiles;
import com.google.common.math.Quantiles;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Written after a mail: lists a directory of 9000 files, each of one byte, and adds up their sizes, in several ways. */
public final class ListDirectory {
    private static final int FILES = 9000;
    private static final int WARM_UP_ROUNDS = 10;
    private static final int ROUNDS = 21;

    private ListDirectory() {}

    static long names(Path dir) throws IOException {
        long files = 0; // as many as bytes
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path ignored : entries) {
                files++;
            }
        }
        return files;
    }

    static long oneByOne(Path dir) throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                bytes += Files.readAttributes(entry, BasicFileAttributes.class).size();
            }
        }
        return bytes;
    }

    static long walk(Path dir) throws IOException {
        long[] bytes = new long[1];
        Files.walkFileTree(dir, Set.of(), 1, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes[0] += attributes.size();
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes[0];
    }

    static long entries(Path dir) throws IOException {
        long bytes = 0;
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            bytes += entry.attributes().size();
        }
        return bytes;
    }

    /** A way to list a directory. */
    enum Way {
        NAMES("names alone", ListDirectory::names),
        ONE_BY_ONE("names, then attributes one by one", ListDirectory::oneByOne),
        WALK("tree walk of depth one", ListDirectory::walk),
        ENTRIES("Dirs.entries", ListDirectory::entries);

        private final String title;
        private final Dirs.PathOperation<Long> listing;

        Way(String title, Dirs.PathOperation<Long> listing) {
            this.title = title;
            this.listing = listing;
        }

        /** Returns the size of all files in {@code dir} together, or their number if this way has no attributes. */
        long list(Path dir) throws IOException {
            return listing.apply(dir);
        }
    }

    /** Lists the directory in each way, round by round, and prints the medians. */
    public static void main(String... args) throws IOException {
        run(Path.of(System.getProperty("java.io.tmpdir")), FILES, System.out);
    }

    static void run(Path base, int files, PrintStream out) throws IOException {
        Path dir = Files.createTempDirectory(base, "hotpath-");
        try {
            for (int i = 0; i < files; i++) {
                Files.write(dir.resolve("file" + i), new byte[1]);
            }
            Map<Way, List<Long>> nanos = new EnumMap<>(Way.class);
            for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
                for (Way way : Way.values()) {
                    long start = System.nanoTime();
                    long listed = way.list(dir);
                    long spent = System.nanoTime() - start;
                    if (listed != files) {
                        throw new IOException(way.title + ": " + listed + " of " + files + " files");
                    }
                    if (round >= WARM_UP_ROUNDS) {
                        nanos.computeIfAbsent(way, any -> new ArrayList<>()).add(spent);
                    }
                }
            }
            out.printf("%-35s%9s%n", files + " files", "median");
            nanos.forEach((way, times) -> {
                double median = Quantiles.median().compute(times) / 1e6;
                out.printf(Locale.ROOT, "%-35s%6.1f ms%n", way.title, median);
            });
        } finally {
            MoreFiles.deleteRecursively(dir, ALLOW_INSECURE); // a directory of our own
        }
    }
}
