package io.github.hotpath.examples.recipes;

import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;

/**
 * A client of a service that limits requests. They wait in line, without a thread, until the limit allows them, and are
 * sent once. What an answer tells is followed by those behind it: {@code Retry-After}, and the {@code RateLimit} of the
 * limit, which tells that others use the same account. Thread-safe.
 */
final class LimitedHttpClient {
    private final HttpClient http;
    private final Service service;
    private final SlidingWindowLimiter limiter;
    private final BlockingLimiter line;
    private final LongSupplier nanoClock;
    private final ScheduledExecutorService scheduler;

    /** How many permits were taken, by requests of this client and those of others that it knows of. */
    private long taken;

    /**
     * What is known of a service.
     *
     * @param limit its limit of requests
     * @param margin how much longer one request may take on its way to the service than another one
     * @param defaultWait how long a {@code Retry-After} that cannot be read keeps back all requests
     * @param longestWait the longest time for which an answer keeps back all requests
     */
    record Service(Limit limit, Duration margin, Duration defaultWait, Duration longestWait) {
        Service {
            if (defaultWait.isNegative() || defaultWait.compareTo(longestWait) > 0) {
                throw new IllegalArgumentException(
                        "defaultWait: " + defaultWait + " (expected: 0 to " + longestWait + ")");
            }
        }
    }

    /** Takes a scheduler for short tasks. A request fails if {@code maxWaiting} requests wait already. */
    LimitedHttpClient(
            HttpClient http,
            Service service,
            int maxWaiting,
            LongSupplier nanoClock,
            ScheduledExecutorService scheduler) {
        this.http = http;
        this.service = service;
        limiter = SlidingWindowLimiter.of(
                Limit.of(service.limit.max(), service.limit.interval().plus(service.margin)));
        line = BlockingLimiter.of(limiter, nanoClock, maxWaiting);
        this.nanoClock = nanoClock;
        this.scheduler = scheduler;
    }

    /** Sends {@code request} when it is its turn, and returns the answer. To cancel it takes it out of the line. */
    <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        CompletableFuture<Reservation> turn = line.acquireAsync(1, scheduler);
        CompletableFuture<HttpResponse<T>> answer = turn.thenCompose(granted -> {
            Sent sent = sent();
            return http.sendAsync(request, info -> {
                follow(info.headers(), sent); // before the body, which may take long
                return handler.apply(info);
            });
        });
        answer.whenComplete((response, e) -> turn.cancel(false)); // a caller who gives up leaves the line
        return answer;
    }

    /** Returns how many requests wait for their turn. */
    int waiting() {
        return line.waiting();
    }

    /** What was available, and how many permits had been taken, when a request was sent. */
    private record Sent(long available, long taken) {}

    private synchronized Sent sent() {
        return new Sent(limiter.available(nanoClock.getAsLong()), ++taken);
    }

    private synchronized void follow(HttpHeaders headers, Sent sent) {
        Optional<Duration> retryAfter = headers.firstValue("Retry-After")
                .map(any -> RetryAfter.delay(headers).orElse(service.defaultWait));
        List<? extends ListElement<?>> quotas =
                RetryAfter.age(headers).isZero() ? list(headers, "RateLimit") : List.of(); // a cache's is of the past
        for (ListElement<?> policy : list(headers, "RateLimit-Policy")) {
            if (isTheLimit(policy)) {
                quotas.stream()
                        .filter(quota -> quota.get().equals(policy.get()))
                        .forEach(quota -> follow(quota, sent, retryAfter.isEmpty()));
            }
        }
        retryAfter.ifPresent(this::closeFor);
    }

    /** Returns whether a service's policy is the limit that this client has, which alone tells how much others used. */
    private boolean isTheLimit(ListElement<?> policy) {
        Item<?> unit = policy.getParams().get("qu");
        return (unit == null || unit.get().equals("requests"))
                && number(policy, "q") == service.limit.max()
                && Duration.ofSeconds(number(policy, "w")).equals(service.limit.interval());
    }

    private void follow(ListElement<?> quota, Sent sent, boolean isAlone) {
        long remaining = number(quota, "r");
        // What was taken since may be in the answer or not: requests overtake each other.
        long usedByOthers = sent.available - remaining - (taken - sent.taken);
        if (remaining >= 0 && usedByOthers > 0) {
            taken += usedByOthers;
            limiter.record(nanoClock.getAsLong(), (int) Math.min(usedByOthers, Integer.MAX_VALUE));
        }
        if (remaining == 0 && isAlone) {
            closeFor(Duration.ofSeconds(Math.max(0, number(quota, "t")))); // last: while closed, they would count later
        }
    }

    private void closeFor(Duration wait) {
        limiter.closeFor(nanoClock.getAsLong(), wait.compareTo(service.longestWait) < 0 ? wait : service.longestWait);
    }

    /** Returns the elements of a field; what cannot be read is to be ignored, says the specification. */
    private static List<? extends ListElement<?>> list(HttpHeaders headers, String name) {
        try {
            return new Parser(headers.allValues(name)).parseList().get();
        } catch (ParseException e) {
            return List.of();
        }
    }

    private static long number(ListElement<?> element, String parameter) {
        Item<?> value = element.getParams().get(parameter);
        return value != null && value.get() instanceof Long number ? number : -1;
    }
}
