package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.support.Ports;
import io.github.hotpath.examples.support.ServerProcess;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/** A Redis server on the loopback interface. */
final class RedisServer implements AutoCloseable {
    private static final String ADDRESS = "127.0.0.1";
    private static final int MOST_ATTEMPTS = 20;

    private final ServerProcess process = new ServerProcess();
    private final List<String> command;
    private int port;

    /**
     * Starts a server on a free port: the embedded one, or another by the system property {@code redis.server}.
     *
     * @param options of the command line of the server
     */
    RedisServer(String... options) throws IOException {
        String program = System.getProperty("redis.server", "");
        if (program.isEmpty()) {
            program = ExecutableProvider.newJarResourceProvider(process.dir().toFile())
                    .get()
                    .toString();
        }
        command = new ArrayList<>(
                List.of(program, "--bind", ADDRESS, "--dir", process.dir().toString(), "--save", ""));
        command.addAll(List.of(options));
        startOnFreePort();
    }

    /**
     * Starts the server, again on another port if somebody has taken the one that was free, or if the one 10,000 later,
     * which a server with a cluster needs, is taken.
     */
    private void startOnFreePort() throws IOException {
        for (int attempt = 1; ; attempt++) {
            port = Ports.free();
            try {
                start();
                return;
            } catch (IOException e) {
                if (attempt == MOST_ATTEMPTS || !String.valueOf(e.getMessage()).contains(" port ")) {
                    throw e;
                }
            }
        }
    }

    /** Starts the server, also again after it was killed, on the same port with the same files. */
    void start() throws IOException {
        List<String> withPort = new ArrayList<>(command);
        withPort.addAll(List.of("--port", Integer.toString(port)));
        process.start(withPort, "Ready to accept connections");
    }

    RedisURI uri() {
        return RedisURI.builder(RedisURI.create(ADDRESS, port))
                .withTimeout(Duration.ofMinutes(10)) // of the handshake: the server is ready
                .build();
    }

    int port() {
        return port;
    }

    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
