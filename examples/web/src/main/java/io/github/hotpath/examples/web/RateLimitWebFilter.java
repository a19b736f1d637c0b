package io.github.hotpath.examples.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.limit.Limit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Refuses requests of Spring WebFlux with 429. */
public final class RateLimitWebFilter implements WebFilter {
    private final Function<Map<String, Limit>, CompletionStage<RequestLimits.Answer>> limits;
    private final Function<ServerWebExchange, Mono<Map<String, Limit>>> limitsOf;

    /**
     * Creates a filter.
     *
     * @param limits answers as {@link RequestLimits#ask}, and does not block
     * @param limitsOf returns the limits of a request, each by its key; none if it is not limited
     */
    public RateLimitWebFilter(
            Function<Map<String, Limit>, CompletionStage<RequestLimits.Answer>> limits,
            Function<ServerWebExchange, Mono<Map<String, Limit>>> limitsOf) {
        this.limits = limits;
        this.limitsOf = limitsOf;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return limitsOf.apply(exchange)
                .single() // without a value, the request would be answered by nothing
                .flatMap(this::ask)
                .flatMap(answer -> respond(exchange, chain, answer));
    }

    private Mono<RequestLimits.Answer> ask(Map<String, Limit> keys) {
        CompletableFuture<RequestLimits.Answer> answer = limits.apply(keys).toCompletableFuture();
        Mono<RequestLimits.Answer> answered = Mono.fromCompletionStage(answer);
        // The thread that brings a remote answer must not run the rest of the request: it brings all the others, too.
        return answer.isDone() ? answered : answered.publishOn(Schedulers.parallel());
    }

    private static Mono<Void> respond(ServerWebExchange exchange, WebFilterChain chain, RequestLimits.Answer answer) {
        ServerHttpResponse response = exchange.getResponse();
        answer.fields().forEach(response.getHeaders()::set);
        if (answer.isGranted()) {
            return chain.filter(exchange);
        }
        response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return response.writeWith(Mono.fromSupplier(
                () -> response.bufferFactory().wrap(answer.problem().getBytes(UTF_8))));
    }
}
