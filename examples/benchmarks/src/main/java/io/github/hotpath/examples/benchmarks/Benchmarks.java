package io.github.hotpath.examples.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jmh.Main;

/**
 * Runs all benchmarks and writes what they found, as JSON, into a directory.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am -Dexec.args='[--short] [--part NAME] [--add] [--to DIR]'</pre>
 *
 * <p>This takes less than an hour, or less than five minutes with {@code --short}, which is enough to see what is
 * large and what is small. The directory is {@code target/benchmarks} unless said otherwise. A part is named as
 * its results are, such as {@code limiter}; only they are written then. {@code --add} adds the forks to
 * those that the directory has, where forks disagree. Other arguments are JMH's own, which {@code -h} prints, and
 * choose some benchmarks:
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am -Dexec.args='RecordBenchmark -prof gc'</pre>
 *
 * <p>{@code crowd}, as the first of the arguments, measures many threads instead: see {@link CrowdCommand}; {@code
 * waiting}, threads that wait for permits: see {@link WaitingCommand}.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if an argument was wrong and nothing has been done.
 */
final class Benchmarks {
    private static final String USAGE = "[--short] [--part NAME] [--add] [--to DIR], or JMH's own arguments";

    private Benchmarks() {}

    public static void main(String[] args) throws IOException {
        handDownClassPath();
        int status = run(System.out, System.err, args);
        if (status != 0) { // Maven's exec:java runs this in Maven's own JVM, which goes on after a success
            System.exit(status);
        }
    }

    /** Does what {@code args} say and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws IOException {
        List<String> words = List.of(args);
        if (!words.isEmpty() && words.get(0).equals(CrowdCommand.NAME)) {
            return CrowdCommand.run(out, err, words);
        }
        if (words.equals(List.of(WaitingCommand.NAME))) {
            return WaitingCommand.run(out);
        }
        boolean brief = words.contains("--short");
        boolean adds = words.contains("--add");
        int part = words.indexOf("--part");
        int to = words.indexOf("--to");
        int understood = (brief ? 1 : 0) + (adds ? 1 : 0) + (part < 0 ? 0 : 2) + (to < 0 ? 0 : 2);
        if (understood == 0 && !words.isEmpty()) {
            Main.main(args);
            return 0;
        }
        int last = words.size() - 1;
        List<Part> parts = part < 0 || part == last ? List.of() : parts(brief, out, words.get(part + 1));
        if (understood != words.size() || to == last && to >= 0 || part >= 0 && parts.isEmpty()) {
            err.println("Benchmarks: " + String.join(" ", args) + ": not understood; usage: Benchmarks " + USAGE);
            return 2;
        }
        Path dir = Path.of(to < 0 ? "target/benchmarks" : words.get(to + 1));
        Suite suite = new Suite(brief, adds, out);
        return (part < 0 ? suite.run(dir) : suite.run(dir, parts)) ? 0 : 1;
    }

    private static List<Part> parts(boolean brief, PrintStream out, String name) {
        return new Parts(brief, out)
                .list().stream().filter(part -> part.name().equals(name)).toList();
    }

    /** JMH's forks get {@code java.class.path}, which is Maven's own when the program runs inside Maven. */
    private static void handDownClassPath() {
        if (Benchmarks.class.getClassLoader() instanceof URLClassLoader loader) {
            System.setProperty(
                    "java.class.path",
                    Arrays.stream(loader.getURLs())
                            .map(Benchmarks::file)
                            .collect(Collectors.joining(File.pathSeparator)));
        }
    }

    private static String file(URL url) {
        return Path.of(URI.create(url.toString())).toString();
    }
}
