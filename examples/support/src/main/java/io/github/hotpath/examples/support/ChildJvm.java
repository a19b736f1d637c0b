package io.github.hotpath.examples.support;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program in a JVM of its own, with the class path of this one: it is told lines and answers with lines. It is killed
 * when this JVM ends, at the latest. Its standard error is that of this JVM. For one thread at a time.
 */
public final class ChildJvm implements AutoCloseable {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    /** Follows the last line: only the identity of this object counts. */
    @SuppressWarnings("StringOperationCanBeSimplified")
    private static final String END = new String("end");

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        RUNNING.add(process);
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "output of process " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Returns the command that runs {@code main} with the options of the JVM and the arguments of the program, and with
     * the temporary directory of this JVM.
     */
    public static List<String> command(List<String> options, Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        return command;
    }

    /** Returns the class path of this program: inside Maven, the property is that of Maven. */
    public static String classPath() {
        return ChildJvm.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(url -> Path.of(URI.create(url.toString())).toString())
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    /** Starts {@code command}, usually one of {@link #command}, perhaps with words in front of it. */
    public static ChildJvm start(List<String> command) throws IOException {
        return new ChildJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /**
     * Runs {@code command} to its end, passes each line that it prints, also to its standard error, to {@code eachLine}
     * at once, and returns all of them.
     *
     * @throws IOException if it does not start, or ends with another status than 0
     */
    public static String run(List<String> command, Consumer<String> eachLine) throws IOException, InterruptedException {
        try (ChildJvm child = new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start())) {
            List<String> printed = new ArrayList<>();
            for (String line = child.answers.take(); line != END; line = child.answers.take()) {
                printed.add(line);
                eachLine.accept(line);
            }
            int status = child.process.waitFor();
            if (status != 0) {
                throw new IOException(
                        String.join(" ", command) + ": exit status " + status + "\n" + String.join("\n", printed));
            }
            return String.join("\n", printed);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // It was killed.
        }
        answers.add(END);
    }

    /** Writes a line to the program's standard input; nothing if it has ended. */
    public void tell(String line) {
        commands.println(line);
    }

    /**
     * Returns the next line of the program's standard output.
     *
     * @throws IOException if the program has ended, or printed nothing for so long
     */
    public String answer(Duration timeout) throws IOException, InterruptedException {
        String answer = answers.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (answer == null) {
            throw new IOException("process " + process.pid() + ": no answer within " + timeout);
        }
        if (answer == END) {
            answers.add(END);
            throw new IOException("process " + process.pid() + " has ended");
        }
        return answer;
    }

    /** Kills the program, as {@code kill -9} does, and waits until it has ended. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        RUNNING.remove(process);
    }
}
