package io.github.hotpath.examples.web.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Refuses requests of Spring WebFlux with 429. Never blocks, wherever the limits are. */
public final class RateLimitWebFilter implements WebFilter {
    private final RequestLimits limits;
    private final Function<ServerWebExchange, Mono<Caller>> callerOf;
    private final Predicate<ServerWebExchange> exempt;

    /**
     * Creates a filter.
     *
     * @param callerOf returns the keys of a request: by {@code getPrincipal()}, or by {@code
     *     getRequest().getRemoteAddress()}
     * @param exempt what is passed on without being counted, such as {@code CorsUtils.isPreFlightRequest}
     */
    public RateLimitWebFilter(
            RequestLimits limits,
            Function<ServerWebExchange, Mono<Caller>> callerOf,
            Predicate<ServerWebExchange> exempt) {
        this.limits = limits;
        this.callerOf = callerOf;
        this.exempt = exempt;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (exempt.test(exchange)) {
            return chain.filter(exchange);
        }
        return callerOf.apply(exchange)
                .single() // a request without a caller would be answered by nothing
                .flatMap(this::decide)
                .flatMap(verdict -> answer(exchange, chain, verdict));
    }

    private Mono<Verdict> decide(Caller caller) {
        CompletableFuture<Verdict> verdict = limits.decideAsync(caller, 1).toCompletableFuture();
        Mono<Verdict> decided = Mono.fromCompletionStage(verdict);
        // The thread that brings a remote answer must not run the rest of the request: it brings all the others, too.
        return verdict.isDone() ? decided : decided.publishOn(Schedulers.parallel());
    }

    private static Mono<Void> answer(ServerWebExchange exchange, WebFilterChain chain, Verdict verdict) {
        ServerHttpResponse response = exchange.getResponse();
        verdict.fields().forEach(response.getHeaders()::set);
        if (verdict.isGranted()) {
            return chain.filter(exchange);
        }
        response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return response.writeWith(Mono.fromSupplier(
                () -> response.bufferFactory().wrap(verdict.problem().getBytes(UTF_8))));
    }
}
