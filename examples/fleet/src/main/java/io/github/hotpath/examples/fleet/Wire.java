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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Messages in both directions over a socket. Sending never waits. Thread-safe. */
final class Wire implements AutoCloseable {
    /*
     * The thread that sends writes to the socket itself if the socket surely has room. That is so if few messages can
     * still be in it, and only short ones: with each message the other side says how many it has received. Otherwise a
     * thread of the wire writes, and may have to wait.
     */

    private static final int LONGEST_DIRECT = 1 << 10;
    private static final int MOST_DIRECT = 16;

    /** Room for the above, with what the system adds to each message, and TLS. */
    private static final int LEAST_BUFFER = 1 << 16;

    private static final int LONGEST = 1 << 24;
    private static final int MOST_WAITING = 10_000;
    private static final byte PASS = 1;

    /** A message: a number that its answer repeats, whether it may be passed on, and its content. */
    record Message(long number, boolean pass, byte[] content) {}

    /** What is done with a message. */
    interface Receiver {
        void receive(Wire wire, Message message);
    }

    private final Link link;
    private final Receiver receiver;
    private final Consumer<Wire> closed;
    private final BlockingQueue<Message> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final Thread writer = new Thread(this::writeWaiting, "fleet-writer");
    private final DataOutputStream out;
    private final ReentrantLock writing = new ReentrantLock();

    /** How many messages have been written. Guarded by {@code writing}. */
    private long sent;

    /** What {@link #sent} was with the last message that was not short. Guarded by {@code writing}. */
    private long lastLong;

    /** How many of these the other side has received, at least. Written by the reading thread. */
    private volatile long confirmed;

    /** How many have come from the other side. Written by the reading thread. */
    private volatile long received;

    /** Takes over a connection. {@code closed} is told once, when it has ended. */
    Wire(Link link, Receiver receiver, Consumer<Wire> closed) throws IOException {
        this.link = link;
        this.receiver = receiver;
        this.closed = closed;
        try {
            Socket socket = link.socket();
            socket.setTcpNoDelay(true);
            if (socket.getSendBufferSize() < LEAST_BUFFER) {
                socket.setSendBufferSize(LEAST_BUFFER);
            }
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
        } catch (Throwable e) {
            link.close();
            throw e;
        }
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
        if (!waiting.isEmpty() || message.content.length > LONGEST_DIRECT || !writing.tryLock()) {
            sendLater(message);
            return;
        }
        try {
            long known = confirmed;
            if (lastLong <= known && known <= sent && sent - known < MOST_DIRECT) {
                write(message);
                out.flush();
            } else {
                sendLater(message);
            }
        } catch (Throwable e) {
            close(); // half a message may have been written
        } finally {
            writing.unlock();
        }
    }

    private void sendLater(Message message) {
        if (!waiting.offer(message)) {
            close(); // the other side does not read
        }
    }

    private void write(Message message) throws IOException {
        out.writeInt(message.content.length);
        out.writeLong(message.number);
        out.writeByte(message.pass ? PASS : 0);
        out.writeLong(received);
        out.write(message.content);
        sent++;
        if (message.content.length > LONGEST_DIRECT) {
            lastLong = sent;
        }
    }

    private void read() {
        try {
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(link.socket().getInputStream()));
            for (long count = 1; ; count++) {
                int length = in.readInt();
                if (length < 0 || length > LONGEST) {
                    throw new StreamCorruptedException("length: " + length + " (expected: 0 to " + LONGEST + ")");
                }
                long number = in.readLong();
                boolean pass = in.readByte() == PASS;
                confirmed = in.readLong();
                Message message = new Message(number, pass, in.readNBytes(length));
                if (count == 1) {
                    link.socket().setSoTimeout(0); // from here on, nothing may come for long
                }
                received = count;
                receiver.receive(this, message);
            }
        } catch (IOException | RuntimeException e) {
            // The other side is gone, or it is no member. The stream is not closed: above TLS, that may wait.
        } finally {
            close();
            writer.interrupt();
            closed.accept(this);
        }
    }

    private void writeWaiting() {
        try {
            while (true) {
                Message message = waiting.take();
                writing.lock();
                try {
                    write(message);
                    if (waiting.isEmpty()) {
                        out.flush();
                    }
                } finally {
                    writing.unlock();
                }
            }
        } catch (Throwable e) {
            close();
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
