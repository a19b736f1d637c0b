package io.github.hotpath.examples.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.limit.Limit;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.AntPathMatcher;

/**
 * Limits the requests of a Spring Boot application with servlets. Each client has a limit, or what a bean {@link
 * LimitsOf} of the application says; a bean {@link RequestLimits} keeps the limits for several processes.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "hotpath.limits.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitConfiguration.Properties.class)
public class RateLimitConfiguration {
    /** Spring Security's filters have the order -100, and that of CORS is among them. */
    private static final int BEHIND_SECURITY = -99;

    private static final AntPathMatcher PATHS = new AntPathMatcher();

    /** Returns the limits of a request, each by its key; none if it is not limited. */
    @FunctionalInterface
    public interface LimitsOf extends Function<HttpServletRequest, Map<String, Limit>> {
        /** Returns how many permits a request acquires under each of its limits. */
        default int permits(HttpServletRequest request) {
            return 1;
        }
    }

    /**
     * The properties {@code hotpath.limits.*}.
     *
     * @param client the limit of each client
     * @param service the limit of all requests together, if there is one
     * @param withoutStore what is done while shared limits cannot be asked: {@code refuse}, {@code local} or {@code serve}
     * @param free the paths that are not limited, {@code /a} or {@code /a/**}: where Spring Boot expects static files, and probes
     */
    @ConfigurationProperties("hotpath.limits")
    record Properties(
            @DefaultValue Rate client,
            @Nullable Rate service,
            @DefaultValue("refuse") RequestLimits.WithoutStore withoutStore,

            @DefaultValue({
                "/css/**",
                "/js/**",
                "/images/**",
                "/fonts/**",
                "/webjars/**",
                "/favicon.ico",
                "/actuator/health/**",
                "/livez",
                "/readyz"
            })
            List<String> free) {}

    /** At most so many requests in any time span of a length. */
    record Rate(
            @DefaultValue("60") long requests,

            @DefaultValue("1m") @DurationUnit(ChronoUnit.SECONDS)
            Duration per) {
        Limit limit() {
            return Limit.of(requests, per);
        }
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> rateLimitFilter(
            Properties properties, ObjectProvider<LimitsOf> limitsOf, ObjectProvider<RequestLimits> shared) {
        RequestLimits store = shared.getIfAvailable();
        RequestLimits limits = store == null
                ? new RequestLimits.Local(System::nanoTime)
                : new RequestLimits.Shared(store, properties.withoutStore(), System::nanoTime);
        LimitsOf chosen = limitsOf.getIfAvailable(() -> byProperties(properties));
        FilterRegistrationBean<RateLimitFilter> registration =
                new FilterRegistrationBean<>(new RateLimitFilter(request -> limits.ask(
                        isFree(request, properties.free()) ? Map.of() : chosen.apply(request),
                        chosen.permits(request))));
        registration.setOrder(BEHIND_SECURITY);
        return registration;
    }

    private static LimitsOf byProperties(Properties properties) {
        Limit client = properties.client().limit();
        Limit service =
                properties.service() == null ? null : properties.service().limit();
        return request -> {
            Map<String, Limit> limits = new LinkedHashMap<>();
            limits.put(RequestLimits.clientKey(request.getRemoteUser(), request.getRemoteAddr()), client);
            if (service != null) {
                limits.put("service", service);
            }
            return limits;
        };
    }

    /** Preflights of CORS are free, too: they come before a request that is limited. */
    private static boolean isFree(HttpServletRequest request, List<String> free) {
        String info = request.getPathInfo();
        // As the container understands it, and as it was sent: to the container /css/../a is /a, and to an application
        // /a/../css may be below /a.
        String path = info == null ? request.getServletPath() : request.getServletPath() + info;
        String sent = request.getRequestURI().substring(request.getContextPath().length());
        return request.getMethod().equals("OPTIONS") && request.getHeader("Access-Control-Request-Method") != null
                || free.stream().anyMatch(pattern -> PATHS.match(pattern, path) && PATHS.match(pattern, sent));
    }

    /**
     * Passes on a request that all of its limits grant, and answers every other one with 429, or 503. Needs nothing of
     * Spring.
     */
    static final class RateLimitFilter implements Filter {
        private final Function<HttpServletRequest, CompletableFuture<RequestLimits.Answer>> limits;

        RateLimitFilter(Function<HttpServletRequest, CompletableFuture<RequestLimits.Answer>> limits) {
            this.limits = limits;
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            // A forward, an error page and the rest of an asynchronous request are parts of a request that was counted.
            if (request.getDispatcherType() != DispatcherType.REQUEST) {
                chain.doFilter(request, response);
                return;
            }
            RequestLimits.Answer answer =
                    limits.apply((HttpServletRequest) request).join();
            answer.fields().forEach(((HttpServletResponse) response)::setHeader);
            if (answer.isGranted()) {
                chain.doFilter(request, response);
                return;
            }
            byte[] problem = answer.problem().getBytes(UTF_8);
            ((HttpServletResponse) response).setStatus(answer.status());
            response.setContentType(RequestLimits.Answer.PROBLEM_JSON);
            response.setContentLength(problem.length);
            response.getOutputStream().write(problem);
        }
    }
}
