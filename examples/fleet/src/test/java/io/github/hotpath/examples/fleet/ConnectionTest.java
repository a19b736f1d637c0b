package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One connection, to a member that the test plays. */
@Timeout(60)
class ConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final byte[] ATTEMPTS = {1, 2, 3};
    private static final byte[] OUTCOME = {4};

    private HostAndPort member;
    private ServerSocket listening;
    private Connection connection;

    @BeforeEach
    void listen() throws IOException {
        listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        member = new HostAndPort(listening.getInetAddress().getHostAddress(), listening.getLocalPort() - 1);
    }

    private void listen(InetSocketAddress address) throws IOException {
        listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.setSoTimeout(Math.toIntExact(LONG.toMillis()));
        listening.bind(address);
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        listening.close();
    }

    private CompletableFuture<Answer> send(Duration silence) {
        if (connection == null) {
            FleetMembers members = FleetMembers.of("test", member).withSilence(silence);
            connection =
                    Connection.toOthers(members, -1, new Sockets(null, LONG)).get(0);
        }
        return connection.send(ATTEMPTS, true);
    }

    private Socket accept() throws IOException {
        Socket accepted = listening.accept();
        accepted.setSoTimeout(Math.toIntExact(LONG.toMillis()));
        return accepted;
    }

    /** Takes the next connection, and answers all that comes. */
    private void answerAll() throws IOException {
        Wire wire = new Wire(
                new Sockets(null, LONG).accepted(accept()),
                (from, message) -> from.send(new Wire.Message(
                        message.number(), false, new Answer(message.content().length, OUTCOME).toBytes())),
                closed -> {});
        wire.start();
    }

    @Test
    void send_answered_completes() throws IOException {
        CompletableFuture<Answer> first = send(LONG);
        answerAll();
        CompletableFuture<Answer> second = send(LONG);

        for (CompletableFuture<Answer> answer : List.of(first, second)) {
            assertThat(answer).succeedsWithin(LONG).satisfies(one -> {
                assertThat(one.leader()).isEqualTo(ATTEMPTS.length);
                assertThat(one.outcome()).isEqualTo(OUTCOME);
            });
        }
    }

    /** As one that was cut off: TCP would try for long, also after it is healed. */
    @Test
    void send_notAnswered_failsAndConnectsAnew() throws Exception {
        Duration silence = Duration.ofMillis(500);
        CompletableFuture<Answer> answer = send(silence);
        try (Socket silent = accept()) {
            assertThat(answer).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(IOException.class);
            send(silence); // if the first one did not fail because of this connection, which was too young
            DataInputStream in = new DataInputStream(silent.getInputStream());
            assertThat(in.readAllBytes()).isNotNull(); // and then it ends
        }
        Thread member = new Thread(this::answerAllConnections);
        member.setDaemon(true);
        member.start();

        Fleet.await( // the first ones may still go over the connection that ends
                () -> send(silence)
                        .handle((outcome, failure) -> outcome != null)
                        .join(),
                "an answer");
    }

    private void answerAllConnections() {
        try {
            while (true) {
                answerAll();
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    @Test
    void send_memberHasEnded_failsUntilItIsBack() throws IOException {
        listening.close();
        assertThat(send(LONG)).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(ConnectException.class);

        listen(new InetSocketAddress(member.host(), member.port() + 1));
        CompletableFuture<Answer> answer = send(LONG);
        answerAll();
        assertThat(answer).succeedsWithin(LONG);
    }

    /** What is sent because of that has not failed: it goes over the next connection. */
    @Test
    void send_memberEndsBeforeItAnswers_failsAtOnce() throws IOException {
        CompletableFuture<Answer> answer = send(LONG);
        CompletableFuture<Answer> next =
                answer.handle((outcome, failure) -> send(LONG)).thenCompose(sent -> sent);
        accept().close();
        assertThat(answer)
                .failsWithin(LONG.dividedBy(2))
                .withThrowableThat()
                .withCauseInstanceOf(SocketException.class);

        answerAll();
        assertThat(next).succeedsWithin(LONG);
    }

    @Test
    void close_withoutAnswers_failsAll() throws IOException {
        CompletableFuture<Answer> answer = send(LONG);
        try (Socket silent = accept()) {
            connection.close();
            assertThat(answer)
                    .failsWithin(LONG.dividedBy(2))
                    .withThrowableThat()
                    .withCauseInstanceOf(SocketException.class);
            assertThat(silent.getInputStream().readAllBytes()).isNotNull();
        }
    }
}
