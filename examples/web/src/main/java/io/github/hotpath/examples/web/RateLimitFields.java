package io.github.hotpath.examples.web;

import com.google.common.math.LongMath;
import io.github.hotpath.limit.Quota;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.StringItem;

/**
 * The fields {@code RateLimit-Policy} and {@code RateLimit} of the IETF's draft
 * (draft-ietf-httpapi-ratelimit-headers-10), which are structured fields (RFC 9651), for example
 *
 * <pre>
 * RateLimit-Policy: "client";q=60;w=60, "service";q=1000;w=1
 * RateLimit: "client";r=59;t=60, "service";r=998;t=1
 * </pre>
 *
 * <p>Times are whole seconds, rounded up: who waits so long does not come too early. One second earlier there would be
 * no more, since the limiter knows the time to the nanosecond.
 */
final class RateLimitFields {
    static final String POLICY = "RateLimit-Policy";
    static final String STATE = "RateLimit";

    /** The greatest integer of a structured field. */
    private static final long MAX_INTEGER = 999_999_999_999_999L;

    private RateLimitFields() {}

    /**
     * Returns the value of {@code RateLimit-Policy}: of each limit its name, the quota {@code q} and the window {@code
     * w}. An interval that is not a whole number of seconds is rounded up, at least to one second, so that a client
     * which never sends more than {@code q} in {@code w} is within the limit.
     */
    static String policy(List<String> names, List<Quota> quotas) {
        return field(names, quotas, quota -> {
            Map<String, Object> parameters = new LinkedHashMap<>();
            parameters.put("q", integer(quota.limit().max()));
            parameters.put("w", Math.max(1, seconds(quota.limit().interval().toNanos())));
            return parameters;
        });
    }

    /**
     * Returns the value of {@code RateLimit}: of each limit its name, what remains, {@code r}, and the time until that
     * is more, {@code t}. It is absent if all of the limit remains, or if the time does not fit a {@code long} of
     * nanoseconds.
     */
    static String state(List<String> names, List<Quota> quotas) {
        return field(names, quotas, quota -> {
            Map<String, Object> parameters = new LinkedHashMap<>();
            parameters.put("r", integer(quota.remaining()));
            if (quota.nanosUntilMore() > 0 && quota.nanosUntilMore() < Long.MAX_VALUE) {
                parameters.put("t", seconds(quota.nanosUntilMore()));
            }
            return parameters;
        });
    }

    /** Returns nanoseconds in seconds, rounded up. */
    static long seconds(long nanos) {
        return LongMath.divide(nanos, TimeUnit.SECONDS.toNanos(1), RoundingMode.CEILING);
    }

    private static long integer(long number) {
        return Math.min(number, MAX_INTEGER);
    }

    private interface ParametersOf {
        Map<String, Object> quota(Quota quota);
    }

    private static String field(List<String> names, List<Quota> quotas, ParametersOf parametersOf) {
        List<ListElement<? extends Object>> items = new ArrayList<>();
        for (int i = 0; i < quotas.size(); i++) {
            Parameters parameters = Parameters.valueOf(parametersOf.quota(quotas.get(i)));
            items.add(StringItem.valueOf(names.get(i)).withParams(parameters));
        }
        return OuterList.valueOf(items).serialize();
    }
}
