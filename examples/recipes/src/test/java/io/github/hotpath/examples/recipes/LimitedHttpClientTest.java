package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.hotpath.examples.recipes.LimitedHttpClient.Service;
import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(7);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(600);
    private static final Limit THREE = Limit.of(3, MINUTE);
    private static final String POLICY = "\"client\";q=3;w=60, \"day\";q=1000;w=86400";

    private final FakeScheduler scheduler = new FakeScheduler(0);

    /** When requests arrived, in seconds since the start, and with which bodies. */
    private final List<Long> arrived = new CopyOnWriteArrayList<>();

    private final List<String> bodies = new CopyOnWriteArrayList<>();

    /** What the next requests are answered with. */
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    private final ExecutorService serverThreads = Executors.newCachedThreadPool();
    private HttpServer server;
    private LimitedHttpClient client;

    private record Answer(int status, Map<String, String> headers, CountDownLatch released) {
        Answer(int status, Map<String, String> headers) {
            this(status, headers, new CountDownLatch(0));
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(serverThreads);
        server.createContext("/", exchange -> {
            arrived.add(Duration.ofNanos(scheduler.getAsLong()).toSeconds());
            bodies.add(new String(exchange.getRequestBody().readAllBytes()));
            Answer answer = answers.isEmpty() ? new Answer(200, Map.of()) : answers.remove();
            try {
                answer.released.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            answer(exchange, answer.status, answer.headers);
        });
        server.start();
        client = client(new Service(THREE, Duration.ZERO, DEFAULT_WAIT, LONGEST_WAIT));
    }

    private static void answer(HttpExchange exchange, int status, Map<String, String> headers) throws IOException {
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        serverThreads.shutdown();
    }

    private LimitedHttpClient client(Service service) {
        return new LimitedHttpClient(HttpClient.newHttpClient(), service, 2, scheduler, scheduler);
    }

    @Test
    void sendAsync_moreThanTheLimit_waitsInLine() throws Exception {
        client = client(new Service(THREE, SECOND, DEFAULT_WAIT, LONGEST_WAIT));
        for (int i = 0; i < 3; i++) {
            assertThat(status(send())).isEqualTo(200);
        }
        CompletableFuture<HttpResponse<Void>> fourth = send();
        scheduler.advance(MINUTE.plus(SECOND));
        assertThat(client.waiting()).isEqualTo(1);

        scheduler.advance(Duration.ofNanos(1));

        assertThat(status(fourth)).isEqualTo(200);
        assertThat(arrived).containsExactly(0L, 0L, 0L, 61L);
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

    @Test
    void sendAsync_cancelledInLine_leavesItAndIsNotSent() throws Exception {
        for (int i = 0; i < 3; i++) {
            status(send());
        }
        CompletableFuture<HttpResponse<Void>> fourth = send();

        fourth.cancel(true);

        assertThat(client.waiting()).isZero();
        scheduler.advance(MINUTE.multipliedBy(2));
        assertThat(status(send())).isEqualTo(200);
        assertThat(arrived).hasSize(4);
    }

    /** Its body can be read once: sent again, it would be empty. */
    @ParameterizedTest
    @CsvSource({"429, 30", "503, 30", "403, 30", "200, 30", "429, 29.2"})
    void sendAsync_retryAfter_answerIsReturnedAndTheNextWait(int status, String retryAfter) throws Exception {
        answers.add(new Answer(status, Map.of("Retry-After", retryAfter)));
        HttpRequest request = HttpRequest.newBuilder(uri())
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("once".getBytes())))
                .build();

        assertThat(status(client.sendAsync(request, BodyHandlers.discarding()))).isEqualTo(status);

        CompletableFuture<HttpResponse<Void>> next = send();
        scheduler.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(client.waiting()).isEqualTo(1);
        scheduler.advance(Duration.ofNanos(1));
        assertThat(status(next)).isEqualTo(200);
        assertThat(arrived).containsExactly(0L, 30L);
        assertThat(bodies).containsExactly("once", "");
    }

    @ParameterizedTest
    @CsvSource({"soon, 7", "-1, 7", "'Tue, 24 Nov 2026', 7", "999999999, 600", "99999999999999999999, 600", "0, 0"})
    void sendAsync_retryAfterTellsNoTimeOrTooMuch_defaultOrLongest(String retryAfter, long seconds) throws Exception {
        answers.add(new Answer(429, Map.of("Retry-After", retryAfter)));
        status(send());

        CompletableFuture<HttpResponse<Void>> next = send();
        for (long second = 0; second < seconds; second++) {
            assertThat(client.waiting()).isEqualTo(1);
            scheduler.advance(SECOND);
        }

        assertThat(client.waiting()).isZero();
        assertThat(status(next)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503, 500, 404})
    void sendAsync_failureWithoutRetryAfter_nothingWaits(int status) throws Exception {
        answers.add(new Answer(status, Map.of()));

        assertThat(status(send())).isEqualTo(status);

        assertThat(status(send())).isEqualTo(200);
        assertThat(arrived).hasSize(2);
    }

    /** Others use the same account: the service has one left, where this client alone would have two. */
    @Test
    void sendAsync_serviceHasLessLeft_thatIsLeft() throws Exception {
        answers.add(new Answer(200, Map.of("RateLimit-Policy", POLICY, "RateLimit", "\"day\";r=0, \"client\";r=1")));
        status(send());
        status(send());

        send();

        assertThat(client.waiting()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"20, 20", "999999999, 600"})
    void sendAsync_serviceHasNothingLeft_waitsAsItTells(long told, long waited) throws Exception {
        client = client(new Service(Limit.of(3, SECOND), Duration.ZERO, DEFAULT_WAIT, LONGEST_WAIT));
        answers.add(new Answer(
                200, Map.of("RateLimit-Policy", "\"client\";q=3;w=1", "RateLimit", "\"client\";r=0;t=" + told)));
        status(send());

        CompletableFuture<HttpResponse<Void>> next = send();
        scheduler.advance(Duration.ofSeconds(waited).minusNanos(1));
        assertThat(client.waiting()).isEqualTo(1);
        scheduler.advance(Duration.ofNanos(1));

        assertThat(status(next)).isEqualTo(200);
        for (int i = 0; i < 2; i++) {
            assertThat(status(send())).isEqualTo(200); // those of others have expired
        }
        assertThat(arrived).containsExactly(0L, waited, waited, waited);
    }

    /** The draft of the fields says so: the time of a quota may be that of another limit, or longer. */
    @Test
    void sendAsync_retryAfterAndQuota_retryAfterCounts() throws Exception {
        client = client(new Service(Limit.of(3, SECOND), Duration.ZERO, DEFAULT_WAIT, LONGEST_WAIT));
        String policy = "\"client\";q=3;w=1";
        answers.add(new Answer(
                429, Map.of("RateLimit-Policy", policy, "RateLimit", "\"client\";r=0;t=60", "Retry-After", "5")));
        status(send());

        CompletableFuture<HttpResponse<Void>> next = send();
        scheduler.advance(Duration.ofSeconds(5).minusNanos(1));
        assertThat(client.waiting()).isEqualTo(1);
        scheduler.advance(Duration.ofNanos(1));

        assertThat(status(next)).isEqualTo(200);
    }

    /** What was left when it was stored, is not what is left now. */
    @ParameterizedTest
    @CsvSource({"50, 0", "0, 1", "-1, 1", "soon, 1"})
    void sendAsync_answerOfACache_quotaIsIgnored(String age, int waiting) throws Exception {
        answers.add(
                new Answer(200, Map.of("RateLimit-Policy", POLICY, "RateLimit", "\"client\";r=0;t=60", "Age", age)));
        status(send());

        CompletableFuture<HttpResponse<Void>> next = send();

        assertThat(client.waiting()).isEqualTo(waiting);
        next.cancel(true);
    }

    @Test
    void sendAsync_serviceHasNothingLeftAndTellsNoTime_waitsForTheInterval() throws Exception {
        answers.add(new Answer(200, Map.of("RateLimit-Policy", POLICY, "RateLimit", "\"client\";r=0")));
        assertThat(status(send())).isEqualTo(200);

        CompletableFuture<HttpResponse<Void>> next = send();
        scheduler.advance(MINUTE);
        assertThat(client.waiting()).isEqualTo(1);
        scheduler.advance(Duration.ofNanos(1));

        assertThat(status(next)).isEqualTo(200);
    }

    /** Of other quotas, and what is malformed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"client\";q=3;w=60;qu=\"content-bytes\" | \"client\";r=0;t=60",
                "\"client\";q=3;w=1 | \"client\";r=0;t=60",
                "\"client\";q=4;w=60 | \"client\";r=0;t=60",
                "\"client\";q=3;w=60 | \"service\";r=0;t=60",
                "\"client\";q=3;w=60 | \"client\";t=60",
                "\"client\";q=3;w=60 | \"client\";r=-1;t=60",
                "\"client\";q=3;w=60 | \"client\";r=\"none\"",
                "\"client\";q=3;w=60 | \"client\";r=5",
                "\"client\";q=3;w=60 | \"client",
                "\"client\";q=3;w=60 | limit=3, remaining=0, reset=60",
                "\"client | \"client\";r=0;t=60",
                "'' | \"client\";r=0;t=60",
            })
    void sendAsync_fieldTellsNothingOfTheLimit_nothingChanges(String policy, String field) throws Exception {
        answers.add(new Answer(200, Map.of("RateLimit-Policy", policy, "RateLimit", field)));

        for (int i = 0; i < 3; i++) {
            assertThat(status(send())).isEqualTo(200);
        }
    }

    /** Whatever a service writes, its answer comes. */
    @Test
    void sendAsync_anyFields_answered() throws Exception {
        client = client(new Service(Limit.of(1000, MINUTE), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        SplittableRandom random = new SplittableRandom(65);
        for (int i = 0; i < 300; i++) {
            answers.add(new Answer(
                    200,
                    Map.of(
                            "RateLimit-Policy", any(random),
                            "RateLimit", any(random),
                            "Retry-After", any(random))));

            assertThat(status(send())).as("seed 65, round %s", i).isEqualTo(200);
        }
    }

    private static String any(SplittableRandom random) {
        String[] pieces = {
            "\"client\"", "\"", ";", "q=1000", "w=60", "r=", "0", "t=9", ",", "(", ")", ":", "?1", "9", "-"
        };
        StringBuilder value = new StringBuilder("a");
        for (int left = random.nextInt(8); left > 0; left--) {
            value.append(pieces[random.nextInt(pieces.length)]);
        }
        return random.nextBoolean() ? value.substring(1) : value.toString();
    }

    /** The first request arrives last, so the service has less left than when it was sent: by requests of this client. */
    @Test
    void sendAsync_requestsOvertakeEachOther_notTakenForThoseOfOthers() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        answers.add(new Answer(200, Map.of("RateLimit-Policy", POLICY, "RateLimit", "\"client\";r=1"), released));
        CompletableFuture<HttpResponse<Void>> first = send();
        awaitTaken(0);
        status(send());
        released.countDown();
        status(first);

        assertThat(status(send())).isEqualTo(200); // the third of three
    }

    /** What has expired since it was sent is available again, but was not then. */
    @Test
    void sendAsync_answerTakesLongerThanTheInterval_notTakenForPermitsOfOthers() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        answers.add(new Answer(200, Map.of("RateLimit-Policy", POLICY, "RateLimit", "\"client\";r=2"), released));
        CompletableFuture<HttpResponse<Void>> first = send();
        awaitTaken(0);
        scheduler.advance(MINUTE.plusNanos(1));
        released.countDown();
        status(first);

        for (int i = 0; i < 3; i++) {
            assertThat(status(send())).isEqualTo(200);
        }
    }

    /** Two answers tell of the same two requests of others. */
    @Test
    void sendAsync_twoAnswersTellOfOthers_countedOnce() throws Exception {
        client = client(new Service(Limit.of(8, MINUTE), Duration.ZERO, DEFAULT_WAIT, LONGEST_WAIT));
        List<CountDownLatch> released = List.of(new CountDownLatch(1), new CountDownLatch(1));
        String policy = "\"client\";q=8;w=60";
        answers.add(
                new Answer(200, Map.of("RateLimit-Policy", policy, "RateLimit", "\"client\";r=5"), released.get(0)));
        answers.add(
                new Answer(200, Map.of("RateLimit-Policy", policy, "RateLimit", "\"client\";r=4"), released.get(1)));
        CompletableFuture<HttpResponse<Void>> first = send();
        awaitTaken(1);
        CompletableFuture<HttpResponse<Void>> second = send();
        awaitTaken(0);
        released.get(0).countDown();
        status(first);
        released.get(1).countDown();
        status(second);

        for (int i = 0; i < 4; i++) {
            assertThat(status(send())).isEqualTo(200); // with two of others eight of eight
        }
        send();
        assertThat(client.waiting()).isEqualTo(1);
    }

    /** As the filter of examples/web does: limits of the client, its tenant and the service, all or nothing. */
    @Test
    void sendAsync_serverWithThreeQuotas_asFastAsItAllows() throws Exception {
        KeyedLimiter<String> clients = KeyedLimiter.of(Limit.of(60, MINUTE));
        KeyedLimiter<String> tenants = KeyedLimiter.of(Limit.of(1000, Duration.ofHours(1)));
        SlidingWindowLimiter all = SlidingWindowLimiter.of(Limit.of(5, SECOND));
        Limiter three = Limiter.allOf(clients.forKey("alice"), tenants.forKey("acme"), all);
        server.removeContext("/");
        server.createContext("/", exchange -> {
            Decision decision = three.decide(scheduler.getAsLong(), 1);
            answer(exchange, decision.isGranted() ? 200 : 429, fields(decision));
        });
        client = client(new Service(Limit.of(60, MINUTE), Duration.ZERO, DEFAULT_WAIT, LONGEST_WAIT));

        for (int served = 0; served < 50; ) {
            CompletableFuture<HttpResponse<Void>> answer = send();
            while (client.waiting() > 0) {
                scheduler.advance(SECOND);
            }
            served += answer.get().statusCode() == 200 ? 1 : 0;
        }

        // Five, then one that is refused for two seconds: a nanosecond more than one, rounded up.
        assertThat(Duration.ofNanos(scheduler.getAsLong())).isEqualTo(Duration.ofSeconds(18));
    }

    private static Map<String, String> fields(Decision decision) {
        List<Quota> quotas = decision.quotas();
        return Map.of(
                "RateLimit-Policy",
                "\"client\";q=60;w=60, \"tenant\";q=1000;w=3600, \"service\";q=5;w=1",
                "RateLimit",
                String.join(
                        ", ",
                        field("client", quotas.get(0)),
                        field("tenant", quotas.get(1)),
                        field("service", quotas.get(2))),
                decision.isGranted() ? "X-Granted" : "Retry-After",
                Long.toString(seconds(decision.delayNanos())));
    }

    private static String field(String name, Quota quota) {
        return "\"" + name + "\";r=" + quota.remaining() + ";t=" + seconds(quota.nanosUntilMore());
    }

    private static long seconds(long nanos) {
        return Duration.ofNanos(nanos).plus(SECOND).minusNanos(1).toSeconds();
    }

    @Test
    void service_badValues_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Service(THREE, SECOND, MINUTE, SECOND))
                .withMessage("defaultWait: PT1M (expected: 0 to PT1S)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Service(THREE, SECOND, SECOND.negated(), SECOND))
                .withMessage("defaultWait: PT-1S (expected: 0 to PT1S)");
    }

    /** Returns when the server has taken the next answer, which it may keep back. */
    private void awaitTaken(int answersLeft) {
        while (answers.size() > answersLeft) {
            Thread.onSpinWait();
        }
    }

    /** Returns the status of the answer, for which it waits; the clock stands still meanwhile. */
    private static int status(CompletableFuture<HttpResponse<Void>> answer) throws Exception {
        return answer.get().statusCode();
    }

    private CompletableFuture<HttpResponse<Void>> send() {
        return client.sendAsync(HttpRequest.newBuilder(uri()).build(), BodyHandlers.discarding());
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
