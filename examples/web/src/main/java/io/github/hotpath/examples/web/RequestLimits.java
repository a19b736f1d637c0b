package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is served, under several limits, all or nothing. Each limit has a key, such as {@code
 * client:user:alice}, {@code tenant:acme} or {@code service}; what precedes the first colon is the name of the limit in
 * answers. Thread-safe.
 */
@FunctionalInterface
public interface RequestLimits {
    /** Acquires a permit under the limit of each key, or acquires nothing. Without limits the request is granted. */
    Answer ask(Map<String, Limit> limits);

    /** Limits that several processes share, such as the method of a class that keeps them on Redis. */
    @FunctionalInterface
    interface Shared {
        /** Returns 0 if the permits were acquired, and otherwise the nanoseconds to wait. */
        long tryAcquireOrDelay(Map<String, Limit> limits, int permits);
    }

    /** Returns limits that several processes share. Of these, answers tell nothing but the delay. */
    static RequestLimits of(Shared shared) {
        return limits -> new Answer(limits.isEmpty() ? 0 : shared.tryAcquireOrDelay(limits, 1), List.of());
    }

    /**
     * Returns limits of this process. A key whose limit has changed begins anew.
     *
     * @param nanoClock {@code System::nanoTime}
     */
    static RequestLimits of(LongSupplier nanoClock) {
        record Key(String text, Limit limit) {}
        KeyedLimiter<Key> limiters = KeyedLimiter.of(key -> List.of(key.limit()));
        return limits -> {
            List<String> names = limits.keySet().stream().map(Answer::name).toList();
            List<Limiter> all = new ArrayList<>();
            limits.forEach((key, limit) -> all.add(limiters.forKey(new Key(key, limit))));
            Decision decision = Limiter.allOf(all).decide(nanoClock.getAsLong(), 1);
            List<Policy> policies = new ArrayList<>();
            decision.quotas().forEach(quota -> policies.add(new Policy(names.get(policies.size()), quota)));
            return new Answer(decision.delayNanos(), policies);
        };
    }

    /**
     * Returns the key of a client: of the user, or of the address of a client that is not logged in. No user has the key
     * of an address.
     *
     * @param user in the form in which the log-in compares names, such as {@link #canonical}; {@code null} if not logged in
     * @param address of IPv4 or IPv6, with a port or without; anything else, which is never looked up, is one client
     */
    static String clientKey(@Nullable String user, @Nullable String address) {
        return user != null ? "client:user:" + user : "client:address:" + network(String.valueOf(address));
    }

    /**
     * Returns one form for all spellings of a name that differ in case, in width or in outer blanks. For a log-in that
     * takes other spellings for the same name, write your own: each spelling that it ignores would have its own limit.
     */
    static String canonical(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFKC).strip().toLowerCase(Locale.ROOT);
    }

    /** Returns the IPv4 address that an address is or embeds (mapped, 6to4, NAT64), or the first 64 bits of another one. */
    private static String network(String address) {
        try { // with a colon it is never taken for the name of a host; some proxies add the port
            String host = address.replaceFirst("^\\[(.*)](:[0-9]+)?$", "$1").replaceFirst("(\\.[0-9]+):[0-9]+$", "$1");
            InetAddress parsed =
                    InetAddress.getByName(host.contains(":") ? host.replaceFirst("%.*", "") : "0:0:0:0:0:ffff:" + host);
            String text = parsed.getHostAddress();
            byte[] bytes = parsed.getAddress();
            int embedded = text.startsWith("2002:") ? 2 : text.startsWith("64:ff9b:0:0:0:0:") ? 12 : -1;
            if (embedded > 0) {
                return InetAddress.getByAddress(Arrays.copyOfRange(bytes, embedded, embedded + 4))
                        .getHostAddress();
            }
            return bytes.length == 4
                    ? text
                    : InetAddress.getByAddress(Arrays.copyOf(Arrays.copyOf(bytes, 8), 16))
                                    .getHostAddress() + "/64";
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /**
     * What is left of a limit.
     *
     * @param name of letters, digits, dots, dashes and underscores, which no field and no JSON has to escape
     */
    record Policy(String name, Quota quota) {}

    /**
     * A decision, and what HTTP says about it: {@code Retry-After}, the {@code RateLimit} fields of the IETF's draft
     * (draft-ietf-httpapi-ratelimit-headers-10) and the problem details (RFC 9457) that the draft defines.
     *
     * @param delayNanos 0 if the request is granted; otherwise the time after which it would be, {@link Long#MAX_VALUE} if
     *     it never would
     * @param policies the limits with what is left of each; none if that is not known
     */
    record Answer(long delayNanos, List<Policy> policies) {
        /** The media type of {@link #problem}. */
        public static final String PROBLEM_JSON = "application/problem+json";

        /** Returns the name of the limit of a key. */
        static String name(String key) {
            String name = key.replaceFirst("(?s):.*", "");
            if (!name.matches("[A-Za-z0-9._-]+")) {
                throw new IllegalArgumentException(
                        "key: " + key + " (expected: a name of letters, digits, '.', '-' and '_' before the colon)");
            }
            return name;
        }

        /** Returns whether the request is served. */
        public boolean isGranted() {
            return delayNanos == 0;
        }

        /** Returns the names of the limits that refuse the request, if they are known. */
        public List<String> violated() {
            return policies.stream()
                    .filter(policy -> policy.quota().exceeded())
                    .map(Policy::name)
                    .toList();
        }

        /**
         * Returns the fields of the response, by name. Times are seconds, rounded up, so that a client that waits for them
         * does not come too early; a time that never comes is left out.
         */
        public Map<String, String> fields() {
            Map<String, String> fields = new LinkedHashMap<>();
            if (!policies.isEmpty()) {
                fields.put(
                        "RateLimit-Policy",
                        list(quota -> ";q=" + integer(quota.limit().max()) + ";w="
                                + Math.max(1, seconds(quota.limit().interval().toNanos()))));
                fields.put(
                        "RateLimit",
                        list(quota -> ";r=" + integer(quota.remaining()) + untilMore(quota.nanosUntilMore())));
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

        private static String untilMore(long nanos) {
            return nanos == 0 || nanos == Long.MAX_VALUE ? "" : ";t=" + seconds(nanos);
        }

        /** A structured field has no greater integers. */
        private static long integer(long number) {
            return Math.min(number, 999_999_999_999_999L);
        }

        private static long seconds(long nanos) {
            return nanos == 0 ? 0 : (nanos - 1) / 1_000_000_000 + 1;
        }

        /** Returns the body of the response with status 429 to a refused request. */
        public String problem() {
            return "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                    + "\"title\":\"The request exceeds a quota\",\"status\":429,\"violated-policies\":["
                    + violated().stream().map(name -> '"' + name + '"').collect(Collectors.joining(",")) + "]}";
        }
    }
}
