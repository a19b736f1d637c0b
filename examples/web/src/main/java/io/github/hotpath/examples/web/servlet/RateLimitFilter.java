package io.github.hotpath.examples.web.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Passes on a request that all limits grant, and answers every other one with 429. Both have the {@code RateLimit}
 * fields. Put it behind the filters of CORS, so that a browser may read the answer, and of authentication, so that the
 * user is known; and in front of all that a refused request should not cost.
 */
public final class RateLimitFilter implements Filter {
    private static final int TOO_MANY_REQUESTS = 429;

    private final RequestLimits limits;
    private final CallerResolver callers;
    private final Predicate<? super HttpServletRequest> exempt;

    /**
     * Creates a filter.
     *
     * @param exempt what is passed on without being counted: {@linkplain #isPreflight preflights}, probes of health, and
     *     the log-in, which has a {@linkplain FailedLoginFilter filter of its own}. Compare {@code getServletPath()}
     *     followed by {@code getPathInfo()}, which may be null: both are decoded and without "..", unlike {@code
     *     getRequestURI()}
     */
    public RateLimitFilter(RequestLimits limits, CallerResolver callers, Predicate<? super HttpServletRequest> exempt) {
        this.limits = limits;
        this.callers = callers;
        this.exempt = exempt;
    }

    /** Returns whether a browser asks whether a script of another site may send a request (CORS). */
    public static boolean isPreflight(HttpServletRequest request) {
        return request.getMethod().equals("OPTIONS")
                && request.getHeader("Origin") != null
                && request.getHeader("Access-Control-Request-Method") != null;
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

    private boolean admit(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (exempt.test(request)) {
            return true;
        }
        Verdict verdict = limits.decide(callers.callerOf(request), 1);
        if (!verdict.isGranted()) {
            refuse(response, verdict);
            return false;
        }
        verdict.fields().forEach(response::setHeader);
        return true;
    }

    /** Answers a request that is refused; the response is not committed yet. */
    static void refuse(HttpServletResponse response, Verdict verdict) throws IOException {
        byte[] body = verdict.problem().getBytes(UTF_8);
        verdict.fields().forEach(response::setHeader);
        response.setStatus(TOO_MANY_REQUESTS);
        response.setContentType(Verdict.PROBLEM_JSON);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
