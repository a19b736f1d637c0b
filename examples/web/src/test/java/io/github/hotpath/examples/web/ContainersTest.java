package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.Limit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The filter where it is registered as the README says: in a plain container, here Jetty, and in Spring Boot. */
class ContainersTest {
    private static final Limit FREE = Limit.of(3, Duration.ofHours(1));
    private static final Limit OTHERS = Limit.of(1000, Duration.ofHours(1));

    private static ServiceLimits limits() {
        return new ServiceLimits(Map.of(Plan.FREE, FREE, Plan.PRO, OTHERS), OTHERS, OTHERS);
    }

    private static LimiterMetrics metrics() {
        return new LimiterMetrics(new SimpleMeterRegistry());
    }

    private static CallerResolver callers() {
        return new LoginOrAddress(Set.of(), user -> user);
    }

    @Test
    void filter_inJetty_limits() throws Exception {
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ServletContextHandler handler = new ServletContextHandler("/");
        handler.addServletContainerInitializer((classes, context) -> register(context, limits(), callers(), metrics()));
        handler.addServlet(new Greeting(), "/");
        server.setHandler(handler);
        server.start();
        try {
            checkLimit(((ServerConnector) server.getConnectors()[0]).getLocalPort());
        } finally {
            server.stop();
        }
    }

    private static void register(
            ServletContext context, ServiceLimits limits, CallerResolver callers, LimiterMetrics metrics) {
        FilterRegistration.Dynamic filter =
                context.addFilter("rate-limit", new RateLimitFilter(limits, callers, metrics, System::nanoTime));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
    }

    @Test
    void filter_inSpringBoot_limits(@TempDir Path directory) throws Exception {
        try (ConfigurableApplicationContext application = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.tomcat.basedir=" + directory,
                "--spring.main.banner-mode=off",
                "--spring.main.register-shutdown-hook=false")) {
            checkLimit(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        }
    }

    private static void checkLimit(int port) throws IOException, InterruptedException {
        for (int i = 1; i <= 3; i++) {
            HttpResponse<String> response = get(port);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("RateLimit").orElseThrow())
                    .startsWith("\"client\";r=" + (3 - i) + ";t=3");
        }

        HttpResponse<String> refused = get(port);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(1L, 3600L);
        assertThat(RateLimitFilterTest.violated(refused)).containsExactly("client");
    }

    private static HttpResponse<String> get(int port) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString());
    }

    private static final class Greeting extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().print("welcome\n");
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        ServiceLimits limits() {
            return ContainersTest.limits();
        }

        @Bean
        CallerResolver callers() {
            return ContainersTest.callers();
        }

        @Bean
        LimiterMetrics metrics() {
            return ContainersTest.metrics();
        }

        @Bean
        FilterRegistrationBean<RateLimitFilter> rateLimit(
                ServiceLimits limits, CallerResolver callers, LimiterMetrics metrics) {
            RateLimitFilter filter = new RateLimitFilter(limits, callers, metrics, System::nanoTime);
            FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
            registration.setOrder(-99); // right behind Spring Security, whose order is -100
            return registration;
        }

        @Bean
        ServletRegistrationBean<Greeting> greeting() {
            return new ServletRegistrationBean<>(new Greeting(), "/");
        }
    }
}
