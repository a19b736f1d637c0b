package io.github.hotpath.examples.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;
import java.util.Set;

/**
 * The filters in front of a site, in their order: who is it, are there permits, and, for log-ins, were there too many
 * that failed.
 */
final class SiteFilters implements ServletContainerInitializer {
    private final Filter authentication;
    private final Filter rateLimit;
    private final Filter failedLogins;

    SiteFilters(AuthenticationFilter authentication, RateLimitFilter rateLimit, FailedLoginFilter failedLogins) {
        this.authentication = authentication;
        this.rateLimit = rateLimit;
        this.failedLogins = failedLogins;
    }

    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        add(context, "authentication", authentication, "/*");
        add(context, "rate-limit", rateLimit, "/*");
        add(context, "failed-logins", failedLogins, Site.LOGIN);
    }

    private static void add(ServletContext context, String name, Filter filter, String path) {
        FilterRegistration.Dynamic registration = context.addFilter(name, filter);
        registration.setAsyncSupported(true); // or no servlet behind it can answer later
        registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, path);
    }
}
