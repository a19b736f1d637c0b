package io.github.hotpath.examples.recipes;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A {@link KeepLimits} that serves in a process of its own, until it is killed, or this JVM ends. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final PrintStream lines;
    private final BufferedReader answers;
    private final URI uri;

    ServerProcess(Path file) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(),
                        KeepLimits.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        lines = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
        uri = URI.create(answer());
    }

    /** Inside Maven, java.class.path is Maven's own. */
    private static String classPath() {
        if (ServerProcess.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs())
                    .map(ServerProcess::file)
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    private static String file(URL url) {
        return Path.of(URI.create(url.toString())).toString();
    }

    private String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            close();
            throw new EOFException("the server has ended");
        }
        return answer;
    }

    URI uri() {
        return uri;
    }

    /** Returns when the server has written its file. */
    void save() throws IOException {
        lines.println("save");
        answer();
    }

    /** Kills it, as {@code kill -9} does. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
