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

/** A JVM of its own for a program among the tests of this package, which may use the package and the JDK alone. */
final class ChildJvm {
    static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private final Path temp;
    private final Path classes;

    /** Copies the classes to where everybody can read them, if everybody can get at {@code temp}. */
    ChildJvm(Path temp) throws IOException {
        this.temp = temp;
        this.classes = temp.resolve("classes");
        Path copies = Files.createDirectories(
                classes.resolve(ChildJvm.class.getPackageName().replace('.', '/')));
        for (Class<?> neighbour : List.of(Dirs.class, ChildJvm.class)) {
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

    /** Runs the program's main method to its end, and returns the lines that it printed. */
    List<String> run(Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        return runAs(List.of(), program, options, arguments);
    }

    /** The same with a command in front that changes the user. */
    List<String> runAs(List<String> user, Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(user);
        Collections.addAll(command, JAVA.toString(), "-cp", classes.toString());
        command.addAll(options);
        command.add(program.getName());
        Collections.addAll(command, arguments);
        return execute(command);
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
            if (!process.waitFor(60, SECONDS) || process.exitValue() != 0) {
                throw new IOException(command + " failed: " + Files.readString(err.toPath()));
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(out.toPath());
    }
}
