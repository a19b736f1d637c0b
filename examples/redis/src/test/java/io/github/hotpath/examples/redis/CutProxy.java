package io.github.hotpath.examples.redis;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * An address behind which is a server, and later another one. It can lose an answer with its connection, or go silent as
 * a machine does that has vanished.
 */
final class CutProxy implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private volatile int port;
    private volatile boolean cut;
    private volatile int connections;
    private volatile int silent;

    CutProxy(int port) throws IOException {
        this.port = port;
        start(this::accept);
    }

    RedisURI uri() {
        return RedisURI.create("127.0.0.1", socket.getLocalPort());
    }

    /** Closes the connection when the server has answered next. */
    void cutNextAnswer() {
        cut = true;
    }

    /** Connects to another server from now on. */
    void moveTo(int port) {
        this.port = port;
    }

    /** Answers nothing any more on the connections that are open. */
    void silence() {
        silent = connections;
    }

    private interface Body {
        void run() throws IOException;
    }

    private static void start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException e) {
                // A socket was closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = new Socket("127.0.0.1", port);
            int number = ++connections;
            start(() -> pass(client, server, 0));
            start(() -> pass(server, client, number));
        }
    }

    /** Passes on what is sent; the answers are of the connection with the number. */
    private void pass(Socket from, Socket to, int answers) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (answers > 0 && cut) {
                    cut = false;
                    return;
                }
                if (answers == 0 || answers > silent) {
                    out.write(bytes, 0, n);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
