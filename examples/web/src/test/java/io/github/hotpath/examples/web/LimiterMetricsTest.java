package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LimiterMetricsTest {
    private TestService service;

    @BeforeEach
    void start() throws IOException {
        service = new TestService();
    }

    @AfterEach
    void stop() throws IOException {
        service.close();
    }

    @Test
    void requests_grantedAndRefused_counted() {
        for (int i = 0; i < 5; i++) {
            service.getAsUser("alice@acme");
        }
        service.limits.setPlan(LoginOrAddress.loginKey("bob@acme"), Plan.PRO);
        for (int i = 0; i < 6; i++) {
            service.getAsUser("bob@acme");
        }

        assertThat(count("limits.requests", "outcome", "granted")).isEqualTo(8);
        assertThat(count("limits.requests", "outcome", "refused")).isEqualTo(3);
        assertThat(count("limits.refusals", "policy", "client")).isEqualTo(3);
        assertThat(count("limits.refusals", "policy", "tenant")).isEqualTo(1); // with the client's
        assertThat(gauge("client")).isEqualTo(2);
        assertThat(gauge("tenant")).isEqualTo(1);
        assertThat(gauge("failed-logins")).isZero();
        assertThat(service.registry.get("limits.delay").timer().max(TimeUnit.NANOSECONDS))
                .isEqualTo(60_000_000_001.0);
    }

    @Test
    void requests_failedLogins_counted() {
        for (int i = 0; i < 3; i++) {
            service.logIn("192.0.2." + 64 * i, "alice@acme", "guess").join();
            service.logIn("192.0.2.1", "alice@acme", "guess").join();
        }
        service.limits.setLimit(Plan.FREE, TestService.PRO);
        service.logIn("192.0.2.1", "alice@acme", "guess").join();

        assertThat(count("limits.refusals", "policy", "failed-logins")).isEqualTo(1);
        assertThat(gauge("failed-logins")).isEqualTo(4);
    }

    /** As many clients as anybody invents make no more meters, and none of them is named. */
    @Test
    void requests_manyClients_sameMeters() {
        service.getAsUser("alice@acme");
        int meters = service.registry.getMeters().size();

        for (int i = 0; i < 8; i++) {
            service.getFrom("198.51.100." + i);
        }

        assertThat(service.registry.getMeters()).hasSize(meters);
        assertThat(service.registry.getMeters())
                .extracting(Meter::getId)
                .flatExtracting(Meter.Id::getTags)
                .extracting(Tag::getValue)
                .containsOnly("granted", "refused", "client", "tenant", "failed-logins");
    }

    private double count(String name, String tag, String value) {
        return service.registry.get(name).tag(tag, value).counter().count();
    }

    private double gauge(String policy) {
        return service.registry.get("limits.keys").tag("policy", policy).gauge().value();
    }
}
