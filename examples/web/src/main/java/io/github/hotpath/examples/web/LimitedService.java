package io.github.hotpath.examples.web;

import io.github.hotpath.limit.KeyedLimiter;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletContainerInitializer;
import java.util.function.LongSupplier;

/**
 * The parts in front of a service, put together: one set of limits for HTTP and gRPC, so that a client has as many
 * permits by both together.
 */
final class LimitedService {
    private final Accounts accounts;
    private final ServiceLimits limits;
    private final KeyedLimiter<String> failedLogins;
    private final CallerResolver callers;
    private final LongSupplier nanoClock;
    private final LimiterMetrics metrics;

    LimitedService(
            Accounts accounts,
            ServiceLimits limits,
            KeyedLimiter<String> failedLogins,
            CallerResolver callers,
            LongSupplier nanoClock,
            MeterRegistry registry) {
        this.accounts = accounts;
        this.limits = limits;
        this.failedLogins = failedLogins;
        this.callers = callers;
        this.nanoClock = nanoClock;
        metrics = new LimiterMetrics(registry);
        metrics.watchKeys("client", limits::clients);
        metrics.watchKeys("tenant", limits::tenants);
        metrics.watchKeys(FailedLoginFilter.POLICY, failedLogins::size);
    }

    /** Returns what registers the filters, for a container of servlets. */
    ServletContainerInitializer filters() {
        return new SiteFilters(
                new AuthenticationFilter(accounts),
                new RateLimitFilter(limits, callers, metrics, nanoClock),
                new FailedLoginFilter(failedLogins, callers, metrics, nanoClock));
    }

    /** Returns the interceptors in their order, for a server of gRPC. */
    ServerInterceptor[] interceptors() {
        return new ServerInterceptor[] {
            new AuthenticationInterceptor(accounts), new RateLimitInterceptor(limits, callers, metrics, nanoClock)
        };
    }
}
