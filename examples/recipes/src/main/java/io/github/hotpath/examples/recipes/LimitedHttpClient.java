package io.github.hotpath.examples.recipes;

import com.google.common.base.Preconditions;
import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
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
 * A client of a service that limits requests. They wait in line, without a thread, until the limit allows them. What
 * the service answers is followed: {@code Retry-After} of a refusal, and {@code RateLimit}, which tells how much is
 * left when others use the same account. Thread-safe.
 */
final class LimitedHttpClient {
    private static final int ATTEMPTS = 3;

    private final HttpClient http;
    private final SlidingWindowLimiter limiter;
    private final BlockingLimiter line;
    private final LongSupplier nanoClock;
    private final InstantSource wallClock;
    private final ScheduledExecutorService scheduler;

    /**
     * Creates a client.
     *
     * @param limit the limit of the service, of one permit for each request. Its interval is better somewhat longer than
     *     the service's: two requests may arrive closer together than they were sent
     * @param maxWaiting a request fails if so many wait already, also one that is to be sent again
     * @param scheduler runs short tasks, and what depends on the answers
     */
    LimitedHttpClient(
            HttpClient http,
            Limit limit,
            int maxWaiting,
            LongSupplier nanoClock,
            InstantSource wallClock,
            ScheduledExecutorService scheduler) {
        Preconditions.checkArgument(!limit.isPerCall(), "limit: %s (expected: of permits)", limit);
        this.http = http;
        this.limiter = SlidingWindowLimiter.of(limit);
        this.line = BlockingLimiter.of(limiter, nanoClock, maxWaiting);
        this.nanoClock = nanoClock;
        this.wallClock = wallClock;
        this.scheduler = scheduler;
    }

    /**
     * Sends {@code request} when it is its turn; and again if the service refuses it and tells when to come back.
     * Cancelling the future does not take the request out of the line.
     */
    <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return sendAsync(request, handler, ATTEMPTS);
    }

    private <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, int attempts) {
        return line.acquireAsync(1, scheduler)
                .thenCompose(turn -> http.sendAsync(request, handler))
                .thenComposeAsync(
                        response -> {
                            boolean refused = isRefused(response);
                            follow(response.headers(), refused);
                            return refused && attempts > 1
                                    ? sendAsync(request, handler, attempts - 1)
                                    : CompletableFuture.completedFuture(response);
                        },
                        scheduler);
    }

    /**
     * Returns whether the service tells when to come back. It has done nothing then, unless a gateway has answered 503
     * in its place: to send requests that must not be done twice, leave out 503.
     */
    private static boolean isRefused(HttpResponse<?> response) {
        return (response.statusCode() == 429 || response.statusCode() == 503)
                && response.headers().firstValue("Retry-After").isPresent();
    }

    private void follow(HttpHeaders headers, boolean refused) {
        if (refused) {
            headers.firstValue("Retry-After").flatMap(this::delay).ifPresent(this::closeFor);
        }
        List<String> fields = headers.allValues("RateLimit");
        try {
            for (ListElement<?> quota : new Parser(fields).parseList().get()) {
                long remaining = parameter(quota, "r").orElse(Long.MAX_VALUE);
                if (remaining == 0) {
                    parameter(quota, "t").map(Duration::ofSeconds).ifPresent(this::closeFor);
                }
                long usedByOthers = limiter.available(nanoClock.getAsLong()) - remaining;
                if (usedByOthers > 0) {
                    limiter.record(nanoClock.getAsLong(), (int) Math.min(usedByOthers, Integer.MAX_VALUE));
                }
            }
        } catch (ParseException e) {
            // Malformed fields are to be ignored, says the specification.
        }
    }

    /** Returns how many requests wait for their turn. */
    int waiting() {
        return line.waiting();
    }

    private void closeFor(Duration delay) {
        limiter.closeFor(nanoClock.getAsLong(), delay);
    }

    /** Returns a number of seconds, or the time until a date. */
    private Optional<Duration> delay(String retryAfter) {
        try {
            return Optional.of(
                    retryAfter.matches("\\d{1,9}")
                            ? Duration.ofSeconds(Long.parseLong(retryAfter))
                            : untilOrZero(ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant()));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private Duration untilOrZero(Instant time) {
        Duration left = Duration.between(wallClock.instant(), time);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static Optional<Long> parameter(ListElement<?> quota, String name) {
        Item<?> value = quota.getParams().get(name);
        return value != null && value.get() instanceof Long number && number >= 0
                ? Optional.of(number)
                : Optional.empty();
    }
}
