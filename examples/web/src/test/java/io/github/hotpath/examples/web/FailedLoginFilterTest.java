package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FailedLoginFilterTest {
    private static final String HERE = "192.0.2.1";
    private static final String ELSEWHERE = "192.0.2.2";
    private static final String ALICE = "alice@acme";
    private static final int PERMITS = 3;

    /** A request to {@code /login-waiting} waits for a permit of it. */
    private final Semaphore slowly = new Semaphore(0);

    private final CountDownLatch checking = new CountDownLatch(PERMITS);
    private TestService service;

    @BeforeEach
    void start() throws IOException {
        service = new TestService((classes, context) -> {
            var later = context.addServlet("later", new Later());
            later.setAsyncSupported(true);
            later.addMapping("/login-later");
            context.addServlet("failing", new Failing()).addMapping("/login-failing");
            context.addServlet("waiting", new Waiting()).addMapping("/login-waiting");
            context.getFilterRegistration("failed-logins")
                    .addMappingForUrlPatterns(
                            EnumSet.allOf(DispatcherType.class),
                            true,
                            "/login-later",
                            "/login-failing",
                            "/login-waiting");
        });
        service.limits.setLimit(Plan.FREE, TestService.SERVICE); // so that only failures are limited
    }

    @AfterEach
    void stop() throws IOException {
        service.close();
    }

    @Test
    void logIn_failedAsOftenAsAllowed_429EvenWithTheRightPassword() {
        for (int i = 0; i < PERMITS; i++) {
            assertThat(status(HERE, "guess" + i)).isEqualTo(401);
            service.advance(Duration.ofSeconds(2));
        }

        HttpResponse<String> refused = service.logIn(HERE, ALICE, "password").join();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(RateLimitFilterTest.violated(refused)).containsExactly("failed-logins");
        assertThat(refused.headers().firstValue("Retry-After")).contains("25"); // 24 s and a nanosecond
        assertThat(status(ELSEWHERE, "password")).isEqualTo(200);
        service.advance(Duration.ofSeconds(24));
        assertThat(status(HERE, "password")).isEqualTo(429);
        service.advance(Duration.ofNanos(1));
        assertThat(status(HERE, "password")).isEqualTo(200);
    }

    @Test
    void logIn_succeeds_doesNotCount() {
        for (int i = 0; i < 2; i++) {
            assertThat(status(HERE, "guess" + i)).isEqualTo(401);
        }
        for (int i = 0; i < PERMITS; i++) {
            assertThat(status(HERE, "password")).isEqualTo(200);
        }
        assertThat(status(HERE, "one more guess")).isEqualTo(401);

        assertThat(status(HERE, "password")).isEqualTo(429);
    }

    /** All are refused but as many as may fail, although none of them has failed yet. */
    @Test
    void logIn_manyGuessesAtTheSameTime_noMoreThanTheLimitAreChecked() throws InterruptedException {
        List<CompletableFuture<HttpResponse<String>>> checked = new ArrayList<>();
        for (int i = 0; i < PERMITS; i++) {
            checked.add(get("/login-waiting"));
        }
        checking.await();

        assertThat(get("/login-waiting").join().statusCode()).isEqualTo(429);

        slowly.release(PERMITS); // they succeed, and give back what they had acquired
        assertThat(checked).allMatch(answer -> answer.join().statusCode() == 200);
        slowly.release();
        assertThat(get("/login-waiting").join().statusCode()).isEqualTo(200);
    }

    /** An exception tells nothing about the password, so the attempt counts. */
    @Test
    void logIn_throws_counts() {
        for (int i = 0; i < PERMITS; i++) {
            assertThat(get("/login-failing").join().statusCode()).isEqualTo(500);
            service.advance(Duration.ofNanos(1));
        }

        assertThat(service.failedLogins.forKey("address:" + HERE).available(service.nanos.get()))
                .isZero();
    }

    @Test
    void logIn_answeredLater_countsIfItFails() {
        assertThat(get("/login-later?status=200").join().statusCode()).isEqualTo(200);
        assertThat(get("/login-later?status=401").join().statusCode()).isEqualTo(401);
        assertThat(get("/login-later?status=200").join().statusCode()).isEqualTo(200);

        // One failed; what has been answered may take a moment to be completed.
        while (available() < PERMITS - 1) {
            Thread.onSpinWait();
        }
        assertThat(available()).isEqualTo(PERMITS - 1);
    }

    private long available() {
        return service.failedLogins.forKey("address:" + HERE).available(service.nanos.get());
    }

    /** Another name does not make another client of somebody who guesses. */
    @Test
    void logIn_loggedInAsSomebody_countsForTheAddress() {
        for (int i = 0; i < PERMITS; i++) {
            assertThat(service.send(service.request(Site.LOGIN)
                                    .header("X-Forwarded-For", HERE)
                                    .header("Authorization", Accounts.authorization(ALICE))
                                    .POST(BodyPublishers.noBody()))
                            .join()
                            .statusCode())
                    .isEqualTo(401);
        }

        assertThat(status(HERE, "password")).isEqualTo(429);
    }

    private int status(String address, String password) {
        return service.logIn(address, ALICE, password).join().statusCode();
    }

    private CompletableFuture<HttpResponse<String>> get(String path) {
        return service.send(service.request(path).header("X-Forwarded-For", HERE));
    }

    private static final class Later extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext context = request.startAsync();
            int status = Integer.parseInt(request.getParameter("status"));
            context.start(() -> {
                ((HttpServletResponse) context.getResponse()).setStatus(status);
                context.complete();
            });
        }
    }

    private static final class Failing extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            throw new IllegalStateException("as always");
        }
    }

    private final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            checking.countDown();
            slowly.acquireUninterruptibly();
        }
    }
}
