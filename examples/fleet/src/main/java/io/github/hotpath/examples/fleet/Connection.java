package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that are sent to another member with data. It connects when there is something to send, and once more after
 * each failure. Attempts without an answer fail soon after the silence, and then so does the connection: one that was
 * cut off would otherwise take long to notice that it is healed. Thread-safe.
 */
final class Connection implements Answer.From, AutoCloseable {
    /** How often in a silence it looks for attempts without an answer: a timer for each would cost more. */
    private static final int LOOKS = 8;

    private final HostAndPort address;
    private final Sockets sockets;
    private final Duration silence;
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
    private final BlockingQueue<Wire.Message> waiting = new LinkedBlockingQueue<>();
    private final AtomicLong number = new AtomicLong();
    private final Thread sender = new Thread(this::sendAll, "fleet-sender");
    private final Thread sweeper = new Thread(this::sweepAll, "fleet-sweeper");
    private volatile @Nullable Wire wire;

    /** When the wire was opened. Written before it is. */
    private volatile long openedAtNanos;

    private record Pending(CompletableFuture<Answer> answer, long sentAtNanos) {}

    Connection(HostAndPort member, Sockets sockets, Duration silence) {
        address = Answer.address(member);
        this.sockets = sockets;
        this.silence = silence;
        sender.setDaemon(true);
        sweeper.setDaemon(true);
        sender.start();
        sweeper.start();
    }

    @Override
    public CompletableFuture<Answer> send(byte[] attempts, boolean pass) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Wire.Message message = new Wire.Message(number.incrementAndGet(), pass, attempts);
        pending.put(message.number(), new Pending(answer, System.nanoTime()));
        Wire open = wire;
        if (open != null) {
            open.send(message); // if it is lost meanwhile, so is what is pending
        } else {
            waiting.add(message);
        }
        return answer;
    }

    private void sendAll() {
        try {
            while (true) {
                Wire.Message message = waiting.take();
                if (pending.containsKey(message.number())) {
                    send(message);
                }
            }
        } catch (InterruptedException e) {
            closeWire();
        }
    }

    private void send(Wire.Message message) {
        try {
            Wire open = wire;
            if (open == null) {
                open = open();
            }
            open.send(message);
        } catch (Throwable e) { // threads or memory may have ended: the next one may find more
            closeWire();
            wire = null;
            failAll(e);
        }
    }

    private Wire open() throws IOException {
        Link link = sockets.connect(new InetSocketAddress(address.host(), address.port()));
        Wire open = new Wire(link, (from, reply) -> receive(reply), this::lost);
        openedAtNanos = System.nanoTime();
        wire = open;
        open.start();
        return open;
    }

    private void sweepAll() {
        while (true) {
            try {
                TimeUnit.NANOSECONDS.sleep(silence.toNanos() / LOOKS);
                failOverdue(System.nanoTime());
            } catch (InterruptedException e) {
                return;
            } catch (Throwable e) {
                // Memory has ended: the next time there may be more.
            }
        }
    }

    /** A wire that was opened just now is not to blame. What is called with the failures may take some time. */
    private void failOverdue(long now) {
        List<Pending> overdue = new ArrayList<>();
        for (Map.Entry<Long, Pending> entry : pending.entrySet()) {
            if (now - entry.getValue().sentAtNanos >= silence.toNanos() && pending.remove(entry.getKey()) != null) {
                overdue.add(entry.getValue());
            }
        }
        if (!overdue.isEmpty() && now - openedAtNanos >= silence.toNanos()) {
            closeWire();
        }
        overdue.forEach(each -> each.answer.completeExceptionally(new SocketTimeoutException("no answer: " + address)));
    }

    private void receive(Wire.Message reply) {
        Answer answer = Answer.of(reply.content()); // if memory ends, it is pending still, and fails with the wire
        Pending answered = pending.remove(reply.number());
        if (answered != null) {
            answered.answer.complete(answer);
        }
    }

    private void lost(Wire closed) {
        if (wire == closed) {
            wire = null;
        }
        failAll(new SocketException("lost: " + address));
    }

    private void failAll(Throwable cause) {
        for (Long each : pending.keySet()) {
            Pending failed = pending.remove(each);
            if (failed != null) {
                failed.answer.completeExceptionally(cause);
            }
        }
    }

    private void closeWire() {
        Wire open = wire;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        sender.interrupt();
        sweeper.interrupt();
        closeWire();
        failAll(new SocketException("closed"));
    }
}
