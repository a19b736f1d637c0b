package io.github.hotpath.examples.article.profile;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;

import com.google.common.base.Strings;
import com.google.common.io.MoreFiles;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import one.convert.FlameGraph;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A tool that shows by profilers where the time of each {@link Stage} of the article's program is spent. */
@Command(
        name = "Profile",
        sortOptions = false,
        description = {
            "Runs each stage in a JVM of its own under async-profiler, or under Flight Recorder where that is not"
                    + " available. Prints the shares of the samples in the loop, and the exceptions and system calls"
                    + " of a turn. Writes flame graphs, the differences of each stage to the next, and the stacks."
        })
public final class Profile implements Callable<Integer> {
    private static final Pattern KERNEL_FRAME = Pattern.compile("_\\[k]");

    @Option(names = "--seconds", defaultValue = "5", description = "of each stage (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--jfr", description = "use Flight Recorder in any case")
    private boolean isFlightRecorder;

    @Option(names = "--out", defaultValue = "target/profile", description = "a directory (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--help", usageHelp = true, description = "show this")
    private boolean isHelp;

    @Spec
    private CommandSpec spec;

    private final Path base;
    private final PrintStream print;

    /** Creates a program that creates a temporary directory in {@code base} and prints to {@code print}. */
    Profile(Path base, PrintStream print) {
        this.base = base;
        this.print = print;
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String... args) {
        int status =
                new CommandLine(new Profile(Path.of(System.getProperty("java.io.tmpdir")), System.out)).execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds: " + seconds + " (expected: at least 1)");
        }
        Dirs.ensure(out);
        Optional<AsyncProfiler> async = AsyncProfiler.on(System.getProperty("os.name"), System.getProperty("os.arch"));
        Profiler profiler = async.isPresent() && !isFlightRecorder ? async.get() : new FlightRecorder();
        print.println(profiler + ", " + seconds + " s for each stage; shares are those of the samples in the loop");
        print.printf("%-8s", "stage");
        List.of(Part.values()).forEach(part -> print.print("  " + part));
        print.println("  in each turn");

        Path dir = Files.createTempDirectory(base, "hotpath-").toAbsolutePath();
        try {
            Dirs.ensure(dir.resolve("a").resolve("b")); // as in the article: nothing is ever created
            profile(profiler, dir);
        } finally {
            MoreFiles.deleteRecursively(dir, ALLOW_INSECURE); // a directory of our own
        }
        print.println("The flame graphs are in " + out.toAbsolutePath());
        return 0;
    }

    private void profile(Profiler profiler, Path dir) throws IOException, InterruptedException {
        List<CollapsedStacks> profiles = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            CollapsedStacks stacks = sample(profiler, stage, dir, seconds);
            profiles.add(stacks);
            Files.write(out.resolve(stage + ".collapsed"), stacks.lines());
            write(stage + ".html", stacks.flameGraph(stage.toString()));
            print.println(row(profiler, stage, stacks) + "  " + count(() -> Turns.exceptions(stage, dir))
                    + " exceptions, " + count(() -> Turns.systemCalls(stage, dir)));
        }
        for (int i = 1; i < profiles.size(); i++) {
            writeStep(Stage.values()[i - 1], profiles.get(i - 1), Stage.values()[i], profiles.get(i));
        }
        if (profiles.stream().allMatch(stacks -> stacks.count(KERNEL_FRAME) == 0)) {
            print.println("No kernel frames: the profiler or the system does not show them to this user.");
        }
    }

    /** Returns the samples of a run of {@code stage} of its own, at least one of them in the loop. */
    static CollapsedStacks sample(Profiler profiler, Stage stage, Path dir, int seconds)
            throws IOException, InterruptedException {
        Path results = Files.createTempDirectory(dir, "samples-"); // nothing of an earlier stage is in it
        List<String> options = profiler.options(results);
        ChildJvm.run(ChildJvm.command(options, RepeatedStage.class, stage, dir, seconds), line -> {});
        CollapsedStacks stacks = profiler.stacks(results);
        if (Part.LOOP.samples(stacks) == 0) {
            throw new IOException(profiler + " took no sample of the loop of " + stage);
        }
        return stacks;
    }

    /** Returns the stage, the number of its samples, and their shares, with a dash for what is not sampled. */
    static String row(Profiler profiler, Stage stage, CollapsedStacks stacks) {
        StringBuilder row =
                new StringBuilder(String.format(Locale.ROOT, "%-8s  %7d", stage, Part.LOOP.samples(stacks)));
        for (Part part : EnumSet.complementOf(EnumSet.of(Part.LOOP))) {
            String share = part.isException() && profiler.isBlindToExceptions()
                    ? "-"
                    : String.format(Locale.ROOT, "%.1f%%", 100 * part.share(stacks));
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
