package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitedServerTest {
    private static final int LIMIT = 5;
    private static final int ALL = 1_000;
    private static final long INTERVAL_NANOS = Duration.ofSeconds(3).toNanos();

    /** No answer takes so long: without an end, a server that is blocked would block the tests. */
    private static final Duration MOST = Duration.ofMinutes(1);

    private final FakeTicker ticker = new FakeTicker();
    private final HttpClient http = HttpClient.newHttpClient();
    private final KeyedLimiter<String> each = KeyedLimiter.of(Limit.of(LIMIT, Duration.ofNanos(INTERVAL_NANOS)));
    private LimitedServer server;

    @BeforeEach
    void start() throws IOException {
        server = new LimitedServer(
                0,
                SlidingWindowLimiter.of(Limit.of(ALL, Duration.ofNanos(INTERVAL_NANOS))),
                each,
                ticker,
                exchange -> exchange.getRequestHeaders().getFirst("X-Client"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void get_upToTheLimit_200() {
        for (int i = 0; i < LIMIT; i++) {
            HttpResponse<String> response = get("a").join();

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Retry-After")).isEmpty();
        }
    }

    @Test
    void get_overTheLimit_429UntilTheWaitIsOver() {
        for (int i = 0; i < LIMIT; i++) {
            get("a").join();
        }
        ticker.advance(INTERVAL_NANOS / 3 - 1);

        HttpResponse<String> refused = get("a").join();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).isEqualTo("2000000002 ns\n");
        assertThat(refused.headers().firstValue("Retry-After")).contains("3"); // 2 would be too early
        ticker.advance(waitNanos(refused) - 1);
        assertThat(get("a").join().body()).isEqualTo("1 ns\n");
        ticker.advance(1);
        assertThat(get("a").join().statusCode()).isEqualTo(200);
    }

    /** Clients that are invented, another one for each request, are held by the limit of all. */
    @Test
    void get_anotherClientEachTime_429FromTheLimitOfAllOn() {
        for (int i = 0; i < ALL; i++) {
            assertThat(get("invented " + i).join().statusCode()).isEqualTo(200);
        }

        HttpResponse<String> refused = get("one more").join();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(waitNanos(refused)).isEqualTo(INTERVAL_NANOS + 1);
        assertThat(each.size()).isEqualTo(ALL);
    }

    /** What the limit of a client refuses uses nothing of what all clients share. */
    @Test
    void get_oneClientGreedy_takesNothingFromOthers() {
        for (int i = 0; i < 2 * ALL; i++) {
            assertThat(get("greedy").join().statusCode()).isEqualTo(i < LIMIT ? 200 : 429);
        }

        for (int i = 0; i < ALL - LIMIT; i++) {
            assertThat(get("client " + i).join().statusCode()).isEqualTo(200);
        }
        assertThat(get("one more").join().statusCode()).isEqualTo(429);
    }

    @Test
    void head_anyNumber_asGetWithoutBody() {
        HttpResponse<String> response = send("HEAD", "a").join();

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(response.headers().map().keySet())
                .isEqualTo(get("a").join().headers().map().keySet());
        assertThat(response.headers().firstValue("Content-Length")).contains("8");
        for (int i = 2; i < LIMIT; i++) {
            assertThat(send("HEAD", "a").join().statusCode()).isEqualTo(200);
        }
        assertThat(send("HEAD", "a").join().statusCode()).isEqualTo(429);
    }

    /** What each request logs, any client can make the server log for ever. */
    @Test
    void anyRequest_logsNothing() throws IOException {
        List<String> requests = List.of(
                "HEAD / HTTP/1.1\r\nX-Client: a\r\n\r\n",
                "HEAD / HTTP/1.0\r\nX-Client: a\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nX-Client: a\r\n\r\n",
                "POST / HTTP/1.1\r\nX-Client: a\r\nContent-Length: 3\r\n\r\nabc",
                "POST / HTTP/1.1\r\nX-Client: a\r\nContent-Length: -3\r\n\r\n",
                "POST / HTTP/1.1\r\nX-Client: a\r\nContent-Length: x\r\n\r\n",
                "POST / HTTP/1.1\r\nX-Client: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
                "PUT / HTTP/1.1\r\nX-Client: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n",
                "GET / HTTP/1.1\r\nnot in the name: of a header\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET :// HTTP/1.1\r\n\r\n",
                "GET\r\n\r\n",
                "\r\n\r\n");
        Logged logged = new Logged();
        Logger logger = Logger.getLogger("com.sun.net.httpserver");
        logger.addHandler(logged);
        try {
            for (String request : requests) {
                try (Socket client = connect(request)) {
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                }
            }
            stop(); // a request may log after its answer
        } finally {
            logger.removeHandler(logged);
        }

        assertThat(logged.messages).isEmpty();
    }

    /**
     * Each takes a thread until the rest has come. With a fixed number of threads, so many clients block the others.
     */
    @Test
    void get_whileClientsSendHalfARequest_answered() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                slow.add(connect("GET / HTT"));
                Socket client = connect("POST / HTTP/1.1\r\nX-Client: " + i + "\r\nContent-Length: 10\r\n\r\nhalf");
                slow.add(client);
                assertThat(new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII)).readLine())
                        .isEqualTo("HTTP/1.1 200 OK");
            }

            assertThat(get("a").join().statusCode()).isEqualTo(200);
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }

    /** That it then closes the connection is not tested, which would take as long. */
    @Test
    void start_slowClients_haveSecondsAndConnections() {
        assertThat(System.getProperties())
                .containsEntry("sun.net.httpserver.maxReqTime", "10")
                .containsEntry("sun.net.httpserver.maxRspTime", "10")
                .containsEntry("jdk.httpserver.maxConnections", "1000");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "999999999, 1", "1000000000, 1", "1000000001, 2", "9223372036854775807, 9223372037"})
    void wholeSeconds_any_roundedUp(long nanos, long seconds) {
        assertThat(LimitedServer.wholeSeconds(nanos)).isEqualTo(seconds);
    }

    /**
     * Bursts of several clients at once. The clock does not advance during a burst, so the response to each client is
     * known.
     */
    @Test
    void get_loadOfSeveralClients_neverOverTheLimitInAnyWindowAndExactWaits() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, List<Long>> admitted = new HashMap<>();
        for (int burst = 0; burst < 50; burst++) {
            long now = ticker.read();
            List<Long> waits = new ArrayList<>();
            burst(random).forEach((client, responses) -> {
                List<Long> times = admitted.computeIfAbsent(client, any -> new ArrayList<>());
                responses.stream().filter(each -> each.statusCode() == 200).forEach(each -> times.add(now));
                assertThat(responses)
                        .as("seed %d, %s, admitted at %s, at %d", seed, client, times, now)
                        .filteredOn(each -> each.statusCode() != 200)
                        .allSatisfy(each -> {
                            assertThat(each.statusCode()).isEqualTo(429);
                            assertThat(waitNanos(each)).isEqualTo(oldestOfLimit(times) + INTERVAL_NANOS + 1 - now);
                            waits.add(waitNanos(each));
                        });
            });
            ticker.advance(
                    waits.isEmpty() || random.nextBoolean()
                            ? random.nextInt(1 << 30)
                            : waits.get(0) - random.nextInt(2));
        }

        assertThat(admitted).as("seed %d", seed).hasSize(3).allSatisfy((client, times) -> {
            for (int i = 0; i + LIMIT < times.size(); i++) {
                assertThat(times.get(i + LIMIT) - times.get(i)).isGreaterThan(INTERVAL_NANOS);
            }
        });
    }

    /** Sends requests of three clients all at once, and returns the answers of each. */
    private Map<String, List<HttpResponse<String>>> burst(Random random) {
        Map<String, List<CompletableFuture<HttpResponse<String>>>> sent = new HashMap<>();
        for (int i = random.nextInt(5 * LIMIT); i >= 0; i--) {
            String client = "client " + random.nextInt(3);
            sent.computeIfAbsent(client, any -> new ArrayList<>()).add(get(client));
        }
        Map<String, List<HttpResponse<String>>> answers = new HashMap<>();
        sent.forEach((client, each) ->
                answers.put(client, each.stream().map(CompletableFuture::join).toList()));
        return answers;
    }

    private static long oldestOfLimit(List<Long> times) {
        return times.get(times.size() - LIMIT);
    }

    private CompletableFuture<HttpResponse<String>> get(String client) {
        return send("GET", client);
    }

    private CompletableFuture<HttpResponse<String>> send(String method, String client) {
        HttpRequest request = HttpRequest.newBuilder(server.uri())
                .header("X-Client", client)
                .method(method, BodyPublishers.noBody())
                .timeout(MOST)
                .build();
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    /** Connects as another client, and sends {@code bytes}. */
    private Socket connect(String bytes) throws IOException {
        Socket client = new Socket(server.uri().getHost(), server.uri().getPort());
        client.setSoTimeout((int) MOST.toMillis());
        client.getOutputStream().write(bytes.getBytes(US_ASCII));
        return client;
    }

    private static long waitNanos(HttpResponse<String> response) {
        return Long.parseLong(response.body().replace(" ns\n", ""));
    }

    /** Keeps the messages that are logged by default. */
    private static final class Logged extends Handler {
        private final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            messages.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
