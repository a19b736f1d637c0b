package io.github.hotpath.examples.fleet;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Messages in both directions over a socket. Sending never waits. Thread-safe. */
final class Wire implements AutoCloseable {
    private static final int LONGEST = 1 << 24;
    private static final int MOST_WAITING = 10_000;
    private static final byte PASS = 1;

    /** A message: a number that its answer repeats, whether it may be passed on, and its content. */
    record Message(long number, boolean pass, byte[] content) {}

    /** What is done with a message. */
    interface Receiver {
        void receive(Wire wire, Message message);
    }

    private final Socket socket;
    private final Receiver receiver;
    private final Runnable closed;
    private final BlockingQueue<Message> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final Thread writer = new Thread(this::write, "fleet-writer");

    /** Takes over a connected socket. {@code closed} runs once, when it has ended. */
    Wire(Socket socket, Receiver receiver, Runnable closed) throws IOException {
        this.socket = socket;
        this.receiver = receiver;
        this.closed = closed;
        socket.setTcpNoDelay(true);
    }

    /** Begins to receive. */
    void start() {
        Thread reader = new Thread(this::read, "fleet-reader");
        reader.setDaemon(true);
        writer.setDaemon(true);
        reader.start();
        writer.start();
    }

    void send(Message message) {
        if (!waiting.offer(message)) {
            close(); // the other side does not read
        }
    }

    private void read() {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
            while (true) {
                int length = in.readInt();
                if (length < 0 || length > LONGEST) {
                    throw new StreamCorruptedException("length: " + length + " (expected: 0 to " + LONGEST + ")");
                }
                receiver.receive(this, new Message(in.readLong(), in.readByte() == PASS, in.readNBytes(length)));
            }
        } catch (IOException | RuntimeException e) {
            // The other side is gone, or it is no member.
        } finally {
            close();
            writer.interrupt();
            closed.run();
        }
    }

    private void write() {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16))) {
            while (true) {
                Message message = waiting.take();
                out.writeInt(message.content.length);
                out.writeLong(message.number);
                out.writeByte(message.pass ? PASS : 0);
                out.write(message.content);
                if (waiting.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException | InterruptedException e) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
    }
}
