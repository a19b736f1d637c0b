package io.github.hotpath.examples.stream;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A JVM of its own for a program that Maven's exec:java has loaded into Maven's: in its threads, Flink looks for
 * classes where the JVM has them, and not where Maven does.
 */
final class OwnJvm {
    private OwnJvm() {}

    static boolean isNeeded() {
        return OwnJvm.class.getClassLoader() != ClassLoader.getSystemClassLoader();
    }

    /** Runs the program and returns its exit status. */
    static int run(Class<?> program, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath((URLClassLoader) OwnJvm.class.getClassLoader()),
                program.getName()));
        command.addAll(Arrays.asList(args));
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    private static String classPath(URLClassLoader loader) {
        return Arrays.stream(loader.getURLs()).map(OwnJvm::file).collect(Collectors.joining(File.pathSeparator));
    }

    private static String file(URL url) {
        return Path.of(URI.create(url.toString())).toString();
    }
}
