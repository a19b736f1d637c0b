package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.net.Socket;

/**
 * A connection of two members.
 *
 * @param socket to read from and to write to
 * @param raw the same, or below TLS. To close it never waits; TLS waits for a thread that writes
 */
record Link(Socket socket, Socket raw) implements AutoCloseable {
    @Override
    public void close() {
        try {
            raw.close();
        } catch (IOException e) {
            // It is closed.
        }
    }
}
