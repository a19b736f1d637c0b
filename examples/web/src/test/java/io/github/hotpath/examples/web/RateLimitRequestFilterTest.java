package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

class RateLimitRequestFilterTest {
    @Path("/")
    public static final class Greeting {
        @GET
        public String greet() {
            return "welcome";
        }
    }

    @Test
    void get_inJersey_limits() throws Exception {
        TestLimits limits = new TestLimits();
        ResourceConfig config = new ResourceConfig(Greeting.class)
                .register(new RateLimitRequestFilter(
                        request -> limits.ask(TestLimits.of(request.getHeaderString("X-User"), null), 1)));
        HttpServer server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), config);
        try {
            int port = server.getAddress().getPort();
            for (int i = 0; i < 3; i++) {
                assertThat(get(port, "alice").body()).isEqualTo("welcome");
            }

            HttpResponse<String> refused = get(port, "alice");

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(refused.headers().firstValue("Retry-After")).contains("61");
            assertThat(refused.body()).contains("\"violated-policies\":[\"client\"]");
            assertThat(get(port, "bob").headers().firstValue("RateLimit").orElseThrow())
                    .startsWith("\"client\";r=2;");
        } finally {
            server.stop(0);
        }
    }

    private static HttpResponse<String> get(int port, String user) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .header("X-User", user)
                .timeout(Duration.ofMinutes(10))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
