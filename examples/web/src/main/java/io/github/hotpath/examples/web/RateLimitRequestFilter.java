package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Limit;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.function.Function;

/** Refuses requests of JAX-RS (Jersey, RESTEasy) with 429. Register it beside the resources. */
@Priority(Priorities.AUTHENTICATION + 1)
public final class RateLimitRequestFilter implements ContainerRequestFilter, ContainerResponseFilter {
    private static final String ANSWER = RateLimitRequestFilter.class.getName();

    private final RequestLimits limits;
    private final Function<ContainerRequestContext, Map<String, Limit>> limitsOf;

    /**
     * Creates a filter.
     *
     * @param limitsOf returns the limits of a request, each by its key; none if it is not limited
     */
    public RateLimitRequestFilter(
            RequestLimits limits, Function<ContainerRequestContext, Map<String, Limit>> limitsOf) {
        this.limits = limits;
        this.limitsOf = limitsOf;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        RequestLimits.Answer answer = limits.ask(limitsOf.apply(request));
        request.setProperty(ANSWER, answer);
        if (!answer.isGranted()) {
            request.abortWith(Response.status(429)
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
