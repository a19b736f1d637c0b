package io.github.hotpath.examples.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Between a client and a server: passes on what they send, holds back a statement, or cuts the connection. */
final class Proxy implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile @Nullable String held;

    private interface Body {
        void run() throws IOException, InterruptedException;
    }

    Proxy(int server) throws IOException {
        this.server = server;
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Cuts a connection when so many more bytes were passed on, of both directions together. */
    void cutAfter(long bytes) {
        left.set(bytes);
    }

    /** Holds back what the client sends from this text on, until {@link #release}. */
    void holdBefore(String text) {
        held = text;
    }

    void release() {
        released.countDown();
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
            Socket connection = new Socket(InetAddress.getLoopbackAddress(), server);
            start(() -> pass(client, connection, true));
            start(() -> pass(connection, client, false));
        }
    }

    private void pass(Socket from, Socket to, boolean isClient) throws IOException, InterruptedException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                String text = held;
                if (isClient && text != null && new String(bytes, 0, n, StandardCharsets.ISO_8859_1).contains(text)) {
                    released.await();
                }
                long before = left.getAndAdd(-n);
                if (before >= 0 && before < n) {
                    out.write(bytes, 0, (int) before);
                    left.set(Long.MAX_VALUE);
                    return;
                }
                out.write(bytes, 0, n);
            }
        }
    }

    @Override
    public void close() throws IOException {
        released.countDown();
        socket.close();
    }
}
