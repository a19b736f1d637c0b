package io.github.hotpath.examples.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Refuses requests of Spring WebFlux with 429, or 503. */
public final class RateLimitWebFilter implements WebFilter {
    private final Function<ServerWebExchange, Mono<CompletableFuture<RequestLimits.Answer>>> limits;

    /**
     * Creates a filter.
     *
     * @param limits asks for a request, by {@link RequestLimits#ask}
     */
    public RateLimitWebFilter(Function<ServerWebExchange, Mono<CompletableFuture<RequestLimits.Answer>>> limits) {
        this.limits = limits;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return limits.apply(exchange)
                .single() // without a value, the request would be answered by nothing
                .flatMap(RateLimitWebFilter::await)
                .flatMap(answer -> respond(exchange, chain, answer));
    }

    private static Mono<RequestLimits.Answer> await(CompletableFuture<RequestLimits.Answer> answer) {
        Mono<RequestLimits.Answer> answered = Mono.fromFuture(answer, true);
        // The thread that brings a remote answer must not run the rest of the request: it brings all the others, too.
        return answer.isDone() ? answered : answered.publishOn(Schedulers.parallel());
    }

    private static Mono<Void> respond(ServerWebExchange exchange, WebFilterChain chain, RequestLimits.Answer answer) {
        ServerHttpResponse response = exchange.getResponse();
        answer.fields().forEach(response.getHeaders()::set);
        if (answer.isGranted()) {
            return chain.filter(exchange);
        }
        response.setStatusCode(HttpStatus.valueOf(answer.status()));
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return response.writeWith(Mono.fromSupplier(
                () -> response.bufferFactory().wrap(answer.problem().getBytes(UTF_8))));
    }
}
