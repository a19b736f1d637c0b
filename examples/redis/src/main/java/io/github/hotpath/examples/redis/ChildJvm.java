package io.github.hotpath.examples.redis;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A JVM that runs a class of this example, and ends when its standard input does, so not later than this one. */
final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final OutputStream commands;
    private final BufferedReader answers;

    ChildJvm(Class<?> program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:+IgnoreUnrecognizedVMOptions", // JDK 17 does not support the next one
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                program.getName()));
        command.addAll(arguments);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = process.getOutputStream();
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Returns the class path of this program: Maven's exec:java has a class loader of its own. */
    private static String classPath() {
        return ChildJvm.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(url -> Path.of(URI.create(url.toString())).toString())
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    /** Waits for a line of its output. */
    void await(String line) throws IOException {
        String answer = answers.readLine();
        if (!line.equals(answer)) {
            throw new IOException("a process has ended, or said: " + answer);
        }
    }

    /** Sends a line to it. */
    void tell() throws IOException {
        commands.write('\n');
        commands.flush();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
