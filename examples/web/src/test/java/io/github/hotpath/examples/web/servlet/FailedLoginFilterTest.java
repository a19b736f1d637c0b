package io.github.hotpath.examples.web.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.web.ClientAddresses;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log-in by a form, which answers 302 whether the password was right or wrong. */
@Timeout(600)
class FailedLoginFilterTest {
    private static final String HERE = "192.0.2.1";
    private static final int PERMITS = 3;

    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger checked = new AtomicInteger();
    private final KeyedLimiter<String> failures = KeyedLimiter.of(Limit.of(PERMITS, Duration.ofSeconds(30)));
    private TestServer server;

    @BeforeEach
    void start() throws LifecycleException {
        ClientAddresses addresses = new ClientAddresses(List.of("127.0.0.1"), "X-Forwarded-For", 64);
        server = new TestServer(
                directory,
                new FailedLoginFilter(
                        failures,
                        request -> CallerResolver.addressOf(request, addresses),
                        request -> request.getMethod().equals("POST"),
                        (request, response) -> request.getAttribute("logged-in") != null,
                        nanos::get));
        server.serve("/form", (request, response) -> {
            checkPassword(request);
            response.sendRedirect("/elsewhere");
        });
        server.serve("/page", (request, response) -> checkPassword(request)); // 200, with the form again
    }

    @AfterEach
    void stop() throws LifecycleException {
        server.close();
    }

    private void checkPassword(HttpServletRequest request) {
        checked.incrementAndGet();
        if (request.getParameter("password").equals("right")) {
            request.setAttribute("logged-in", true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/form", "/page"})
    void logIn_1000WrongPasswords_noMoreThanTheLimitAreChecked(String path) {
        for (int i = 0; i < 1000; i++) {
            logIn(path, HERE, "guess" + i);
        }

        assertThat(checked).hasValue(PERMITS);
        HttpResponse<String> refused = logIn(path, HERE, "right");
        assertThat(RateLimitFilterTest.violated(refused)).containsExactly("failed-logins");
        assertThat(refused.headers().firstValue("Retry-After")).contains("31");
        assertThat(isChecked(path, "192.0.2.2", "right")).isTrue();
        nanos.set(Duration.ofSeconds(30).toNanos());
        assertThat(isChecked(path, HERE, "right")).isFalse();
        nanos.incrementAndGet();
        assertThat(isChecked(path, HERE, "right")).isTrue();
    }

    @Test
    void logIn_succeeds_doesNotCount() {
        assertThat(isChecked("/form", HERE, "wrong")).isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(isChecked("/form", HERE, "right")).isTrue();
        }

        assertThat(failures.forKey(HERE).available(0)).isEqualTo(PERMITS - 1);
    }

    @Test
    void get_theForm_doesNotCount() {
        for (int i = 0; i < 10; i++) {
            assertThat(server.get("/", null, HERE).statusCode()).isEqualTo(200);
        }

        assertThat(failures.size()).isZero();
    }

    /** All are refused but as many as may fail, although none of them has failed yet. */
    @Test
    void logIn_manyGuessesAtTheSameTime_noMoreThanTheLimitAreChecked() throws InterruptedException {
        Semaphore slowly = new Semaphore(0);
        CountDownLatch checking = new CountDownLatch(PERMITS);
        server.serve("/slow", (request, response) -> {
            checking.countDown();
            slowly.acquireUninterruptibly();
            checkPassword(request);
        });
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            answers.add(post("/slow", HERE, "right"));
        }
        checking.await();

        assertThat(logIn("/slow", HERE, "right").statusCode()).isEqualTo(429);

        slowly.release(PERMITS + 1);
        assertThat(answers).allMatch(answer -> answer.join().statusCode() == 200);
        assertThat(isChecked("/slow", HERE, "right")).isTrue();
    }

    /** An exception tells nothing about the password, so the attempt counts. */
    @Test
    void logIn_throws_counts() {
        server.serve("/fail", (request, response) -> {
            checkPassword(request);
            throw new IllegalStateException("as always");
        });
        assertThat(logIn("/fail", HERE, "right").statusCode()).isEqualTo(500);

        assertThat(failures.forKey(HERE).available(0)).isEqualTo(PERMITS - 1);
    }

    @Test
    void logIn_answeredLater_countsIfItFails() throws LifecycleException {
        server.serve("/later", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.start(() -> {
                checkPassword(request);
                context.complete();
            });
        });
        logIn("/later", HERE, "right");
        logIn("/later", HERE, "wrong");
        server.stop(); // what has been answered may take a moment to be completed

        assertThat(failures.forKey(HERE).available(0)).isEqualTo(PERMITS - 1);
    }

    private boolean isChecked(String path, String address, String password) {
        int before = checked.get();
        logIn(path, address, password);
        return checked.get() > before;
    }

    private HttpResponse<String> logIn(String path, String address, String password) {
        return post(path, address, password).join();
    }

    private CompletableFuture<HttpResponse<String>> post(String path, String address, String password) {
        return server.send(server.request(path)
                .header("X-Forwarded-For", address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("password=" + password)));
    }
}
