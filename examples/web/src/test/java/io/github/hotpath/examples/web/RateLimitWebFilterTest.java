package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.reflect.Reflection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

class RateLimitWebFilterTest {
    @Test
    void get_inReactorNetty_limits() throws Exception {
        TestLimits limits = new TestLimits();
        RateLimitWebFilter filter = new RateLimitWebFilter(exchange ->
                exchange.getRequest().getPath().value().equals("/health")
                        ? Mono.just(limits.ask(Map.of(), 1))
                        : Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-User"))
                                .map(user -> limits.ask(TestLimits.of(user, null), 1)));
        var handler = WebHttpHandlerBuilder.webHandler(exchange -> exchange.getResponse()
                        .writeWith(Mono.just(exchange.getResponse()
                                .bufferFactory()
                                .wrap("welcome".getBytes(StandardCharsets.UTF_8)))))
                .filter(filter)
                .build();
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
        try {
            for (int i = 0; i < 3; i++) {
                assertThat(get(server.port(), "/", "alice").body()).isEqualTo("welcome");
            }

            HttpResponse<String> refused = get(server.port(), "/", "alice");

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(refused.headers().firstValue("Retry-After")).contains("61");
            assertThat(refused.body()).contains("\"violated-policies\":[\"client\"]");
            assertThat(get(server.port(), "/health", "alice").statusCode()).isEqualTo(200);
            assertThat(get(server.port(), "/", "bob")
                            .headers()
                            .firstValue("RateLimit")
                            .orElseThrow())
                    .startsWith("\"client\";r=2;");
            assertThat(get(server.port(), "/", null).statusCode()).isEqualTo(500); // no caller
        } finally {
            server.disposeNow(Duration.ofMinutes(10));
        }
    }

    /** The thread that brings a remote answer brings those of all other requests, too. */
    @Test
    void filter_answeredLater_continuesOnAnotherThread() {
        CompletableFuture<RequestLimits.Answer> answer = new CompletableFuture<>();
        RateLimitWebFilter filter = new RateLimitWebFilter(exchange -> Mono.just(answer));
        ServerHttpResponse response =
                Reflection.newProxy(ServerHttpResponse.class, (proxy, method, args) -> new HttpHeaders());
        CompletableFuture<Thread> continued = new CompletableFuture<>();
        filter.filter(
                        Reflection.newProxy(ServerWebExchange.class, (proxy, method, args) -> response),
                        exchange -> Mono.fromRunnable(() -> continued.complete(Thread.currentThread())))
                .subscribe(nothing -> {}, continued::completeExceptionally);

        answer.complete(new RequestLimits.Answer(0, Map.of()));

        assertThat(continued.join()).isNotSameAs(Thread.currentThread());
    }

    private static HttpResponse<String> get(int port, String path, @org.jspecify.annotations.Nullable String user)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(10));
        if (user != null) {
            request.header("X-User", user);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
