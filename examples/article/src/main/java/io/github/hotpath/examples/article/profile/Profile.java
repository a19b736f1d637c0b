package io.github.hotpath.examples.article.profile;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

import com.google.common.base.Strings;
import com.google.common.io.MoreFiles;
import io.github.hotpath.examples.article.CountEvents;
import io.github.hotpath.examples.article.Stage;
import io.github.hotpath.examples.support.ChildJvm;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import one.convert.FlameGraph;

/**
 * A tool that shows where the time of each {@link Stage} of the article's program is spent, on Linux and macOS. Each runs
 * in a JVM of its own under async-profiler. It prints the shares of the samples in the loop, and the exceptions and
 * system calls of a turn, and writes the stacks, flame graphs and the differences of each stage to the next.
 */
public final class Profile {
    private static final Pattern KERNEL_FRAME = Pattern.compile("_\\[k]");

    private final AsyncProfiler profiler;
    private final int turns;
    private final Path out;
    private final PrintStream print;

    /** Takes the turns of each stage, and the directory of what is written. */
    Profile(AsyncProfiler profiler, int turns, Path out, PrintStream print) {
        this.profiler = profiler;
        this.turns = turns;
        this.out = out;
        this.print = print;
    }

    /** Takes a directory, by default {@code target/profile}. */
    public static void main(String... args) throws IOException, InterruptedException {
        Path out = Path.of(args.length > 0 ? args[0] : "target/profile");
        String system = System.getProperty("os.name");
        AsyncProfiler profiler = AsyncProfiler.on(system, System.getProperty("os.arch"))
                .orElseThrow(() -> new IOException("async-profiler has no library for " + system));
        new Profile(profiler, 10 * CountEvents.TURNS, out, System.out)
                .run(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** Runs all stages in a temporary directory in {@code base}. */
    void run(Path base) throws IOException, InterruptedException {
        Dirs.ensure(out);
        print.printf(Locale.ROOT, "%,d turns of each stage; shares are those of the samples in the loop%n", turns);
        print.printf("%-8s", "stage");
        List.of(Part.values()).forEach(part -> print.print("  " + part));
        print.println("  in each turn");
        Path dir = Files.createTempDirectory(base, "hotpath-").toAbsolutePath();
        try {
            Dirs.ensure(dir.resolve("a").resolve("b")); // as in the article: nothing is ever created
            profile(dir);
        } finally {
            MoreFiles.deleteRecursively(dir, ALLOW_INSECURE); // a directory of our own
        }
        print.println("The flame graphs are in " + out.toAbsolutePath());
    }

    private void profile(Path dir) throws IOException, InterruptedException {
        List<CollapsedStacks> profiles = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            CollapsedStacks stacks = sample(stage, dir);
            profiles.add(stacks);
            Files.write(out.resolve(stage + ".collapsed"), stacks.lines());
            write(stage + ".html", stacks.flameGraph(stage.toString()));
            print.println(row(stage, stacks) + "  " + count(() -> Turns.exceptions(stage, dir)) + " exceptions, "
                    + count(() -> Turns.systemCalls(stage, dir)));
        }
        for (int i = 1; i < profiles.size(); i++) {
            writeStep(Stage.values()[i - 1], profiles.get(i - 1), Stage.values()[i], profiles.get(i));
        }
        if (profiles.stream().allMatch(stacks -> stacks.count(KERNEL_FRAME) == 0)) {
            print.println("No kernel frames: the profiler or the system does not show them to this user.");
        }
    }

    /** Returns the samples of a run of {@code stage}, at least one of them in the loop. */
    private CollapsedStacks sample(Stage stage, Path dir) throws IOException, InterruptedException {
        Path results = Files.createTempDirectory(dir, "samples-"); // nothing of an earlier stage is in it
        ChildJvm.run(ChildJvm.command(profiler.options(results), CountEvents.class, stage, dir, turns), line -> {});
        CollapsedStacks stacks = profiler.stacks(results);
        if (Part.LOOP.samples(stacks) == 0) {
            throw new IOException("no sample of the loop of " + stage);
        }
        return stacks;
    }

    /** Returns the stage, the number of its samples, and their shares. */
    static String row(Stage stage, CollapsedStacks stacks) {
        StringBuilder row =
                new StringBuilder(String.format(Locale.ROOT, "%-8s  %7d", stage, Part.LOOP.samples(stacks)));
        for (Part part : EnumSet.complementOf(EnumSet.of(Part.LOOP))) {
            String share = String.format(Locale.ROOT, "%.1f%%", 100 * part.share(stacks));
            row.append("  ").append(Strings.padStart(share, part.toString().length(), ' '));
        }
        return row.toString();
    }

    /** Writes two graphs, because each has the frames of one side only: those that are gone, and new ones. */
    private void writeStep(Stage before, CollapsedStacks stacks, Stage after, CollapsedStacks stacksAfter)
            throws IOException {
        String step = before + "-to-" + after;
        write(step + "-gone.html", stacks.difference(before + " compared with " + after, stacksAfter));
        write(step + "-new.html", stacksAfter.difference(after + " compared with " + before, stacks));
    }

    private void write(String name, FlameGraph graph) throws IOException {
        try (OutputStream file = Files.newOutputStream(out.resolve(name))) {
            graph.dump(file);
        }
    }

    /** Returns what {@code counter} counts, or why it cannot. */
    private static String count(Callable<String> counter) throws InterruptedException {
        try {
            return counter.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return "not available: " + e.getMessage().lines().findFirst().orElse("");
        }
    }
}
