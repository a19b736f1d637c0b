package io.github.hotpath.examples.fleet;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A {@link MemberProgram} in a process of its own, which is killed when this JVM ends, at the latest. */
final class MemberProcess implements AutoCloseable {
    private static final long ANSWER_SECONDS = 60;
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /**
     * How a member is started.
     *
     * @param prefix of the command, as to run it in a namespace of the network
     * @param options of its JVM
     * @param own its address, or {@link MemberProgram#NO_DATA}
     * @param clockOffset the milliseconds by which its wall clock is wrong
     */
    record Start(List<String> prefix, List<String> options, String own, long clockOffset) {}

    /** Starts a member of that name, with its results and its log in {@code dir}. */
    MemberProcess(String name, Start start, Path dir, Fleet.Times times, List<String> dataMembers) throws IOException {
        this.name = name;
        List<String> command = new ArrayList<>(start.prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC", // two processors have several members to run
                "-XX:+IgnoreUnrecognizedVMOptions", // JDK 17 does not know the next one
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                classPath()));
        command.addAll(start.options);
        command.addAll(List.of(
                MemberProgram.class.getName(),
                name,
                dir.toString(),
                start.own,
                dir.resolve("data-" + start.own.replace(':', '_')).toString(),
                Long.toString(start.clockOffset),
                Long.toString(times.margin().toMillis()),
                Long.toString(times.timeout().toMillis())));
        command.addAll(dataMembers);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        RUNNING.add(process);
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "answers of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Inside Maven, java.class.path is Maven's own. */
    private static String classPath() {
        if (MemberProcess.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs())
                    .map(MemberProcess::file)
                    .collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }

    private static String file(URL url) {
        return Path.of(URI.create(url.toString())).toString();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // It was killed.
        }
        answers.add("");
    }

    String name() {
        return name;
    }

    /** Sends a command and returns the answer. */
    String ask(String command) throws InterruptedException {
        tell(command);
        return answer();
    }

    void tell(String command) {
        commands.println(command);
    }

    /**
     * Returns the next answer.
     *
     * @throws IllegalStateException if none comes
     */
    String answer() throws InterruptedException {
        String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
        if (answer == null || answer.isEmpty()) {
            throw new IllegalStateException(name + ": " + (answer == null ? "no answer" : "has ended"));
        }
        return answer;
    }

    /** Kills it, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        RUNNING.remove(process);
    }

    /** Stops it, as a long pause of a collector or of a virtual machine does, or lets it continue. */
    void pause(boolean stop) throws IOException, InterruptedException {
        new ProcessBuilder("kill", stop ? "-STOP" : "-CONT", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
