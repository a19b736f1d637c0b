package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Three requests a minute, against a server of the JDK on the loopback, which answers 200 unless told otherwise. */
@Timeout(600) // for if a request that is expected does not come, or a task
class LimitedHttpClientTest {
    private static final Instant START = Instant.parse("2026-11-24T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeScheduler scheduler = new FakeScheduler(0);

    /** When requests arrived, in seconds since the start. */
    private final List<Long> arrived = new CopyOnWriteArrayList<>();

    /** What the next requests are answered with. */
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    private HttpServer server;
    private LimitedHttpClient client;

    private record Answer(int status, Map<String, List<String>> headers) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            arrived.add(Duration.ofNanos(scheduler.getAsLong()).toSeconds());
            Answer answer = answers.isEmpty() ? new Answer(200, Map.of()) : answers.remove();
            exchange.getResponseHeaders().putAll(answer.headers);
            exchange.sendResponseHeaders(answer.status, -1);
            exchange.close();
        });
        server.start();
        client = client(Limit.of(3, MINUTE));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private LimitedHttpClient client(Limit limit) {
        return new LimitedHttpClient(
                HttpClient.newHttpClient(),
                limit,
                2,
                scheduler,
                () -> START.plusNanos(scheduler.getAsLong()),
                scheduler);
    }

    @Test
    void sendAsync_moreThanTheLimit_waitsInLine() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(status(send())).isEqualTo(200);
        }
        CompletableFuture<HttpResponse<Void>> fourth = send();
        scheduler.advance(MINUTE);
        assertThat(client.waiting()).isEqualTo(1);

        scheduler.advance(Duration.ofNanos(1));

        assertThat(status(fourth)).isEqualTo(200);
        assertThat(arrived).containsExactly(0L, 0L, 0L, 60L);
    }

    @Test
    void sendAsync_lineIsFull_fails() throws Exception {
        for (int i = 0; i < 3; i++) {
            status(send());
        }
        send();
        send();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(send()::get)
                .withCauseInstanceOf(RejectedExecutionException.class);
    }

    @ParameterizedTest
    @CsvSource({"429, 30", "503, 30", "429, 'Tue, 24 Nov 2026 12:00:30 GMT'"})
    void sendAsync_refusedWithRetryAfter_sentAgainThenAndTheOthersWait(int status, String retryAfter) throws Exception {
        answers.add(new Answer(status, Map.of("Retry-After", List.of(retryAfter))));
        CompletableFuture<HttpResponse<Void>> refused = send();
        scheduler.awaitDueTask();
        scheduler.advance(Duration.ZERO); // the answer has come
        CompletableFuture<HttpResponse<Void>> other = send();
        scheduler.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(client.waiting()).isEqualTo(2);

        scheduler.advance(Duration.ofNanos(1));

        assertThat(status(refused)).isEqualTo(200);
        assertThat(status(other)).isEqualTo(200);
        assertThat(arrived).containsExactly(0L, 30L, 30L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-1", "99999999999999999999", "Tue, 24 Nov 2026 11:00:00 GMT", "0"})
    void sendAsync_retryAfterTellsNoTime_threeAttemptsAtOnce(String retryAfter) throws Exception {
        for (int i = 0; i < 4; i++) {
            answers.add(new Answer(429, Map.of("Retry-After", List.of(retryAfter))));
        }

        assertThat(status(send())).isEqualTo(429);

        assertThat(arrived).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503, 500, 404})
    void sendAsync_otherFailure_notSentAgain(int status) throws Exception {
        answers.add(new Answer(status, Map.of()));

        assertThat(status(send())).isEqualTo(status);

        assertThat(arrived).hasSize(1);
    }

    /** Others use the same account: the service has one left, where this client alone would have two. */
    @Test
    void sendAsync_serviceHasLessLeft_thatIsLeft() throws Exception {
        answers.add(new Answer(200, Map.of("RateLimit", List.of("\"minute\";r=1;t=20, \"day\";r=500"))));
        status(send());
        status(send());

        send();

        assertThat(client.waiting()).isEqualTo(1);
    }

    @Test
    void sendAsync_serviceHasNothingLeft_waitsAsLongAsItTells() throws Exception {
        answers.add(new Answer(200, Map.of("RateLimit", List.of("\"day\";r=0;t=3600"))));
        status(send());
        CompletableFuture<HttpResponse<Void>> next = send();
        scheduler.advance(Duration.ofSeconds(3599));
        assertThat(client.waiting()).isEqualTo(1);

        scheduler.advance(Duration.ofSeconds(1));

        assertThat(status(next)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "limit=10", "\"a\";r=\"none\"", "\"a\";r=-1", "\"a", "\"a\";r=5", "\"a\";t=5"})
    void sendAsync_fieldTellsNothingOrMore_nothingChanges(String field) throws Exception {
        answers.add(new Answer(200, Map.of("RateLimit", List.of(field))));

        for (int i = 0; i < 3; i++) {
            assertThat(status(send())).isEqualTo(200);
        }
    }

    @Test
    void new_limitOfCalls_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client(Limit.ofCalls(3, MINUTE)))
                .withMessageStartingWith("limit: ");
    }

    /** Returns the status of the answer, for which it waits; the clock stands still meanwhile. */
    private int status(CompletableFuture<HttpResponse<Void>> answer) throws Exception {
        while (!answer.isDone()) {
            scheduler.awaitDueTask();
            scheduler.advance(Duration.ZERO);
        }
        return answer.get().statusCode();
    }

    private CompletableFuture<HttpResponse<Void>> send() {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    }
}
