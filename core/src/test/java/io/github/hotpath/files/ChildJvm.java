package io.github.hotpath.files;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** JVMs of their own for programs among the tests, which may use some directories of classes and the JDK alone. */
public final class ChildJvm {
    static final Path JAVA = javaIn(Path.of(System.getProperty("java.home")));

    private final Path temp;
    private final Path classes;

    /**
     * Copies all classes beside each of {@code neighbours}, of main or of the tests, to where every user can read them
     * who can read {@code temp}.
     */
    public ChildJvm(Path temp, Class<?>... neighbours) throws IOException {
        this.temp = temp;
        this.classes = temp.resolve("classes");
        for (Class<?> neighbour : neighbours) {
            Path copies = Files.createDirectories(
                    classes.resolve(neighbour.getPackageName().replace('.', '/')));
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directoryOf(neighbour), "*.class")) {
                for (Path file : files) {
                    Files.copy(file, copies.resolve(file.getFileName()));
                }
            }
        }
    }

    /** Returns the directory that the class was loaded from. */
    private static Path directoryOf(Class<?> type) {
        URL file = type.getResource(type.getSimpleName() + ".class");
        try {
            return Path.of(new URI(String.valueOf(file))).getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the program java of the JDK {@code feature}: of this one, or of one that is installed beside it. */
    public static Optional<Path> java(int feature) throws IOException {
        if (Runtime.version().feature() == feature) {
            return Optional.of(JAVA);
        }
        Pattern version = Pattern.compile("(?m)^JAVA_VERSION=\"" + feature + "\\b");
        Path home = Path.of(System.getProperty("java.home")).toRealPath();
        try (DirectoryStream<Path> beside = Files.newDirectoryStream(home.resolveSibling(""))) {
            for (Path other : beside) {
                Path release = other.resolve("release");
                if (Files.isReadable(release)
                        && Files.isExecutable(javaIn(other))
                        && version.matcher(Files.readString(release)).find()) {
                    return Optional.of(javaIn(other));
                }
            }
        }
        return Optional.empty();
    }

    private static Path javaIn(Path home) {
        return home.resolve("bin").resolve("java");
    }

    /** Runs the program's main method to its end, and returns the lines that it printed. */
    List<String> run(Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        return runOn(JAVA, program, options, arguments);
    }

    /** The same with the {@code java} of another JDK. */
    public List<String> runOn(Path java, Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        return execute(command(java, program, options, arguments));
    }

    /** The same with a command in front that changes the user. */
    List<String> runAs(List<String> user, Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(user);
        command.addAll(command(JAVA, program, options, arguments));
        return execute(command);
    }

    private List<String> command(Path java, Class<?> program, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java.toString(), "-cp", classes.toString()));
        command.addAll(options);
        command.add(program.getName());
        Collections.addAll(command, arguments);
        return command;
    }

    List<String> execute(List<String> command) throws IOException, InterruptedException {
        File out = temp.resolve("out").toFile();
        File err = temp.resolve("err").toFile();
        Process process = new ProcessBuilder(command)
                .directory(temp.toFile())
                .redirectOutput(out)
                .redirectError(err)
                .start();
        try {
            if (!process.waitFor(60, SECONDS)) {
                throw new IOException(command + " did not end: " + Files.readString(err.toPath()));
            }
            if (process.exitValue() != 0) {
                throw new IOException(
                        command + " failed with " + process.exitValue() + ": " + Files.readString(err.toPath()));
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(out.toPath());
    }
}
