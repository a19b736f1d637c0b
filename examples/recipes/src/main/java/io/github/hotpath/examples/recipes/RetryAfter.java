package io.github.hotpath.examples.recipes;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code Retry-After}, as it is sent: also decimals, which are rounded up, and the two obsolete forms of a date. */
final class RetryAfter {
    /** The three forms of a date in HTTP. A year of two digits is one of this century. */
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.RFC_1123_DATE_TIME,
            DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.US)
                    .withZone(ZoneOffset.UTC),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US).withZone(ZoneOffset.UTC));

    private RetryAfter() {}

    /**
     * Returns how long to wait, if the field can be read. A date is compared with that of the answer, since the clocks
     * of the client and the service may differ; and the time that the answer was in a cache has been waited already.
     */
    static Optional<Duration> delay(HttpHeaders headers) {
        return delayOfService(headers)
                .map(delay -> delay.minus(age(headers)))
                .map(delay -> delay.isNegative() ? Duration.ZERO : delay);
    }

    /** Returns how old the answer is, over zero if it comes from a cache. */
    static Duration age(HttpHeaders headers) {
        String seconds = headers.firstValue("Age").orElse("").strip();
        return Duration.ofSeconds(seconds.matches("[0-9]{1,18}") ? Long.parseLong(seconds) : 0);
    }

    private static Optional<Duration> delayOfService(HttpHeaders headers) {
        String value = headers.firstValue("Retry-After").orElse("").strip();
        if (value.matches("[0-9]+(\\.[0-9]+)?")) {
            return Optional.of(Duration.ofSeconds((long) Math.ceil(Double.parseDouble(value))));
        }
        Optional<Instant> sent = headers.firstValue("Date").flatMap(RetryAfter::instant);
        return instant(value).flatMap(until -> sent.map(from -> Duration.between(from, until)));
    }

    private static Optional<Instant> instant(String date) {
        for (DateTimeFormatter form : DATES) {
            try {
                return Optional.of(form.parse(date, Instant::from));
            } catch (DateTimeException e) {
                // Not of this form.
            }
        }
        return Optional.empty();
    }
}
