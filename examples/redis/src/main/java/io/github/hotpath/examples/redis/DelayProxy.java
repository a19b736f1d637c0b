package io.github.hotpath.examples.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Passes on what two sides of a connection send to each other, later: a server that is some way away. */
final class DelayProxy implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
    private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
    private final int serverPort;
    private final long delayNanos;

    /** Starts a proxy of the server at that port; {@code delay} is that of each direction. */
    DelayProxy(int serverPort, Duration delay) throws IOException {
        this.serverPort = serverPort;
        delayNanos = delay.toNanos();
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private interface Body {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException | InterruptedException e) {
                // A socket was closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = new Socket("127.0.0.1", serverPort);
            connections.add(client);
            connections.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            pass(client, server);
            pass(server, client);
        }
    }

    private record Chunk(byte[] bytes, long due) {}

    private void pass(Socket from, Socket to) {
        BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();
        start(() -> {
            InputStream in = from.getInputStream();
            byte[] bytes = new byte[65_536];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                chunks.add(new Chunk(Arrays.copyOf(bytes, n), System.nanoTime() + delayNanos));
            }
            chunks.add(new Chunk(new byte[0], System.nanoTime() + delayNanos));
        });
        start(() -> {
            try (from;
                    to) {
                OutputStream out = to.getOutputStream();
                for (Chunk chunk = chunks.take(); chunk.bytes.length > 0; chunk = chunks.take()) {
                    TimeUnit.NANOSECONDS.sleep(chunk.due - System.nanoTime());
                    out.write(chunk.bytes);
                }
            }
        });
    }

    /** Closes all connections: what is on its way does not arrive. */
    void cut() throws IOException {
        socket.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}
