package io.github.hotpath.examples.benchmarks;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.openjdk.jmh.Main;

/**
 * Runs the benchmarks that its arguments choose, which are JMH's own: {@code -h} tells.
 *
 * <pre>mvn -q compile exec:java -pl examples/benchmarks -am -Dexec.args='RecordBenchmark -prof gc'</pre>
 */
final class Benchmarks {
    private Benchmarks() {}

    public static void main(String[] args) throws IOException {
        handDownClassPath();
        Main.main(args);
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
