package io.github.hotpath.examples.web.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** The application of the program, started as a user starts it. */
class RateLimitConfigurationTest {
    @TempDir
    private Path directory;

    @Test
    void application_withProperties_limitsMetersAndHealth() throws Exception {
        try (ConfigurableApplicationContext application = LimitWeb.start(
                directory,
                "--hotpath.limits.client=3/1h",
                "--hotpath.limits.failed-logins=2/1h",
                "--hotpath.limits.trusted-proxies=127.0.0.0/8",
                "--hotpath.limits.forwarded-header=Forwarded",
                "--management.endpoint.health.show-details=always")) {
            for (int i = 0; i < 3; i++) {
                assertThat(send(get(application, "/")).body()).isEqualTo("welcome");
            }

            HttpResponse<String> refused = send(get(application, "/"));

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("RateLimit-Policy"))
                    .contains("\"client\";q=3;w=3600, \"service\";q=1000;w=1");
            assertThat(send(get(application, "/").header("Forwarded", "for=192.0.2.1"))
                            .statusCode())
                    .isEqualTo(200);
            // A probe is exempt; nothing else is that begins as its path does.
            HttpResponse<String> health = send(get(application, "/actuator/health"));
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"limits\":{", "\"clients\":2");
            assertThat(send(get(application, "/actuator/health/../..")).statusCode())
                    .isEqualTo(429);
            MeterRegistry registry = application.getBean(MeterRegistry.class);
            assertThat(registry.get("limits.requests")
                            .tag("outcome", "refused")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("limits.refusals")
                            .tag("policy", "client")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("limits.delay").timer().count()).isEqualTo(2);

            for (int i = 0; i < 2; i++) { // whoever logs in is asked by the filter of log-ins alone
                assertThat(send(get(application, "/login").POST(BodyPublishers.noBody()))
                                .statusCode())
                        .isEqualTo(404);
            }
            assertThat(send(get(application, "/login").POST(BodyPublishers.noBody()))
                            .body())
                    .contains("failed-logins");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "60/60"})
    void application_wrongLimit_saysWhatIsExpected(String limit) {
        assertThatThrownBy(() -> LimitWeb.start(directory, "--hotpath.limits.client=" + limit))
                .hasStackTraceContaining("limit: " + limit + " (expected: permits and interval, as in 60/1m)");
    }

    private static HttpRequest.Builder get(ConfigurableApplicationContext application, String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(10));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
