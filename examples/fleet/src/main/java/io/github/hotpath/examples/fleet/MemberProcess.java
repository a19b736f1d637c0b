package io.github.hotpath.examples.fleet;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
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

/** A {@link FleetMember} in a process of its own, which is killed when this JVM ends, at the latest. */
final class MemberProcess implements AutoCloseable {
    private static final long ANSWER_SECONDS = 60;
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final int port;
    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /**
     * Starts a member of that name, with more options of its JVM and with its logs in {@code dir}. It has data if its
     * port is one of those.
     */
    MemberProcess(String name, List<String> options, Path dir, int port, List<Integer> dataPorts) throws IOException {
        this.name = name;
        this.port = port;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC", // two processors have several members to run
                "-XX:+IgnoreUnrecognizedVMOptions", // JDK 17 does not know the next one
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                classPath()));
        command.addAll(options);
        command.addAll(List.of(FleetMember.class.getName(), name, dir.toString(), Integer.toString(port)));
        dataPorts.forEach(other -> command.add(other.toString()));
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

    /** Returns ports that are free. */
    static List<Integer> freePorts(int number) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < number; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    String name() {
        return name;
    }

    int port() {
        return port;
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

    /** Stops it for so long, and lets it continue, by a process that does so even if this JVM ends. */
    Process pause(int seconds) throws IOException {
        long pid = process.pid();
        return new ProcessBuilder("sh", "-c", "kill -STOP %1$d && sleep %2$d; kill -CONT %1$d".formatted(pid, seconds))
                .inheritIO()
                .start();
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
