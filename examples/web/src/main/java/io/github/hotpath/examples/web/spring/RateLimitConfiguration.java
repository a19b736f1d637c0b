package io.github.hotpath.examples.web.spring;

import io.github.hotpath.examples.web.ClientAddresses;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.ServiceLimits;
import io.github.hotpath.examples.web.metrics.MeteredLimits;
import io.github.hotpath.examples.web.servlet.CallerResolver;
import io.github.hotpath.examples.web.servlet.FailedLoginFilter;
import io.github.hotpath.examples.web.servlet.RateLimitFilter;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.util.AntPathMatcher;

/**
 * Limits in front of a Spring Boot application: add {@code @ImportAutoConfiguration(RateLimitConfiguration.class)} to
 * it. A bean {@link RequestLimits} of the application takes the place of the limits here, such as one on Redis or one
 * with plans; a bean {@link CallerResolver} decides who calls.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LimitProperties.class)
public class RateLimitConfiguration {
    /** The application sets this attribute of a request, to any value, when a password was right. */
    public static final String LOGGED_IN = "hotpath.logged-in";

    /** Spring Security's filters have the order -100, and that of CORS is among them. */
    private static final int BEHIND_SECURITY = -99;

    private static final int BEFORE_SECURITY = -101;

    private static final AntPathMatcher PATHS = new AntPathMatcher();

    @Bean
    @ConfigurationPropertiesBinding
    static LimitConverter limitConverter() {
        return new LimitConverter();
    }

    /** Reads limits such as {@code 60/1m}. A lambda would hide the types from Spring. */
    static final class LimitConverter implements Converter<String, Limit> {
        @Override
        public Limit convert(String text) {
            String[] parts = text.strip().split("\\s*/\\s*", -1);
            if (parts.length != 2 || parts[1].matches(".*\\d")) { // without a unit, Spring takes milliseconds
                throw new IllegalArgumentException("limit: " + text + " (expected: permits and interval, as in 60/1m)");
            }
            return Limit.of(Long.parseLong(parts[0]), DurationStyle.detectAndParse(parts[1]));
        }
    }

    @Bean
    @ConditionalOnMissingBean(RequestLimits.class)
    ServiceLimits serviceLimits(LimitProperties properties) {
        return new ServiceLimits(
                KeyedLimiter.of(properties.client()),
                KeyedLimiter.of(properties.tenant()),
                SlidingWindowLimiter.of(properties.service()),
                System::nanoTime);
    }

    @Bean
    ClientAddresses clientAddresses(LimitProperties properties) {
        return new ClientAddresses(
                properties.trustedProxies(), properties.forwardedHeader(), properties.ipv6PrefixLength());
    }

    /** Here a tenant is what follows the {@code @} of a user's name, which users must not choose themselves. */
    @Bean
    @ConditionalOnMissingBean
    CallerResolver callerResolver(ClientAddresses addresses) {
        return CallerResolver.userOrAddress(addresses, user -> user.substring(user.indexOf('@') + 1));
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> rateLimitFilter(
            RequestLimits limits, CallerResolver callers, MeterRegistry registry, LimitProperties properties) {
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(new RateLimitFilter(
                new MeteredLimits(limits, registry),
                callers,
                request -> RateLimitFilter.isPreflight(request)
                        || isLogin(request, properties)
                        || isExempt(request, properties)));
        registration.setOrder(BEHIND_SECURITY);
        return registration;
    }

    @Bean
    FilterRegistrationBean<FailedLoginFilter> failedLoginFilter(
            ClientAddresses addresses, MeterRegistry registry, LimitProperties properties) {
        KeyedLimiter<String> failures = KeyedLimiter.of(properties.failedLogins());
        Gauge.builder("limits.keys", failures::size)
                .tag("policy", FailedLoginFilter.POLICY)
                .register(registry);
        FilterRegistrationBean<FailedLoginFilter> registration = new FilterRegistrationBean<>(new FailedLoginFilter(
                failures,
                request -> CallerResolver.addressOf(request, addresses),
                request -> isLogin(request, properties),
                (request, response) -> request.getAttribute(LOGGED_IN) != null,
                System::nanoTime));
        registration.setOrder(BEFORE_SECURITY);
        return registration;
    }

    /** Always up, since a limit that refuses does what it should; tells how full the limits are. */
    @Bean
    @ConditionalOnBean(ServiceLimits.class)
    HealthIndicator limitsHealthIndicator(ServiceLimits limits) {
        return () -> Health.up()
                .withDetail("clients", limits.clients().size())
                .withDetail("tenants", limits.tenants().size())
                .withDetail("service.available", limits.service().available(System.nanoTime()))
                .build();
    }

    private static boolean isLogin(HttpServletRequest request, LimitProperties properties) {
        return request.getMethod().equals("POST") && path(request).equals(properties.loginPath());
    }

    private static boolean isExempt(HttpServletRequest request, LimitProperties properties) {
        return properties.exempt().stream().anyMatch(pattern -> PATHS.match(pattern, path(request)));
    }

    /** Returns the path as the container understands it: {@code /health/../orders} is {@code /orders}. */
    private static String path(HttpServletRequest request) {
        return request.getPathInfo() == null
                ? request.getServletPath()
                : request.getServletPath() + request.getPathInfo();
    }
}
