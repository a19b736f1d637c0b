package io.github.hotpath.examples.article;

import io.github.hotpath.examples.Program;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The article's story, told by profilers: where the time of each {@link Stage} of {@link CountEvents} is spent.
 *
 * <pre>Profile [--seconds N] [--jfr] [--out DIR]</pre>
 *
 * <p>Runs each stage for {@code N} seconds, by default 5, in a JVM of its own under async-profiler, or under Flight
 * Recorder where that is not available, or with {@code --jfr}. Then it counts the exceptions and the system calls of a
 * turn. It writes flame graphs, the differences of each stage to the next, the stacks, and an {@code index.html} with
 * links to them, to {@code DIR} or {@code target/profile}, and prints a table of shares. A line reports what was not
 * available, and why.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if an argument was wrong and nothing has been done.
 */
public final class Profile {
    private final ProfileArguments arguments;
    private final PrintStream out;

    /** What is not available, a line each, and each once. */
    private final Set<String> remarks = new LinkedHashSet<>();

    private Profile(ProfileArguments arguments, PrintStream out) {
        this.arguments = arguments;
        this.out = out;
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(Path.of(System.getProperty("java.io.tmpdir")), System.out, System.err, args));
    }

    /**
     * Runs the program with {@code args}, creates temporary directories in {@code base}, and returns the exit status.
     */
    static int run(Path base, PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("Profile", ProfileArguments.USAGE, err)
                .run(() -> new Profile(ProfileArguments.parse(args), out).run(base, err));
    }

    private void run(Path base, PrintStream err) throws IOException, InterruptedException {
        Path folder = WorkDirectory.made("--out", arguments.out());
        Profiler profiler = Profiler.choose(
                arguments.jfr(), System.getProperty("os.name"), System.getProperty("os.arch"), remarks::add);
        try (WorkDirectory work = WorkDirectory.open(Optional.empty(), base)) {
            Dirs.ensure(work.path().resolve("a").resolve("b")); // as in the article: nothing is ever created
            StageSampler sampler = new StageSampler(profiler, work.path(), arguments.seconds(), err);
            TurnCounter exceptions = new ExceptionCounter(work.path());
            TurnCounter systemCalls = new SystemCallCounter(work.path());

            Map<Stage, StageProfile> profiles = new EnumMap<>(Stage.class);
            for (Stage stage : Stage.values()) {
                out.println(stage + ": sampling under " + profiler + " for " + arguments.seconds() + " s");
                CollapsedStacks stacks = sampler.sample(stage);
                profiles.put(stage, new StageProfile(stacks, count(exceptions, stage), count(systemCalls, stage)));
            }
            report(folder, profiler, profiles);
        }
    }

    private String count(TurnCounter counter, Stage stage) throws InterruptedException {
        out.println(stage + ": counting " + counter);
        return counter.perTurn(stage, remarks::add);
    }

    private void report(Path folder, Profiler profiler, Map<Stage, StageProfile> profiles) throws IOException {
        profiler.remarks(profiles.values().stream().map(StageProfile::stacks).toList())
                .forEach(remarks::add);
        Table table = ShareTable.of(profiles, profiler.blindTo());
        IndexPage index = new IndexPage("CountEvents, profiled");
        index.paragraph(circumstances(profiler));
        index.table(table);
        index.paragraph(ShareTable.LEGEND);
        remarks.forEach(index::paragraph);
        Path written = new ProfileFolder(folder, profiles).write(index);

        out.println();
        table.lines().forEach(out::println);
        out.println();
        out.println(ShareTable.LEGEND);
        remarks.forEach(out::println);
        out.println("Open " + written.toUri());
    }

    private String circumstances(Profiler profiler) {
        return String.format(
                "%s, %d s per stage, in %s %s on %s %s with %d processors.",
                profiler,
                arguments.seconds(),
                System.getProperty("java.vm.name"),
                System.getProperty("java.runtime.version"),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors());
    }
}
