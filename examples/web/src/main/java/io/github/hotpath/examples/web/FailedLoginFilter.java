package io.github.hotpath.examples.web;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Reservation;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
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
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Limits how often logging in may fail, for the address of a client: map it to the path of the log-in alone. A log-in
 * that succeeds does not count.
 *
 * <p>A permit is acquired before the password is checked, and given back if it was right. Counted afterwards, a
 * thousand guesses at the same time would all be checked. So what is being checked counts, too: a client may be refused
 * while as many of its log-ins as the limit has permits are in progress.
 */
final class FailedLoginFilter implements Filter {
    static final String POLICY = "failed-logins";

    private static final int LEAST_ERROR = 400;

    private final KeyedLimiter<String> failures;
    private final CallerResolver callers;
    private final LimiterMetrics metrics;
    private final LongSupplier nanoClock;

    FailedLoginFilter(
            KeyedLimiter<String> failures, CallerResolver callers, LimiterMetrics metrics, LongSupplier nanoClock) {
        this.failures = failures;
        this.callers = callers;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
            return;
        }
        HttpServletResponse answer = (HttpServletResponse) response;
        String client = callers.callerOf(Origin.of((HttpServletRequest) request).withoutLogin())
                .client();
        Reservation attempt = failures.forKey(client).reserve(nanoClock.getAsLong(), 1, Duration.ZERO);
        if (!attempt.isGranted()) {
            metrics.countRefusal(attempt.delayNanos(), List.of(POLICY));
            QuotaExceeded.send(answer, attempt.delayNanos(), List.of(POLICY));
            return;
        }
        chain.doFilter(request, response); // if it throws, the attempt counts: nobody knows whether it succeeded
        if (request.isAsyncStarted()) {
            request.getAsyncContext().addListener(new Completion(attempt, answer));
        } else {
            cancelIfSuccessful(attempt, answer);
        }
    }

    private static void cancelIfSuccessful(Reservation attempt, HttpServletResponse answer) {
        if (answer.getStatus() < LEAST_ERROR) {
            attempt.cancel();
        }
    }

    /** Ends an attempt whose answer comes later. */
    private record Completion(Reservation attempt, HttpServletResponse answer) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            cancelIfSuccessful(attempt, answer);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // counts, unless what completes the request after it says otherwise
        }

        @Override
        public void onError(AsyncEvent event) {
            // the same
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this); // listeners are removed when a request is dispatched again
        }
    }
}
