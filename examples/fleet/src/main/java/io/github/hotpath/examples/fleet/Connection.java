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

    private record Pending(long number, CompletableFuture<Answer> answer, long sentAtNanos) {}

    private Connection(HostAndPort member, Sockets sockets, Duration silence) {
        address = Answer.address(member);
        this.sockets = sockets;
        this.silence = silence;
        sender.setDaemon(true);
        sweeper.setDaemon(true);
        try {
            sender.start();
            sweeper.start();
        } catch (Throwable e) { // threads have ended
            close();
            throw e;
        }
    }

    /** Returns a connection to each member with data, in the order of their numbers, and null for the own number. */
    static List<@Nullable Connection> toOthers(FleetMembers members, int own, Sockets sockets) {
        List<@Nullable Connection> others = new ArrayList<>();
        try {
            for (HostAndPort member : members.dataMembers()) {
                others.add(others.size() == own ? null : new Connection(member, sockets, members.silence()));
            }
            return others;
        } catch (Throwable e) { // threads have ended
            closeAll(others);
            throw e;
        }
    }

    static void closeAll(List<@Nullable Connection> connections) {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.close();
            }
        }
    }

    @Override
    public CompletableFuture<Answer> send(byte[] attempts, boolean pass) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Wire.Message message = new Wire.Message(number.incrementAndGet(), pass, attempts);
        pending.put(message.number(), new Pending(message.number(), answer, System.nanoTime()));
        Wire open = wire;
        if (open != null) {
            open.send(message); // if it is lost meanwhile, so is what is pending
        } else {
            waiting.add(message);
        }
        return answer;
    }

    private void sendAll() {
        while (true) {
            try {
                Wire.Message message = waiting.take();
                if (pending.containsKey(message.number())) {
                    send(message);
                }
            } catch (InterruptedException e) {
                closeWire();
                return;
            } catch (Throwable e) {
                // Memory has ended: what is pending fails when it is overdue.
            }
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
        List<Pending> overdue = pending.values().stream()
                .filter(each -> now - each.sentAtNanos >= silence.toNanos())
                .toList();
        boolean unanswered = !overdue.stream().allMatch(each -> each.answer.isDone());
        if (unanswered && now - openedAtNanos >= silence.toNanos()) {
            closeWire();
        }
        overdue.forEach(each -> fail(each, new SocketTimeoutException("no answer: " + address)));
    }

    private void receive(Wire.Message reply) {
        Answer answer = Answer.of(reply.content()); // if memory ends, it is pending still, and fails with the wire
        Pending answered = pending.get(reply.number());
        if (answered != null) {
            answered.answer.complete(answer);
            pending.remove(answered.number);
        }
    }

    private void lost(Wire closed) {
        if (wire == closed) {
            wire = null;
        }
        failAll(new SocketException("lost: " + address));
    }

    private void failAll(Throwable cause) {
        long last = number.get(); // those that come meanwhile have not failed
        pending.values().stream().filter(each -> each.number <= last).forEach(each -> fail(each, cause));
    }

    /** In this order: if memory ends between both, it fails the next time. */
    private void fail(Pending each, Throwable cause) {
        each.answer.completeExceptionally(cause);
        pending.remove(each.number);
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
