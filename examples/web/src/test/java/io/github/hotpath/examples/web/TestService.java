package io.github.hotpath.examples.web;

import com.google.common.net.InetAddresses;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The service as the program has it, on a real Tomcat, with limits for tests and a clock that stands still. Connections
 * come from the loopback address, which is a trusted proxy, so each test chooses its addresses.
 */
final class TestService implements AutoCloseable {
    static final Limit FREE = Limit.of(3, Duration.ofSeconds(60));
    static final Limit PRO = Limit.of(5, Duration.ofSeconds(60));
    static final Limit TENANT = Limit.of(8, Duration.ofSeconds(10));
    static final Limit SERVICE = Limit.of(100, Duration.ofSeconds(1));
    static final Limit FAILED_LOGINS = Limit.of(3, Duration.ofSeconds(30));

    /** No answer takes so long: without an end, a server that is blocked would block the tests. */
    private static final Duration MOST = Duration.ofMinutes(1);

    /** Near the end of the range, so that the clock wraps around in the middle of a test. */
    final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    final ServiceLimits limits = new ServiceLimits(Map.of(Plan.FREE, FREE, Plan.PRO, PRO), TENANT, SERVICE);
    final KeyedLimiter<String> failedLogins = KeyedLimiter.of(FAILED_LOGINS);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final LimitedService service;
    final HttpClient http = HttpClient.newHttpClient();

    private final WebServer server;

    TestService(ServletContainerInitializer... more) throws IOException {
        Accounts accounts = new Accounts(Stream.of("alice@acme", "bob@acme", "carol@other", "192.0.2.1")
                .collect(Collectors.toMap(user -> user, user -> "password")));
        CallerResolver callers = new LoginOrAddress(
                Set.of(InetAddresses.forString("127.0.0.1")), user -> user.substring(user.indexOf('@') + 1));
        service = new LimitedService(accounts, limits, failedLogins, callers, nanos::get, registry);
        server = new WebServer(Stream.concat(Stream.of(service.filters(), new Site(accounts)), Stream.of(more))
                .toArray(ServletContainerInitializer[]::new));
    }

    int port() {
        return server.port();
    }

    void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.uri(path)).timeout(MOST);
    }

    CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> getAsUser(String user) {
        return send(request("/").header("Authorization", Accounts.authorization(user)))
                .join();
    }

    /** Sends a request as a proxy does for a client with that address. */
    HttpResponse<String> getFrom(String address) {
        return send(request("/").header("X-Forwarded-For", address)).join();
    }

    CompletableFuture<HttpResponse<String>> logIn(String address, String user, String password) {
        return send(request(Site.LOGIN)
                .header("X-Forwarded-For", address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("user=" + user.replace("@", "%40") + "&password=" + password)));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
