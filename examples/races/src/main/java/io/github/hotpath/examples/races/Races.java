package io.github.hotpath.examples.races;

import io.github.hotpath.examples.support.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.Main;

/**
 * Runs the tests of races with jcstress, in JVMs of its own.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/races -am [-Dexec.args='...']</pre>
 *
 * <p>Without arguments this takes less than a minute. The arguments are jcstress's own, which {@code -h} prints:
 * {@code -m quick} takes longer and tries all compilers, {@code -t NAME} chooses tests. The results are in
 * {@code target/races}.
 *
 * <p>The exit status is 0, or 1 if there was an outcome that is forbidden.
 *
 * <p>A module of its own, and not a source folder of core: so the code that jcstress generates, and its JVMs, are no
 * part of core's tests.
 */
final class Races {
    private static final Path RESULTS = Path.of("target", "races");

    /** Each test in one JVM, with its default compilers, for half a second. */
    private static final List<String> BRIEF =
            List.of("-f", "1", "-iters", "1", "-time", "500", "-sc", "false", "-jvmArgs", "-Xmx256m");

    private Races() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        List<Object> arguments = new ArrayList<>(List.of("-r", "report"));
        arguments.addAll(args.length == 0 ? BRIEF : List.of(args));
        List<String> command = ChildJvm.command(List.of(), Main.class, arguments.toArray());
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
}
