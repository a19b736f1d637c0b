package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** The application of the program, started as a user starts it. */
@Timeout(600)
class RateLimitConfigurationTest {
    private static final String ONE_AN_HOUR = "--hotpath.limits.client.requests=1";
    private static final String HOUR = "--hotpath.limits.client.per=1h";

    @TempDir
    private Path directory;

    private ConfigurableApplicationContext application;

    private void start(String... properties) {
        application = LimitWeb.start(directory, properties);
    }

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    @Test
    void get_byDefault_eachClientHas60AMinute() throws Exception {
        start();
        for (int i = 0; i < 60; i++) {
            assertThat(get("/").body()).isEqualTo("welcome");
        }

        HttpResponse<String> refused = get("/");

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("RateLimit-Policy")).contains("\"client\";q=60;w=60");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    }

    /** A first visit to a page asks for its files at once, so these are free; nothing else is that begins as they do. */
    @ParameterizedTest
    @CsvSource({
        "/css/a.css, 404",
        "/webjars/b/c.js, 404",
        "/actuator/health, 404",
        "/favicon.ico, 404",
        "/livez, 404",
        "/readyz, 404",
        "/css/../, 429",
        "/a/../css/a.css, 429",
        "/a/..;/css/a.css, 429",
        "/a/%2e%2e/css/a.css, 429",
        "/css;x/..;y/, 429",
        "/a.css, 429",
        "/, 429"
    })
    void get_clientExhausted_staticFilesAreFree(String path, int status) throws Exception {
        start(ONE_AN_HOUR, HOUR);
        assertThat(get("/").statusCode()).isEqualTo(200);

        assertThat(get(path).statusCode()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS, true, 200", "OPTIONS, false, 429", "DELETE, true, 429"})
    void preflight_clientExhausted_isFree(String method, boolean hasRequestMethod, int status) throws Exception {
        start(ONE_AN_HOUR, HOUR);
        assertThat(get("/").statusCode()).isEqualTo(200);
        HttpRequest.Builder request = request("/").method(method, BodyPublishers.noBody());

        HttpResponse<String> response =
                send(hasRequestMethod ? request.header("Access-Control-Request-Method", "PUT") : request);

        assertThat(response.statusCode()).isEqualTo(status);
    }

    /** Tomcat takes the last address that is no trusted proxy: those before it came with the request. */
    @Test
    void get_behindAProxy_clientIsTheAddressThatTheProxyHasSeen() throws Exception {
        start(ONE_AN_HOUR, HOUR, "--server.forward-headers-strategy=native");
        assertThat(getFrom("198.51.100.7").statusCode()).isEqualTo(200);
        assertThat(getFrom("203.0.113.9, 198.51.100.7").statusCode()).isEqualTo(429);
        assertThat(getFrom("2001:db8:1:2::7").statusCode()).isEqualTo(200);
        assertThat(getFrom("2001:db8:1:2::8").statusCode()).isEqualTo(429);
        assertThat(getFrom("2001:db8:1:3::8").statusCode()).isEqualTo(200);
    }

    @Test
    void get_noProxyTrusted_fieldIsIgnored() throws Exception {
        start(ONE_AN_HOUR, HOUR);
        assertThat(getFrom("198.51.100.7").statusCode()).isEqualTo(200);
        assertThat(getFrom("198.51.100.8").statusCode()).isEqualTo(429);
    }

    @Test
    void get_serviceExhausted_refusesAll() throws Exception {
        start("--hotpath.limits.service.requests=1", "--hotpath.limits.service.per=3600");
        assertThat(get("/").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = get("/");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("\"violated-policies\":[\"service\"]");
        assertThat(refused.headers().firstValue("RateLimit-Policy"))
                .contains("\"client\";q=60;w=60, \"service\";q=1;w=3600");
    }

    @Test
    void get_ownBeans_chooseTheLimitsAndKeepThem() throws Exception {
        start("--spring.profiles.active=own");
        HttpResponse<String> refused = get("/export");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("7");
        assertThat(refused.headers().firstValue("RateLimit")).contains("\"client\";r=0;t=7, \"hour\";r=0;t=7");
        assertThat(refused.body()).contains("\"violated-policies\":[\"client\",\"hour\"]");
        assertThat(application.getBean(Own.class).asked)
                .containsOnlyKeys("client:address:127.0.0.1", "hour:client:address:127.0.0.1");
        assertThat(application.getBean(Own.class).permits).isEqualTo(10);
    }

    /** While the store is away, the limits of the process decide, as the property says. */
    @ParameterizedTest
    @CsvSource({"refuse, 503, 503", "local, 200, 429", "serve, 200, 200"})
    void get_storeIsAway_doneWhatThePropertySays(String without, int first, int second) throws Exception {
        start("--spring.profiles.active=away", ONE_AN_HOUR, HOUR, "--hotpath.limits.without-store=" + without);
        assertThat(get("/").statusCode()).isEqualTo(first);
        HttpResponse<String> other = get("/");
        assertThat(other.statusCode()).isEqualTo(second);
        assertThat(other.headers().firstValue("Retry-After").isPresent()).isEqualTo(second != 200);
        assertThat(get("/livez").statusCode()).isEqualTo(404);
    }

    @Test
    void get_switchedOff_noLimit() throws Exception {
        start(ONE_AN_HOUR, HOUR, "--hotpath.limits.enabled=false");
        for (int i = 0; i < 3; i++) {
            assertThat(get("/").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"--hotpath.limits.client.requests=-1, -1", "--hotpath.limits.client.per=-1s, PT-1S"})
    void start_wrongLimit_saysWhatIsExpected(String property, String value) {
        assertThatThrownBy(() -> start(property)).hasStackTraceContaining(value + " (expected: ");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private HttpResponse<String> getFrom(String forwardedFor) throws Exception {
        return send(request("/").header("X-Forwarded-For", forwardedFor));
    }

    private HttpRequest.Builder request(String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(10));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    /** What a user writes; found beside the application. */
    @Configuration(proxyBeanMethods = false)
    @Profile("own")
    static class Own {
        private static final Duration MINUTE = Duration.ofMinutes(1);

        private Map<String, Limit> asked = Map.of();
        private int permits;

        @Bean
        RateLimitConfiguration.LimitsOf limitsOf() {
            return new RateLimitConfiguration.LimitsOf() {
                @Override
                public Map<String, Limit> apply(HttpServletRequest request) {
                    String user = request.getRemoteUser();
                    String client = RequestLimits.clientKey(user, request.getRemoteAddr());
                    Map<String, Limit> limits = new LinkedHashMap<>();
                    limits.put(client, Limit.of(user == null ? 60 : 300, MINUTE));
                    limits.put("hour:" + client, Limit.of(2_000, Duration.ofHours(1)));
                    if (user != null) {
                        limits.put("tenant:" + user.substring(user.indexOf('@') + 1), Limit.of(6_000, MINUTE));
                    }
                    return limits;
                }

                @Override
                public int permits(HttpServletRequest request) {
                    return request.getRequestURI().startsWith("/export") ? 10 : 1;
                }
            };
        }

        @Bean
        RequestLimits shared() {
            return (limits, permits) -> {
                asked = limits;
                this.permits = permits;
                long delay = Duration.ofSeconds(7).toNanos();
                Map<String, Quota> quotas = new LinkedHashMap<>();
                limits.forEach((key, limit) -> quotas.put(key, new Quota(limit, 0, delay, true)));
                return CompletableFuture.completedFuture(new RequestLimits.Answer(delay, quotas));
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Profile("away")
    static class Away {
        @Bean
        RequestLimits shared() {
            return (limits, permits) -> CompletableFuture.failedFuture(new IllegalStateException("as always"));
        }
    }
}
