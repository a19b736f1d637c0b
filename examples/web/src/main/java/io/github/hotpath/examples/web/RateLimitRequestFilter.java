package io.github.hotpath.examples.web;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Refuses requests of JAX-RS (Jersey, RESTEasy) with 429, or 503. Register it beside the resources. */
@Priority(Priorities.AUTHENTICATION + 1)
public final class RateLimitRequestFilter implements ContainerRequestFilter, ContainerResponseFilter {
    private static final String ANSWER = RateLimitRequestFilter.class.getName();

    private final Function<ContainerRequestContext, CompletableFuture<RequestLimits.Answer>> limits;

    /**
     * Creates a filter.
     *
     * @param limits asks for a request, by {@link RequestLimits#ask}
     */
    public RateLimitRequestFilter(Function<ContainerRequestContext, CompletableFuture<RequestLimits.Answer>> limits) {
        this.limits = limits;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        RequestLimits.Answer answer = limits.apply(request).join();
        request.setProperty(ANSWER, answer);
        if (!answer.isGranted()) {
            request.abortWith(Response.status(answer.status())
                    .type(RequestLimits.Answer.PROBLEM_JSON)
                    .entity(answer.problem())
                    .build());
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(ANSWER) instanceof RequestLimits.Answer answer) {
            answer.fields().forEach(response.getHeaders()::putSingle);
        }
    }
}
