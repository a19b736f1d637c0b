package io.github.hotpath.examples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.web.RateLimitConfiguration.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
class RateLimitFilterTest {
    private static final String ALICE = "alice@acme";
    private static final String ADDRESS = "198.51.100.7";

    @TempDir
    private Path directory;

    private final TestLimits limits = new TestLimits();
    private TestServer server;

    @BeforeEach
    void start() throws LifecycleException {
        server = new TestServer(
                directory,
                new RateLimitFilter(request -> limits.ask(
                        request.getServletPath().equals("/login")
                                ? Map.of()
                                : TestLimits.of(request.getRemoteUser(), request.getRemoteAddr()),
                        1)));
    }

    @AfterEach
    void stop() throws LifecycleException {
        server.close();
    }

    @Test
    void get_granted_tellsWhatIsLeft() {
        HttpResponse<String> response = get(ALICE);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("welcome");
        assertThat(field(response, "RateLimit-Policy"))
                .isEqualTo("\"client\";q=3;w=60, \"tenant\";q=8;w=10, \"service\";q=100;w=1");
        // The window is closed: a permit is free again one nanosecond after a whole interval.
        assertThat(field(response, "RateLimit"))
                .isEqualTo("\"client\";r=2;t=61, \"tenant\";r=7;t=11, \"service\";r=99;t=2");
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
    }

    @Test
    void get_refused_429UntilTheDelayHasPassed() {
        useUp(ALICE, 3);
        limits.advance(Duration.ofNanos(1));

        HttpResponse<String> refused = get(ALICE);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(field(refused, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(field(refused, "Retry-After")).isEqualTo("60");
        assertThat(violated(refused)).isEqualTo("\"client\"");
        limits.advance(Duration.ofSeconds(60).minusNanos(1));
        assertThat(get(ALICE).statusCode()).isEqualTo(429);
        limits.advance(Duration.ofNanos(1));
        assertThat(get(ALICE).statusCode()).isEqualTo(200);
    }

    /** A request that one limit refuses uses up nothing of the others. */
    @Test
    void get_manyRefused_countUnderNoLimit() {
        useUp(ALICE, 3);
        for (int i = 0; i < 200; i++) {
            assertThat(get(ALICE).statusCode()).isEqualTo(429);
        }

        useUp("bob@acme", 3);
        useUp("carol@acme", 2);
        assertThat(violated(get("carol@acme"))).isEqualTo("\"tenant\"");
        assertThat(field(get("carol@other"), "RateLimit")).contains("\"service\";r=91;");
    }

    /** Nobody can lock out all others who are not logged in, nor the log-in. */
    @Test
    void get_notLoggedIn_onlyTheClientAndTheServiceAreAsked() {
        for (int address = 0; address < 20; address++) {
            for (int i = 0; i < 3; i++) {
                assertThat(getFrom("192.0.2." + address).statusCode()).isEqualTo(200);
            }
            assertThat(violated(getFrom("192.0.2." + address))).isEqualTo("\"client\"");
        }

        assertThat(field(getFrom(ADDRESS), "RateLimit")).startsWith("\"client\";r=2;t=61, \"service\";r=39;");
    }

    @Test
    void get_withoutLimits_notCounted() {
        for (int i = 0; i < 10; i++) {
            HttpResponse<String> response = server.get("/login", ALICE, ADDRESS);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("RateLimit")).isEmpty();
        }
        useUp(ALICE, 3);
        assertThat(server.get("/login/../", ALICE, ADDRESS).statusCode()).isEqualTo(429);
    }

    /** The second dispatch passes through the filter as well. */
    @ParameterizedTest
    @CsvSource({"/later, 200", "/forward, 200", "/fail, 500"})
    void get_severalDispatches_countsOnce(String path, int status) {
        server.serve("/later", (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                AsyncContext context = request.startAsync();
                context.start(context::dispatch);
            } else {
                response.getOutputStream().print("later");
            }
        });
        server.serve(
                "/forward",
                (request, response) -> request.getRequestDispatcher("/").forward(request, response));
        server.serve("/fail", (request, response) -> {
            throw new IllegalStateException("as always");
        });

        HttpResponse<String> response = server.get(path, null, ADDRESS);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(field(getFrom(ADDRESS), "RateLimit")).startsWith("\"client\";r=1;");
    }

    /** The answer to a request with a body that nobody reads leaves the connection usable. */
    @Test
    void post_refusedOnAConnectionThatIsKeptAlive_nextRequestIsAnswered() throws IOException {
        useUp(ALICE, 3);
        String head = " / HTTP/1.1\r\nHost: localhost\r\nX-User: ";
        String refused = "POST" + head + ALICE + "\r\nContent-Length: 5\r\n\r\nabcde";
        String granted = "GET" + head + "bob@acme\r\nConnection: close\r\n\r\n";

        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            socket.getOutputStream().write((refused + granted).getBytes(US_ASCII));
            List<String> lines = in.lines().toList();

            assertThat(lines.get(0)).startsWith("HTTP/1.1 429");
            assertThat(lines).filteredOn(line -> line.contains("HTTP/1.1 200")).hasSize(1);
            assertThat(lines).last().isEqualTo("welcome");
        }
    }

    private HttpResponse<String> get(String user) {
        return server.get("/", user, ADDRESS);
    }

    private HttpResponse<String> getFrom(String address) {
        return server.get("/", null, address);
    }

    private void useUp(String user, int requests) {
        for (int i = 0; i < requests; i++) {
            assertThat(get(user).statusCode()).isEqualTo(200);
        }
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }

    private static String violated(HttpResponse<String> response) {
        return response.body().replaceFirst(".*\"violated-policies\":\\[(.*)]}", "$1");
    }
}
