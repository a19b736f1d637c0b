package io.github.hotpath.examples.races;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jcstress.Main;

/**
 * Runs the tests of races with jcstress, in JVMs of its own.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/races -am [-Dexec.args='...']</pre>
 *
 * <p>Without arguments this takes a minute. The arguments are jcstress's own, which {@code -h} prints: {@code -m quick}
 * takes longer and tries all compilers, {@code -t NAME} chooses tests. The results are in {@code target/races}.
 *
 * <p>The exit status is 0, or 1 if there was an outcome that is forbidden.
 *
 * <p>A module of its own, and not a source folder of core: so the code that jcstress generates, and its JVMs, are no
 * part of core's tests.
 */
final class Races {
    private static final Path RESULTS = Path.of("target", "races");

    /** Each test in one JVM, with its default compilers, for a second. */
    private static final List<String> BRIEF =
            List.of("-f", "1", "-iters", "2", "-time", "500", "-sc", "false", "-jvmArgs", "-Xmx256m");

    private Races() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath(), Main.class.getName(), "-r", "report"));
        command.addAll(args.length == 0 ? BRIEF : List.of(args));
        // In a JVM of its own, since it writes a file into the working directory.
        Process jcstress = new ProcessBuilder(command)
                .directory(Files.createDirectories(RESULTS).toFile())
                .inheritIO()
                .start();
        int status = jcstress.waitFor();
        if (status != 0) { // Maven's exec:java runs this in Maven's own JVM, which continues after a success
            System.exit(status);
        }
    }

    /** Returns the class path of this program: that of the JVM is Maven's own if the program runs inside Maven. */
    private static String classPath() {
        return Races.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs()).map(Races::file).collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    private static String file(URL url) {
        return Path.of(URI.create(url.toString())).toString();
    }
}
