package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AcceptorTest {
    @Test
    void receive_throwsAnything_connectionIsClosedAndTheNextOneAccepted() throws Exception {
        BlockingQueue<Link> received = new LinkedBlockingQueue<>();
        AtomicBoolean failed = new AtomicBoolean();
        InetSocketAddress address = address();
        try (Acceptor acceptor = new Acceptor(new Sockets(null, Duration.ofSeconds(1)), address, connection -> {
            received.add(connection);
            if (!failed.getAndSet(true)) {
                throw new OutOfMemoryError("planted");
            }
        })) {
            acceptor.start();
            try (Socket first = new Socket(address.getAddress(), address.getPort());
                    Socket second = new Socket(address.getAddress(), address.getPort())) {
                assertThat(first.getInputStream().read()).isEqualTo(-1);
                assertThat(received.take().socket().isClosed()).isTrue();
                Link accepted = received.poll(30, TimeUnit.SECONDS);
                assertThat(accepted).isNotNull();
                assertThat(accepted.socket().getPort()).isEqualTo(second.getLocalPort());
                assertThat(accepted.socket().isClosed()).isFalse();
                accepted.close();
            }
        }
        new ServerSocket(address.getPort(), 1, address.getAddress()).close(); // the port is free again
    }

    private static InetSocketAddress address() throws IOException {
        String[] free = Fleet.freeAddresses(1).get(0).split(":");
        return new InetSocketAddress(free[0], Integer.parseInt(free[1]));
    }
}
