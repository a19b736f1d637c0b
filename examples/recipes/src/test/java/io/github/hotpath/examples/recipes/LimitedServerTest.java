package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitedServerTest {
    private static final int LIMIT = 5;
    private static final int ALL = 1_000;
    private static final long INTERVAL_NANOS = Duration.ofSeconds(3).toNanos();

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
        HttpRequest request =
                HttpRequest.newBuilder(server.uri()).header("X-Client", client).build();
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    private static long waitNanos(HttpResponse<String> response) {
        return Long.parseLong(response.body().replace(" ns\n", ""));
    }
}
