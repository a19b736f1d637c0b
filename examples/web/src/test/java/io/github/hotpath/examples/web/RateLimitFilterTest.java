package io.github.hotpath.examples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.hotpath.limit.Limit;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RateLimitFilterTest {
    private static final String ALICE = "alice@acme";
    private static final String BOB = "bob@acme";
    private static final String CAROL = "carol@other";
    private static final String ADDRESS = "198.51.100.7";

    private TestService service;

    @BeforeEach
    void start() throws IOException {
        service = new TestService((classes, context) -> {
            context.addServlet("fail", new Fail()).addMapping("/fail");
            context.addServlet("forward", new Forward()).addMapping("/forward");
            var later = context.addServlet("later", new Later());
            later.setAsyncSupported(true);
            later.addMapping("/later");
            context.getFilterRegistration("rate-limit") // as if it had been mapped to all that there are
                    .addMappingForUrlPatterns(EnumSet.complementOf(EnumSet.of(DispatcherType.REQUEST)), true, "/*");
        });
    }

    @AfterEach
    void stop() throws IOException {
        service.close();
    }

    @Test
    void get_granted_200WithWhatIsLeft() {
        HttpResponse<String> response = service.getAsUser(ALICE);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("welcome\n");
        assertThat(field(response, "RateLimit-Policy"))
                .isEqualTo("\"client\";q=3;w=60, \"tenant\";q=8;w=10, \"service\";q=100;w=1");
        // The window is closed: a permit is free again one nanosecond after a whole interval.
        assertThat(field(response, "RateLimit"))
                .isEqualTo("\"client\";r=2;t=61, \"tenant\";r=7;t=11, \"service\";r=99;t=2");
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
    }

    @Test
    void get_refused_429WithProblem() {
        useUp(ALICE, 3);

        HttpResponse<String> response = service.getAsUser(ALICE);

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(field(response, "Content-Type")).isEqualTo("application/problem+json");
        JsonObject problem = problem(response);
        assertThat(problem.get("type").getAsString())
                .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
        assertThat(problem.get("status").getAsInt()).isEqualTo(429);
        assertThat(violated(response)).containsExactly("client");
        assertThat(field(response, "RateLimit")).startsWith("\"client\";r=0;t=61, \"tenant\";r=5;t=11");
        assertThat(field(response, "Retry-After")).isEqualTo("61");
    }

    /** The clock is read to the nanosecond, and Retry-After is rounded up only when it is written. */
    @Test
    void get_beforeAndAtTheDelay_refusedAndGranted() {
        useUp(ALICE, 3);
        service.advance(Duration.ofNanos(1));
        assertThat(field(service.getAsUser(ALICE), "Retry-After")).isEqualTo("60");

        service.advance(Duration.ofSeconds(59));
        assertThat(field(service.getAsUser(ALICE), "Retry-After")).isEqualTo("1");
        service.advance(Duration.ofMillis(999).plusNanos(999_999));
        HttpResponse<String> before = service.getAsUser(ALICE);
        service.advance(Duration.ofNanos(1));
        HttpResponse<String> at = service.getAsUser(ALICE);

        assertThat(before.statusCode()).isEqualTo(429);
        assertThat(field(before, "Retry-After")).isEqualTo("1");
        assertThat(field(before, "RateLimit")).startsWith("\"client\";r=0;t=1, \"tenant\";r=8, ");
        assertThat(at.statusCode()).isEqualTo(200);
    }

    /** Whoever waits as long as Retry-After says is served, and one second earlier is not. */
    @Test
    void get_afterRetryAfterLessOneSecondAndAfterIt_refusedAndGranted() {
        for (int i = 0; i < 3; i++) {
            useUp(ALICE, 1);
            service.advance(Duration.ofMillis(1_234));
        }
        long retryAfter = Long.parseLong(field(service.getAsUser(ALICE), "Retry-After"));
        assertThat(retryAfter).isEqualTo(57); // of 56.298000001 s

        service.advance(Duration.ofSeconds(retryAfter - 1));
        assertThat(service.getAsUser(ALICE).statusCode()).isEqualTo(429);
        service.advance(Duration.ofSeconds(1));
        assertThat(service.getAsUser(ALICE).statusCode()).isEqualTo(200);
    }

    /** A plan that is suspended: nobody is told when to come again. */
    @Test
    void get_refusedForEver_hasNoRetryAfter() {
        service.limits.setLimit(Plan.FREE, Limit.of(0, Duration.ofSeconds(10)));

        HttpResponse<String> refused = service.getAsUser(ALICE);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
        assertThat(field(refused, "RateLimit")).startsWith("\"client\";r=0, ");
        assertThat(service.registry.get("limits.delay").timer().count()).isZero();
    }

    @Test
    void get_tenantExceeded_clientKeepsItsPermits() {
        service.limits.setPlan(client(ALICE), Plan.PRO);
        useUp(ALICE, 5);
        useUp(BOB, 3);
        service.limits.setPlan(client(BOB), Plan.PRO);

        HttpResponse<String> refused = service.getAsUser(BOB);

        assertThat(violated(refused)).containsExactly("tenant");
        assertThat(field(refused, "Retry-After")).isEqualTo("11");
        assertThat(field(refused, "RateLimit")).startsWith("\"client\";r=2;t=61, \"tenant\";r=0;t=11, ");
        useUp(CAROL, 3); // of another tenant
    }

    @Test
    void get_clientExceeded_tenantKeepsItsPermits() {
        useUp(ALICE, 3);
        for (int i = 0; i < 20; i++) {
            assertThat(service.getAsUser(ALICE).statusCode()).isEqualTo(429);
        }

        service.limits.setPlan(client(BOB), Plan.PRO);
        useUp(BOB, 5); // all that remains of 8

        assertThat(violated(service.getAsUser(BOB))).containsExactlyInAnyOrder("client", "tenant");
    }

    @Test
    void get_severalExceeded_retryAfterIsTheLongest() {
        service.limits.setPlan(client(ALICE), Plan.PRO);
        useUp(ALICE, 5);
        useUp(BOB, 3);

        HttpResponse<String> refused = service.getAsUser(ALICE);

        assertThat(violated(refused)).containsExactly("client", "tenant");
        assertThat(field(refused, "Retry-After")).isEqualTo("61");
    }

    @Test
    void setPlan_betweenTwoRequests_countsWhatWasGranted() {
        useUp(ALICE, 3);
        assertThat(service.getAsUser(ALICE).statusCode()).isEqualTo(429);

        service.limits.setPlan(client(ALICE), Plan.PRO);

        HttpResponse<String> response = service.getAsUser(ALICE);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(field(response, "RateLimit-Policy")).startsWith("\"client\";q=5;w=60, ");
        assertThat(field(response, "RateLimit")).startsWith("\"client\";r=1;");
        service.limits.setPlan(client(ALICE), Plan.FREE);
        assertThat(service.getAsUser(ALICE).statusCode()).isEqualTo(429);
    }

    @Test
    void setLimit_whileRunning_appliesToAllWithThePlan() {
        useUp(ALICE, 3);
        useUp(CAROL, 2);

        service.limits.setLimit(Plan.FREE, Limit.of(4, Duration.ofSeconds(60)));

        useUp(ALICE, 1);
        useUp(CAROL, 2);
        assertThat(violated(service.getAsUser(ALICE))).containsExactly("client");
        assertThat(violated(service.getAsUser(CAROL))).containsExactly("client");
    }

    /** Refused requests count under no limit, however many there are. */
    @Test
    void get_10000RefusedOfAGreedyClient_locksOutNobodyElse() {
        useUp(ALICE, 3);

        List<CompletableFuture<HttpResponse<String>>> batch = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            batch.add(service.send(service.request("/").header("Authorization", Accounts.authorization(ALICE))));
            if (batch.size() == 50) {
                assertThat(batch).allMatch(answer -> answer.join().statusCode() == 429);
                batch.clear();
            }
        }

        useUp(BOB, 3);
        useUp(CAROL, 3);
        assertThat(service.getFrom("198.51.100.7").statusCode()).isEqualTo(200);
    }

    @Test
    void get_serviceExceeded_addsNoKeys() {
        for (int i = 0; i < 8; i++) { // all of the tenant of those who are not logged in
            assertThat(service.getFrom("198.51.100." + i).statusCode()).isEqualTo(200);
        }
        int before = service.limits.clients();

        for (int i = 100; i < 200; i++) {
            assertThat(violated(service.getFrom("198.51.100." + i))).containsExactly("tenant");
        }

        assertThat(service.limits.clients()).isEqualTo(before).isEqualTo(8);
    }

    /** The answer to a request with a body that nobody reads leaves the connection usable. */
    @Test
    void post_refusedOnAConnectionThatIsKeptAlive_nextRequestIsAnswered() throws IOException {
        useUp(ALICE, 3);
        String refused = "POST /login HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + Accounts.authorization(ALICE)
                + "\r\nContent-Length: 5\r\n\r\nabcde";
        String granted = "GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + Accounts.authorization(BOB)
                + "\r\nConnection: close\r\n\r\n";

        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port());
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            socket.getOutputStream().write((refused + granted).getBytes(US_ASCII));
            List<String> lines = in.lines().toList();

            assertThat(lines.get(0)).startsWith("HTTP/1.1 429");
            assertThat(lines).filteredOn(line -> line.contains("HTTP/1.1 200")).hasSize(1);
            assertThat(lines).last().isEqualTo("welcome");
        }
    }

    @Test
    void head_anyNumber_asGetWithoutBody() {
        for (int i = 0; i < 3; i++) {
            assertThat(head().statusCode()).isEqualTo(200);
        }

        HttpResponse<String> refused = head();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).isEmpty();
        assertThat(refused.headers().map().keySet())
                .isEqualTo(service.getAsUser(ALICE).headers().map().keySet());
    }

    private HttpResponse<String> head() {
        return service.send(service.request("/")
                        .header("Authorization", Accounts.authorization(ALICE))
                        .method("HEAD", BodyPublishers.noBody()))
                .join();
    }

    /** The second dispatch passes through the filter as well; it has lost who was logged in, but not the address. */
    @Test
    void get_answeredLaterByAnotherDispatch_countsOnce() {
        assertCountsOnce("/later", 200);
    }

    @Test
    void get_forwarded_countsOnce() {
        assertCountsOnce("/forward", 200);
    }

    @Test
    void get_servletFails_countsOnce() {
        assertCountsOnce("/fail", 500);
    }

    private void assertCountsOnce(String path, int status) {
        HttpResponse<String> response = service.send(service.request(path).header("X-Forwarded-For", ADDRESS))
                .join();

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(field(response, "RateLimit")).startsWith("\"client\";r=2;");
        assertThat(field(service.getFrom(ADDRESS), "RateLimit")).startsWith("\"client\";r=1;");
    }

    @Test
    void get_concurrently_exactlyTheLimitIsGranted() {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(service.send(service.request("/").header("Authorization", Accounts.authorization(ALICE))));
        }

        assertThat(answers.stream().filter(answer -> answer.join().statusCode() == 200))
                .hasSize(3);
    }

    private void useUp(String user, int requests) {
        for (int i = 0; i < requests; i++) {
            assertThat(service.getAsUser(user).statusCode()).isEqualTo(200);
        }
    }

    private static String client(String user) {
        return LoginOrAddress.loginKey(user);
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }

    private static JsonObject problem(HttpResponse<String> response) {
        return JsonParser.parseString(response.body()).getAsJsonObject();
    }

    static List<String> violated(HttpResponse<String> response) {
        List<String> names = new ArrayList<>();
        problem(response).getAsJsonArray("violated-policies").forEach(name -> names.add(name.getAsString()));
        return names;
    }

    private static final class Fail extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            throw new IllegalStateException("as always");
        }
    }

    private static final class Forward extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            request.getRequestDispatcher("/").forward(request, response);
        }
    }

    private static final class Later extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                AsyncContext context = request.startAsync();
                context.start(context::dispatch);
            } else {
                response.getOutputStream().print("later");
            }
        }
    }
}
