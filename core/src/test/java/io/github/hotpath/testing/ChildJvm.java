package io.github.hotpath.testing;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.concurrent.TimeUnit.MINUTES;

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

/** JVMs of their own for programs among the tests, which may use some directories of classes and the JDK alone. */
public final class ChildJvm {
    public static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private final Path temp;
    private final Path classes;

    /**
     * Copies all classes beside each of {@code neighbours}, of main or of the tests, and those beside this one, to where
     * every user can read them who can read {@code temp}.
     */
    public ChildJvm(Path temp, Class<?>... neighbours) throws IOException {
        this.temp = temp;
        this.classes = temp.resolve("classes");
        copyBeside(ChildJvm.class);
        for (Class<?> neighbour : neighbours) {
            copyBeside(neighbour);
        }
    }

    private void copyBeside(Class<?> neighbour) throws IOException {
        Path copies = Files.createDirectories(
                classes.resolve(neighbour.getPackageName().replace('.', '/')));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directoryOf(neighbour), "*.class")) {
            for (Path file : files) {
                Files.copy(file, copies.resolve(file.getFileName()), REPLACE_EXISTING);
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

    /** Runs the program's main method to its end, and returns the lines that it printed. */
    public List<String> run(Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        return execute(command(program, options, arguments));
    }

    /** The same with a command in front that changes the user. */
    public List<String> runAs(List<String> user, Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(user);
        command.addAll(command(program, options, arguments));
        return execute(command);
    }

    private List<String> command(Class<?> program, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-cp", classes.toString()));
        command.addAll(options);
        command.add(program.getName());
        Collections.addAll(command, arguments);
        return command;
    }

    public List<String> execute(List<String> command) throws IOException, InterruptedException {
        File out = Files.createTempFile(temp, "out", "").toFile(); // not those of another JVM at the same time
        File err = Files.createTempFile(temp, "err", "").toFile();
        Process process = new ProcessBuilder(command)
                .directory(temp.toFile())
                .redirectOutput(out)
                .redirectError(err)
                .start();
        try {
            if (!process.waitFor(20, MINUTES)) { // for what hangs
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
