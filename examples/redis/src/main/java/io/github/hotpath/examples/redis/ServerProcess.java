package io.github.hotpath.examples.redis;

import io.github.hotpath.files.Dirs;
import io.lettuce.core.RedisURI;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import redis.embedded.core.ExecutableProvider;

/** A Redis server in a process of its own, on the loopback interface, with its files in a directory of its own. */
final class ServerProcess implements AutoCloseable {
    private static final String ADDRESS = "127.0.0.1";

    /** Names the program of a server instead of the embedded one. */
    static final String PROPERTY = "redis.server";

    private static final Collection<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final Path dir;
    private final int port;
    private final List<String> command;
    private Process process;

    /**
     * Starts a server on a free port.
     *
     * @param dir an empty directory, where the server writes
     * @param program of the server; if empty, the embedded one is copied into {@code dir}
     * @param options of the command line of the server
     */
    ServerProcess(Path dir, String program, String... options) throws IOException {
        this.dir = Files.createDirectories(dir);
        port = freePort();
        command = new ArrayList<>(List.of(
                program.isEmpty() ? embedded(dir) : program,
                "--port",
                Integer.toString(port),
                "--bind",
                ADDRESS,
                "--dir",
                dir.toString(),
                "--save",
                ""));
        command.addAll(Arrays.asList(options));
        process = start();
    }

    /** Returns the program that is chosen by the property, or "" for the embedded one. */
    static String chosenProgram() {
        return System.getProperty(PROPERTY, "");
    }

    private static String embedded(Path dir) throws IOException {
        return ExecutableProvider.newJarResourceProvider(dir.toFile()).get().toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
            return socket.getLocalPort();
        }
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
        RUNNING.add(started);
        BufferedReader log = started.inputReader(StandardCharsets.UTF_8);
        Deque<String> last = new ArrayDeque<>();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            if (line.contains("Ready to accept connections")) {
                Thread reader = new Thread(() -> readAll(log), "log of a server");
                reader.setDaemon(true);
                reader.start();
                return started;
            }
            last.add(line);
            if (last.size() > 5) {
                last.remove();
            }
        }
        RUNNING.remove(started);
        throw new IOException(command.get(0) + " has ended: " + String.join(" / ", last));
    }

    private static void readAll(BufferedReader log) {
        try {
            while (log.readLine() != null) {
                // so that the server can write more
            }
        } catch (IOException e) {
            // It was killed.
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    RedisURI uri() {
        return RedisURI.create(ADDRESS, port);
    }

    /** Kills the server, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        RUNNING.remove(process);
    }

    /** Starts the server again after it was killed, on the same port with the same files. */
    void restart() throws IOException {
        process = start();
    }

    @Override
    public void close() throws IOException {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        delete(dir);
    }

    /** Deletes a directory with all that is in it. */
    static void delete(Path dir) throws IOException {
        if (Files.isDirectory(dir)) {
            for (Dirs.Entry entry : Dirs.entries(dir)) {
                if (entry.attributes().isDirectory()) {
                    delete(entry.path());
                } else {
                    Files.delete(entry.path());
                }
            }
            Files.delete(dir);
        }
    }
}
