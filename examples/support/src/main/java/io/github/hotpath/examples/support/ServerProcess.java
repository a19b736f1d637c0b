package io.github.hotpath.examples.support;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server in a process of its own, with its files in a directory of its own. Both end with this JVM, at the latest. */
public final class ServerProcess implements AutoCloseable {
    private final Path dir = Files.createTempDirectory("hotpath-");
    private final Thread hook = new Thread(this::close);
    private Optional<Process> process = Optional.empty();

    /** Creates the directory. */
    public ServerProcess() throws IOException {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Returns the directory. */
    public Path dir() {
        return dir;
    }

    /**
     * Starts the server, also again after it was killed, and waits until it prints that it is ready.
     *
     * @param ready is in that line
     * @throws IOException if it ends before; the message has all that it has printed
     */
    public void start(List<String> command, String ready) throws IOException {
        Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
        process = Optional.of(started);
        BufferedReader log = started.inputReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            lines.add(line);
            if (line.contains(ready)) {
                Thread reader = new Thread(() -> log.lines().forEach(ignored -> {}), "log of a server"); // it goes on
                reader.setUncaughtExceptionHandler((thread, killed) -> {});
                reader.setDaemon(true);
                reader.start();
                return;
            }
        }
        throw new IOException(command + " has ended: " + lines);
    }

    /** Kills the server and its own processes, as {@code kill -9} does. */
    public void kill() {
        process.ifPresent(running -> {
            List<ProcessHandle> sessions = running.descendants().toList();
            running.destroyForcibly().onExit().join();
            sessions.forEach(ProcessHandle::destroyForcibly); // which takes them a moment otherwise
            sessions.forEach(session -> session.onExit().join());
        });
    }

    /** Kills the server, and deletes the directory. */
    @Override
    public void close() {
        kill();
        try {
            if (Files.exists(dir)) {
                MoreFiles.deleteRecursively(dir, RecursiveDeleteOption.ALLOW_INSECURE);
            }
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalStateException e) {
            // The JVM ends, and this is the hook.
        }
    }
}
