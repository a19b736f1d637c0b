package io.github.hotpath.examples.article;

import static java.util.stream.Collectors.joining;

import io.github.hotpath.window.EventWindow;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A program in a JVM of its own, without classes loaded and code compiled for another one. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Returns the command that runs {@code main}, which may use this module and the library alone. */
    public static List<String> command(List<String> options, Class<?> main, Object... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        // Inside Maven, java.class.path is Maven's own.
        String classPath =
                Stream.of(main, EventWindow.class).map(ChildJvm::location).collect(joining(File.pathSeparator));
        command.addAll(List.of("-cp", classPath, main.getName()));
        Stream.of(args).map(Object::toString).forEach(command::add);
        return command;
    }

    private static String location(Class<?> type) {
        String url = type.getProtectionDomain().getCodeSource().getLocation().toString();
        return Path.of(URI.create(url)).toString();
    }

    /**
     * Runs {@code command} to its end, passes each line that it prints to {@code eachLine} at once, and returns them.
     *
     * @throws IOException if it does not start, or ends with another status than 0
     */
    public static String run(List<String> command, Consumer<String> eachLine) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String printed = process.inputReader().lines().peek(eachLine).collect(joining("\n"));
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(String.join(" ", command) + ": exit status " + status + "\n" + printed);
            }
            return printed;
        } finally {
            process.destroy();
        }
    }
}
