package io.github.hotpath.examples.recipes;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.MoreFiles;
import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Shows a writer of many files into a sharded tree, beside one that calls {@code createDirectories} before each file,
 * while a cleaner deletes every shard that it finds empty.
 *
 * <pre>WriteShards [DIR]</pre>
 *
 * <p>The tree is created in {@code DIR}, or in the directory for temporary files, and deleted at the end. The
 * difference is a failed {@code mkdir} and its exception, the same few microseconds everywhere: much where writing a
 * file takes as long, as in memory (try {@code /dev/shm}), and little where it takes a hundred.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if the argument was wrong.
 */
public final class WriteShards {
    private static final int FILES = 3000;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int ROUNDS = 9;

    private WriteShards() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(FILES, Path.of(System.getProperty("java.io.tmpdir")), System.out, System.err, args));
    }

    /** Does what {@code args} say, in {@code base} if they name no directory, and returns the exit status. */
    static int run(int files, Path base, PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("WriteShards", "[DIR]", err)
                .run(() -> show(files, Argument.of(args).directory().orElse(base), out));
    }

    private static void show(int files, Path base, PrintStream out) throws IOException, InterruptedException {
        out.println("choosing " + files + " files");
        Map<Way, List<Long>> nanos = new EnumMap<>(Way.class);
        Path temporary = Files.createTempDirectory(base, "hotpath-");
        try (ShardWriters writers = new ShardWriters(contents(files), out)) {
            for (int round = 1; round <= WARM_UP_ROUNDS + ROUNDS; round++) {
                for (Way way : Way.values()) {
                    Path root = Files.createDirectory(temporary.resolve("tree"));
                    long spent = writers.write(way.tree(root), "round " + round + ", " + way);
                    if (round > WARM_UP_ROUNDS) {
                        nanos.computeIfAbsent(way, any -> new ArrayList<>()).add(spent);
                    }
                    MoreFiles.deleteRecursively(root, ALLOW_INSECURE); // no other process uses it
                }
            }
            out.println("empty directories deleted meanwhile: " + writers.deleted());
        } finally {
            MoreFiles.deleteRecursively(temporary, ALLOW_INSECURE);
        }
        summary(files, nanos).forEach(out::println);
    }

    /**
     * Returns files that all are in the same 256th of a tree: 3000 of them are 12 to a shard, as in a tree of 768,000.
     */
    private static List<byte[]> contents(int files) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> ("file " + i).getBytes(UTF_8))
                .filter(content -> ShardedTree.name(content).matches("0.0.*"))
                .limit(files)
                .toList();
    }

    /** Returns the medians of {@code nanos}, and how many times as fast the first way is as the second. */
    static List<String> summary(int files, Map<Way, List<Long>> nanos) {
        List<String> lines = new ArrayList<>();
        nanos.forEach((way, times) ->
                lines.add(String.format(Locale.ROOT, "%s: %.1f us a file", way, median(times) / 1000.0 / files)));
        double ratio = (double) median(nanos.get(Way.CREATE_FIRST)) / median(nanos.get(Way.WITH_PARENT));
        lines.add(String.format(Locale.ROOT, "%s is %.2f times as fast", Way.WITH_PARENT, ratio));
        return lines;
    }

    private static long median(List<Long> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }

    /** A way to write a file whose directory may be missing. */
    enum Way {
        WITH_PARENT("Dirs.withParent", ShardedTree::new),
        CREATE_FIRST("createDirectories first", CreateFirstTree::new);

        private final String title;
        private final Function<Path, ShardedTree> tree;

        Way(String title, Function<Path, ShardedTree> tree) {
            this.title = title;
            this.tree = tree;
        }

        ShardedTree tree(Path root) {
            return tree.apply(root);
        }

        @Override
        public String toString() {
            return title;
        }
    }
}
