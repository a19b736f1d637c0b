package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.support.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures all that the pages about performance say, on one JDK or several, and writes raw results, tables and pictures
 * into the pages.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am -Dexec.args='--jdk HOME --jdk HOME'</pre>
 *
 * <p>A JDK takes some 30 minutes, and with {@code --short} five, which is enough to see what is large and what is small.
 * With {@code jmh} first, the other arguments are JMH's own, which {@code -h} prints.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if an argument was wrong and nothing has been done.
 */
@Command(name = "Benchmarks", sortOptions = false)
final class Benchmarks implements Callable<Integer> {
    private static final String JMH = "jmh";

    private final PrintStream out;

    @Spec
    private CommandSpec spec;

    @Option(names = "--jdk", paramLabel = "HOME", description = "a JDK to measure; default: that of this program")
    private List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));

    @Option(names = "--part", paramLabel = "NAME", description = "measure this part alone, named as its results are")
    private Set<String> names = new LinkedHashSet<>();

    @Option(names = "--short", description = "measure less")
    private boolean isBrief;

    @Option(names = "--pages", description = "measure nothing: write tables and pictures of the results that there are")
    private boolean isPagesAlone;

    @Option(names = "--to", paramLabel = "DIR", description = "the pages' directory; default: ${DEFAULT-VALUE}")
    private Path dir = Path.of("docs", "performance");

    @Option(names = "--help", usageHelp = true, description = "print this")
    private boolean isHelp;

    private Benchmarks(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("java.class.path", ChildJvm.classPath()); // JMH's forks get it
        System.setProperty("java.awt.headless", "true");
        if (args.length > 0 && args[0].equals(JMH)) {
            Main.main(List.of(args).subList(1, args.length).toArray(String[]::new));
            return;
        }
        int status = run(System.out, System.err, args);
        if (status != 0) { // Maven's exec:java runs this in Maven's own JVM, which continues after a success
            System.exit(status);
        }
    }

    /** Does what {@code args} say and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) {
        return new CommandLine(new Benchmarks(out))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler((e, arguments) -> {
                    err.println("Benchmarks: " + e.getMessage() + "; --help lists all arguments");
                    return 2;
                })
                .execute(args);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean succeeded = true;
        if (!isPagesAlone) {
            List<Jdk> jdks = new ArrayList<>();
            for (Path home : homes) {
                jdks.add(jdk(home));
            }
            Suite suite = new Suite(isBrief, out);
            for (String name : names) {
                reject(!suite.names().contains(name), "--part " + name + ": expected one of " + suite.names());
            }
            succeeded = suite.run(dir.resolve(Results.RAW), jdks, names);
        }
        Pages.write(dir);
        Targets.missed(dir.resolve(Results.RAW)).forEach(line -> out.println("missed: " + line));
        return succeeded ? 0 : 1;
    }

    private Jdk jdk(Path home) {
        try {
            return Jdk.of(home);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "--jdk " + home + ": no JDK: " + e);
        }
    }

    private void reject(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
