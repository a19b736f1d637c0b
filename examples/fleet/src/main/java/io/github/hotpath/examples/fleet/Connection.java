package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that are sent to another member with data. It connects when there is something to send, and once more after
 * each failure. Attempts without an answer fail after the silence, and then so does the connection: one that was cut
 * off would otherwise take long to notice that it is healed. Thread-safe.
 */
final class Connection implements Answer.From, AutoCloseable {
    private final HostAndPort address;
    private final Sockets sockets;
    private final Duration silence;
    private final Map<Long, CompletableFuture<Answer>> pending = new ConcurrentHashMap<>();
    private final BlockingQueue<Wire.Message> waiting = new LinkedBlockingQueue<>();
    private final AtomicLong number = new AtomicLong();
    private final Thread sender = new Thread(this::sendAll, "fleet-sender");
    private volatile @Nullable Wire wire;

    Connection(HostAndPort member, Sockets sockets, Duration silence) {
        address = Answer.address(member);
        this.sockets = sockets;
        this.silence = silence;
        sender.setDaemon(true);
        sender.start();
    }

    @Override
    public CompletableFuture<Answer> send(byte[] attempts, boolean pass) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Wire.Message message = new Wire.Message(number.incrementAndGet(), pass, attempts);
        pending.put(message.number(), answer);
        waiting.add(message);
        answer.orTimeout(silence.toNanos(), TimeUnit.NANOSECONDS).whenComplete((result, failure) -> {
            pending.remove(message.number());
            if (failure instanceof TimeoutException) {
                closeWire();
            }
        });
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
                Socket socket = sockets.connect(new InetSocketAddress(address.host(), address.port()), silence);
                open = new Wire(socket, (from, reply) -> receive(reply), this::lost);
                wire = open;
                open.start();
            }
            open.send(message);
        } catch (IOException e) {
            CompletableFuture<Answer> answer = pending.get(message.number());
            if (answer != null) {
                answer.completeExceptionally(e);
            }
        }
    }

    private void receive(Wire.Message reply) {
        CompletableFuture<Answer> answer = pending.get(reply.number());
        if (answer != null) {
            answer.complete(Answer.of(reply.content()));
        }
    }

    private void lost() {
        wire = null;
        pending.values().forEach(answer -> answer.completeExceptionally(new SocketException("lost: " + address)));
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
        closeWire();
    }
}
