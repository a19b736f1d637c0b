package io.github.hotpath.examples.article;

import io.github.hotpath.window.EventWindow;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A way to run stages in JVMs of their own, so that none gains by what another has loaded and compiled. */
final class StageLauncher {
    private final Path dir;
    private final int turns;
    private final PrintStream out;
    private final PrintStream err;

    /** Makes a launcher of stages that work in {@code dir}, and whose output goes to {@code out} and {@code err}. */
    StageLauncher(Path dir, int turns, PrintStream out, PrintStream err) {
        this.dir = dir;
        this.turns = turns;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs {@code stage}, passes on each line that it prints as it comes, and returns its figures.
     *
     * @throws IOException if the JVM does not start, ends with another status than 0, or prints no figures
     */
    Figures run(Stage stage) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(stage)).start();
        try {
            List<String> lines = passOn(process);
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException("stage " + stage + " failed with exit status " + status);
            }
            return Figures.parse(lines).orElseThrow(() -> new IOException("stage " + stage + " printed no figures"));
        } finally {
            process.destroy();
        }
    }

    /** Passes on what {@code process} prints until it has ended, and returns the lines of its standard output. */
    private List<String> passOn(Process process) throws InterruptedException {
        Thread errors = new Thread(() -> process.errorReader().lines().forEach(err::println));
        errors.start(); // both streams are read at once, for the process stops when either is full
        List<String> lines = new ArrayList<>();
        process.inputReader().lines().forEach(line -> {
            out.println(line);
            lines.add(line);
        });
        errors.join();
        return lines;
    }

    private List<String> command(Stage stage) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(),
                CountEvents.class.getName(),
                stage.toString(),
                "--dir",
                dir.toAbsolutePath().toString(),
                "--turns",
                Integer.toString(turns));
    }

    /** Returns where the program and the library were loaded from: inside Maven, java.class.path is Maven's own. */
    private static String classPath() {
        return Stream.of(CountEvents.class, EventWindow.class)
                .map(StageLauncher::location)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String location(Class<?> type) {
        String url = type.getProtectionDomain().getCodeSource().getLocation().toString();
        return Path.of(URI.create(url)).toString();
    }
}
