package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** A thread that takes the connections which others open to this member, until it is closed. Thread-safe. */
final class Acceptor implements AutoCloseable {
    /** What is done with a connection, in the thread of the acceptor: soon, and without reading from it. */
    interface Receiver {
        void receive(Link connection) throws IOException;
    }

    private static final long PAUSE_MILLIS = 20;
    private static final long LONGEST_END_MILLIS = 1_000;

    private final Sockets sockets;
    private final ServerSocket listening;
    private final Receiver receiver;
    private final Thread thread = new Thread(this::acceptAll, "fleet-acceptor");

    /** Listens at that address. */
    Acceptor(Sockets sockets, InetSocketAddress address, Receiver receiver) throws IOException {
        this.sockets = sockets;
        listening = sockets.listen(address);
        this.receiver = receiver;
    }

    void start() {
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Throwable e) { // threads have ended
            close();
            throw e;
        }
    }

    private void acceptAll() {
        while (!listening.isClosed()) {
            try {
                accept();
            } catch (Throwable e) { // files, threads or memory have ended, or the other side has gone
                pause();
            }
        }
    }

    private void accept() throws IOException {
        Socket connection = listening.accept();
        try {
            receiver.receive(sockets.accepted(connection));
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    /** Otherwise it would fail again and again without doing anything else. */
    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            close();
        }
    }

    boolean isClosed() {
        return listening.isClosed();
    }

    /** The port is free when its thread has left it, so this waits for the thread. */
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            // It is closed.
        }
        if (Thread.currentThread() != thread) {
            try {
                thread.join(LONGEST_END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
