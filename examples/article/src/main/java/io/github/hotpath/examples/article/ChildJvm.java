package io.github.hotpath.examples.article;

import io.github.hotpath.window.EventWindow;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program of this package in a JVM of its own, without classes loaded and code compiled for another one. */
final class ChildJvm {
    private final List<String> command;

    /** Names the program by its {@code main} class, the JVM's {@code options}, and the program's {@code args}. */
    ChildJvm(List<String> options, Class<?> main, String... args) {
        command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(args));
    }

    private ChildJvm(List<String> command) {
        this.command = command;
    }

    /** Returns this, started by a program that takes a command to run after its own arguments. */
    ChildJvm under(String... launcher) {
        List<String> whole = new ArrayList<>(List.of(launcher));
        whole.addAll(command);
        return new ChildJvm(whole);
    }

    /**
     * Runs the program to its end, passes on each line that it prints at once, and returns its exit status.
     *
     * @throws IOException if it does not start
     */
    int run(Consumer<String> out, Consumer<String> err) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).start();
        try {
            Thread errors = new Thread(() -> process.errorReader().lines().forEach(err));
            errors.start(); // both streams are read at once, for the process stops when either is full
            process.inputReader().lines().forEach(out);
            errors.join();
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    /** Returns where the program and the library were loaded from: inside Maven, java.class.path is Maven's own. */
    private static String classPath() {
        return Stream.of(ChildJvm.class, EventWindow.class)
                .map(ChildJvm::location)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String location(Class<?> type) {
        String url = type.getProtectionDomain().getCodeSource().getLocation().toString();
        return Path.of(URI.create(url)).toString();
    }
}
