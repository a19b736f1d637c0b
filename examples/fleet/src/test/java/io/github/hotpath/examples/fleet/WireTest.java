package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.Wire.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WireTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261123);

    private static final int BUFFER = 1 << 16;

    private Socket here;
    private Socket there;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocket listening = new ServerSocket()) {
            listening.setReceiveBufferSize(BUFFER);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            here = new Socket(listening.getInetAddress(), listening.getLocalPort());
            here.setSendBufferSize(BUFFER);
            there = listening.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        here.close();
        there.close();
    }

    private static CompletableFuture<Void> send(Runnable messages) {
        return CompletableFuture.runAsync(messages, task -> new Thread(task).start());
    }

    /** As one whose host has lost its power, or who has no certificate. Others may say nothing later on. */
    @Test
    void start_firstMessageDoesNotCome_closesConnection() throws Exception {
        Sockets sockets = new Sockets(null, Duration.ofMillis(5));
        try (Wire wire = new Wire(sockets.accepted(there), (from, message) -> {}, ended -> {})) {
            assertThat(there.getSoTimeout()).isPositive();
            wire.start();
            assertThat(here.getInputStream().read()).isEqualTo(-1);
        }
        close();
        connect();
        CountDownLatch received = new CountDownLatch(1);
        Wire to = new Wire(new Link(here, here), (from, message) -> {}, ended -> {});
        Link accepted = new Sockets(null, Duration.ofSeconds(10)).accepted(there);
        try (to;
                Wire from = new Wire(accepted, (wire, message) -> received.countDown(), ended -> {})) {
            from.start();
            to.send(new Message(1, false, new byte[1]));
            received.await();
            assertThat(there.getSoTimeout()).isZero();
            assertThat(there.getKeepAlive()).isTrue();
        }
    }

    /** Until the queue is full, and the wire is closed. */
    @Test
    void send_otherSideDoesNotRead_neverWaitsAndEnds() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Wire wire = new Wire(new Link(here, here), (from, message) -> {}, ended -> closed.countDown());
        wire.start();
        byte[] content = new byte[500];
        send(() -> {
                    while (closed.getCount() > 0) {
                        wire.send(new Message(0, false, content));
                    }
                })
                .get(30, TimeUnit.SECONDS);
        assertThat(here.isClosed()).isTrue();
    }

    /** Whatever just fits, of few messages. */
    @Test
    void send_longMessagesFillTheSocket_neverWaits() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 100; round++) {
            Wire wire = new Wire(new Link(here, here), (from, message) -> {}, closed -> {});
            wire.start();
            byte[] content = new byte[20_000 + random.nextInt(60_000)];
            send(() -> sendAlternately(wire, content)).get(30, TimeUnit.SECONDS);
            close();
            connect();
        }
    }

    private void sendAlternately(Wire wire, byte[] content) {
        int bytes = 0;
        try {
            for (int i = 0; i < 8; i++) {
                wire.send(new Message(2 * i, false, content));
                bytes += content.length;
                for (int j = 0; j < 100 && there.getInputStream().available() < bytes; j++) {
                    Thread.yield(); // the thread of the wire writes, as long as there is room
                }
                wire.send(new Message(2 * i + 1, false, new byte[500]));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of all lengths, from several threads at once; the other side sends each one back. */
    @Test
    void send_fromSeveralThreads_allArriveOnceAndWhole() throws Exception {
        int threads = 4;
        int messages = 2_000; // together fewer than a wire keeps
        Map<Long, Integer> arrived = new ConcurrentHashMap<>();
        CountDownLatch left = new CountDownLatch(threads * messages);
        Wire echo = new Wire(new Link(there, there), Wire::send, closed -> {});
        Wire wire = new Wire(
                new Link(here, here),
                (from, message) -> {
                    int length = message.content().length;
                    boolean whole = length == length(message.number()) && message.pass() == (length % 2 == 0);
                    for (byte each : message.content()) {
                        whole &= each == (byte) message.number();
                    }
                    arrived.merge(message.number(), whole ? 1 : 1_000, Integer::sum);
                    left.countDown();
                },
                closed -> {});
        echo.start();
        wire.start();
        List<Thread> senders = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            long first = (long) thread * messages;
            Thread sender = new Thread(() -> {
                for (long number = first; number < first + messages; number++) {
                    byte[] content = new byte[length(number)];
                    Arrays.fill(content, (byte) number);
                    wire.send(new Message(number, content.length % 2 == 0, content));
                }
            });
            senders.add(sender);
            sender.start();
        }
        for (Thread sender : senders) {
            sender.join();
        }

        assertThat(left.await(30, TimeUnit.SECONDS))
                .as("-Dhotpath.seed=" + SEED)
                .isTrue();
        assertThat(arrived)
                .hasSize(threads * messages)
                .allSatisfy((number, times) -> assertThat(times).isEqualTo(1));
        wire.close();
        echo.close();
    }

    /** Mostly short ones. */
    private static int length(long number) {
        SplittableRandom random = new SplittableRandom(SEED + number);
        return random.nextInt(random.nextInt(4) == 0 ? 3_000 : 100);
    }
}
