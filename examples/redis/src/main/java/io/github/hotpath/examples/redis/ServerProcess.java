package io.github.hotpath.examples.redis;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.examples.support.Ports;
import io.lettuce.core.RedisURI;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/** A Redis server in a process of its own, on the loopback interface, with its files in a directory of its own. */
final class ServerProcess implements AutoCloseable {
    private static final String ADDRESS = "127.0.0.1";
    private static final int MOST_ATTEMPTS = 20;

    private final Path dir;
    private final List<String> command;
    private final Thread hook = new Thread(this::close);
    private int port;
    private Process process;

    /**
     * Starts a server on a free port: the embedded one, or another by the system property {@code redis.server}.
     *
     * @param options of the command line of the server
     */
    ServerProcess(String... options) throws IOException {
        dir = Files.createTempDirectory("hotpath-");
        try {
            String program = System.getProperty("redis.server", "");
            command = new ArrayList<>(List.of(
                    program.isEmpty()
                            ? ExecutableProvider.newJarResourceProvider(dir.toFile())
                                    .get()
                                    .toString()
                            : program,
                    "--bind",
                    ADDRESS,
                    "--dir",
                    dir.toString(),
                    "--save",
                    ""));
            command.addAll(List.of(options));
            process = startOnFreePort();
        } catch (IOException | RuntimeException e) {
            MoreFiles.deleteRecursively(dir, RecursiveDeleteOption.ALLOW_INSECURE);
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts the server, again on another port if somebody has taken the one that was free, or if the one 10,000 later,
     * which a server with a cluster needs, is taken.
     */
    private Process startOnFreePort() throws IOException {
        for (int attempt = 1; ; attempt++) {
            port = Ports.free();
            try {
                return start();
            } catch (IOException e) {
                if (attempt == MOST_ATTEMPTS || !String.valueOf(e.getMessage()).contains(" port ")) {
                    throw e;
                }
            }
        }
    }

    private Process start() throws IOException {
        List<String> withPort = new ArrayList<>(command);
        withPort.addAll(List.of("--port", Integer.toString(port)));
        Process started = new ProcessBuilder(withPort).redirectErrorStream(true).start();
        BufferedReader log = started.inputReader(StandardCharsets.UTF_8);
        String last = "";
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            if (line.contains("Ready to accept connections")) {
                Thread reader = new Thread(() -> log.lines().forEach(ignored -> {}), "log of a server"); // it may go on
                reader.setUncaughtExceptionHandler((thread, killed) -> {});
                reader.setDaemon(true);
                reader.start();
                return started;
            }
            last = line;
        }
        throw new IOException(command.get(0) + " has ended: " + last);
    }

    RedisURI uri() {
        return RedisURI.builder(RedisURI.create(ADDRESS, port))
                .withTimeout(Duration.ofMinutes(10)) // of the handshake: the server is ready
                .build();
    }

    int port() {
        return port;
    }

    /** Kills the server, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Starts the server again after it was killed, on the same port with the same files. */
    void restart() throws IOException {
        process = start();
    }

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
