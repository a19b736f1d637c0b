package io.github.hotpath.examples.web.jaxrs;

import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import java.util.function.Function;

/** Refuses requests of JAX-RS (Jersey, RESTEasy) with 429. Register it beside the resources. */
@Priority(Priorities.AUTHENTICATION + 1)
public final class RateLimitRequestFilter implements ContainerRequestFilter, ContainerResponseFilter {
    private static final String VERDICT = RateLimitRequestFilter.class.getName();

    private final RequestLimits limits;
    private final Function<ContainerRequestContext, Caller> callerOf;

    /**
     * Creates a filter.
     *
     * @param callerOf returns the keys of a request: by {@code getSecurityContext().getUserPrincipal()}, or by the
     *     address, which JAX-RS does not know; in a servlet container {@code @Context HttpServletRequest} does
     */
    public RateLimitRequestFilter(RequestLimits limits, Function<ContainerRequestContext, Caller> callerOf) {
        this.limits = limits;
        this.callerOf = callerOf;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        Verdict verdict = limits.decide(callerOf.apply(request), 1);
        request.setProperty(VERDICT, verdict);
        if (!verdict.isGranted()) {
            request.abortWith(Response.status(429)
                    .type(Verdict.PROBLEM_JSON)
                    .entity(verdict.problem())
                    .build());
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(VERDICT) instanceof Verdict verdict) {
            verdict.fields().forEach(response.getHeaders()::putSingle);
        }
    }
}
