package io.github.hotpath.examples.redis;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes on what a client sends to a server, and once, when asked, closes the connection instead of answering. */
final class CutProxy implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final int port;
    private volatile boolean cut;

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
            start(() -> pass(client, server, false));
            start(() -> pass(server, client, true));
        }
    }

    private void pass(Socket from, Socket to, boolean answers) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (answers && cut) {
                    cut = false;
                    return;
                }
                out.write(bytes, 0, n);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
