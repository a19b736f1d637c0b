package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.Quota;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A decision about a request, and what HTTP says about it: {@code Retry-After}, the {@code RateLimit} fields of the
 * IETF's draft (draft-ietf-httpapi-ratelimit-headers-10) and the problem details (RFC 9457) that the draft defines.
 *
 * @param delayNanos 0 if the request is granted; otherwise the time after which it would be, {@link Long#MAX_VALUE} if
 *     it never would
 * @param policies the limits with what is left of each; none if that is not known
 * @param violated the names of the limits that refuse the request, if that is known
 */
public record Verdict(long delayNanos, List<Policy> policies, List<String> violated) {
    /** The media type of {@link #problem}. */
    public static final String PROBLEM_JSON = "application/problem+json";

    /** The greatest integer of a structured field. */
    private static final long MAX_INTEGER = 999_999_999_999_999L;

    /** So that a name is the same in a structured field and in JSON, without escapes. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /**
     * A limit by the name under which callers know it.
     *
     * @param name letters, digits, dots, dashes and underscores
     * @param quota what is left of it
     */
    public record Policy(String name, Quota quota) {
        public Policy {
            checkName(name);
        }
    }

    public Verdict {
        policies = List.copyOf(policies);
        violated = List.copyOf(violated);
        violated.forEach(Verdict::checkName);
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name: " + name + " (expected: letters, digits, '.', '-' and '_')");
        }
    }

    /** Returns the verdict of limits that tell nothing but the delay, and the names of those that refuse. */
    public static Verdict of(long delayNanos, String... violated) {
        return new Verdict(delayNanos, List.of(), List.of(violated));
    }

    /** Returns a limiter's decision; {@code names} are those of its quotas, in the same order. */
    public static Verdict of(Decision decision, List<String> names) {
        List<Quota> quotas = decision.quotas();
        if (quotas.size() != names.size()) {
            throw new IllegalArgumentException("names: " + names + " (expected: one for each of " + quotas + ")");
        }
        List<Policy> policies = new ArrayList<>();
        List<String> violated = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            policies.add(new Policy(names.get(i), quotas.get(i)));
            if (quotas.get(i).exceeded()) {
                violated.add(names.get(i));
            }
        }
        return new Verdict(decision.delayNanos(), policies, violated);
    }

    /** Returns whether the request is served. */
    public boolean isGranted() {
        return delayNanos == 0;
    }

    /**
     * Returns the fields of the response, by name. Times are seconds, rounded up, so that a client that waits for them
     * does not come too early; a time that never comes, or does not fit a {@code long} of nanoseconds, is left out.
     */
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        if (!policies.isEmpty()) {
            fields.put(
                    "RateLimit-Policy",
                    list(quota -> ";q=" + integer(quota.limit().max()) + ";w="
                            + Math.max(1, seconds(quota.limit().interval().toNanos()))));
            fields.put("RateLimit", list(quota -> ";r=" + integer(quota.remaining()) + timeUntilMore(quota)));
        }
        if (!isGranted() && delayNanos != Long.MAX_VALUE) {
            fields.put("Retry-After", Long.toString(seconds(delayNanos)));
        }
        return fields;
    }

    private String list(Function<Quota, String> parameters) {
        return policies.stream()
                .map(policy -> '"' + policy.name() + '"' + parameters.apply(policy.quota()))
                .collect(Collectors.joining(", "));
    }

    private static String timeUntilMore(Quota quota) {
        boolean isTold = quota.nanosUntilMore() > 0 && quota.nanosUntilMore() < Long.MAX_VALUE;
        return isTold ? ";t=" + seconds(quota.nanosUntilMore()) : "";
    }

    private static long integer(long number) {
        return Math.min(number, MAX_INTEGER);
    }

    private static long seconds(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        return TimeUnit.SECONDS.toNanos(seconds) < nanos ? seconds + 1 : seconds;
    }

    /** Returns the body of the response with status 429 to a refused request. */
    public String problem() {
        return "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"The request exceeds a quota\",\"status\":429,\"violated-policies\":["
                + violated.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",")) + "]}";
    }
}
