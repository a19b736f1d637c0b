package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Decision;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Passes on a request that all limits grant, and answers every other one with 429. Either answer has the {@code
 * RateLimit} fields. Put it behind the filter that authenticates, and in front of everything that costs something.
 */
final class RateLimitFilter implements Filter {
    private final ServiceLimits limits;
    private final CallerResolver callers;
    private final LimiterMetrics metrics;
    private final LongSupplier nanoClock;

    RateLimitFilter(ServiceLimits limits, CallerResolver callers, LimiterMetrics metrics, LongSupplier nanoClock) {
        this.limits = limits;
        this.callers = callers;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        // A forward, an error page and the rest of an asynchronous request are parts of a request that was counted.
        if (request.getDispatcherType() != DispatcherType.REQUEST
                || admit((HttpServletRequest) request, (HttpServletResponse) response)) {
            chain.doFilter(request, response);
        }
    }

    /** Acquires a permit of every limit and returns true, or of none, and answers. */
    private boolean admit(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Caller caller = callers.callerOf(Origin.of(request));
        Decision decision = limits.of(caller).decide(nanoClock.getAsLong(), 1);
        metrics.count(decision);
        response.setHeader(RateLimitFields.POLICY, RateLimitFields.policy(ServiceLimits.POLICIES, decision.quotas()));
        response.setHeader(RateLimitFields.STATE, RateLimitFields.state(ServiceLimits.POLICIES, decision.quotas()));
        if (!decision.isGranted()) {
            QuotaExceeded.send(response, decision.delayNanos(), ServiceLimits.violated(decision));
        }
        return decision.isGranted();
    }
}
