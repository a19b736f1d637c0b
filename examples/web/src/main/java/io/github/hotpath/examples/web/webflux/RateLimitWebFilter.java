package io.github.hotpath.examples.web.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

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
                .flatMap(caller -> Mono.fromCompletionStage(() -> limits.decideAsync(caller, 1)))
                .flatMap(verdict -> answer(exchange, chain, verdict));
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
