package io.github.hotpath.examples.web.servlet;

import io.github.hotpath.examples.web.Verdict;
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
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Limits how often logging in may fail, for the address of a client. A log-in that succeeds does not count. Put it in
 * front of what checks the password.
 *
 * <p>A permit is acquired before the password is checked, and released if it was right. Counted afterwards, a thousand
 * guesses at the same time would all be checked. So a client may also be refused while as many of its log-ins as the
 * limit has permits are in progress.
 */
public final class FailedLoginFilter implements Filter {
    /** The name of the limit. */
    public static final String POLICY = "failed-logins";

    private final KeyedLimiter<String> failures;
    private final Function<? super HttpServletRequest, String> addressOf;
    private final Predicate<? super HttpServletRequest> checksPassword;
    private final BiPredicate<? super HttpServletRequest, ? super HttpServletResponse> succeeded;
    private final LongSupplier nanoClock;

    /**
     * Creates a filter.
     *
     * @param failures how many log-ins of an address may fail
     * @param addressOf {@link CallerResolver#addressOf}
     * @param checksPassword which requests are log-ins; others, such as the one for the form, are passed on
     * @param succeeded whether an answered log-in was successful. A form is answered by 302 or 200 in both cases, so do
     *     not take the status for it: let the application set an attribute of the request, or compare {@code Location}.
     *     A log-in that throws has failed
     * @param nanoClock {@code System::nanoTime}
     */
    public FailedLoginFilter(
            KeyedLimiter<String> failures,
            Function<? super HttpServletRequest, String> addressOf,
            Predicate<? super HttpServletRequest> checksPassword,
            BiPredicate<? super HttpServletRequest, ? super HttpServletResponse> succeeded,
            LongSupplier nanoClock) {
        this.failures = failures;
        this.addressOf = addressOf;
        this.checksPassword = checksPassword;
        this.succeeded = succeeded;
        this.nanoClock = nanoClock;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getDispatcherType() == DispatcherType.REQUEST
                && checksPassword.test((HttpServletRequest) request)) {
            check((HttpServletRequest) request, (HttpServletResponse) response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void check(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Reservation attempt =
                failures.forKey(addressOf.apply(request)).reserve(nanoClock.getAsLong(), 1, Duration.ZERO);
        if (!attempt.isGranted()) {
            RateLimitFilter.refuse(response, Verdict.of(attempt.delayNanos(), POLICY));
            return;
        }
        Runnable answered = () -> {
            if (succeeded.test(request, response)) {
                attempt.cancel();
            }
        };
        chain.doFilter(request, response);
        if (request.isAsyncStarted()) {
            request.getAsyncContext().addListener(new Completion(answered));
        } else {
            answered.run();
        }
    }

    /** Ends an attempt that is answered later. */
    private record Completion(Runnable answered) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            answered.run();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // onComplete follows
        }

        @Override
        public void onError(AsyncEvent event) {
            // onComplete follows
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this); // a dispatch removes the listeners
        }
    }
}
