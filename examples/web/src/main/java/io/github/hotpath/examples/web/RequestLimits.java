package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is served, under several limits, all or nothing. Each limit has a key, such as {@code
 * client:user:alice}, {@code tenant:acme} or {@code service}; what precedes the first colon is the name of the limit in
 * answers. Thread-safe.
 */
@FunctionalInterface
public interface RequestLimits {
    /**
     * Acquires permits under the limit of each key, or acquires nothing. Without limits the request is granted.
     *
     * @return the answer, which is there at once or within a time-out; on a thread that what depends on it must not block
     */
    CompletableFuture<Answer> ask(Map<String, Limit> limits, int permits);

    /** Limits of this process. */
    final class Local implements RequestLimits {
        private final LongSupplier nanoClock;
        private final ThreadLocal<Map<String, Limit>> asked = new ThreadLocal<>();
        private final KeyedLimiter<String> limiters =
                KeyedLimiter.of(key -> List.of(asked.get().get(key)));

        /** Creates limits by a clock: {@code System::nanoTime}. */
        public Local(LongSupplier nanoClock) {
            this.nanoClock = nanoClock;
        }

        @Override
        public CompletableFuture<Answer> ask(Map<String, Limit> limits, int permits) {
            Answer.checkNames(limits);
            return CompletableFuture.completedFuture(decide(limits, permits));
        }

        /** Returns how many keys there are, for a gauge. */
        public int size() {
            return limiters.size();
        }

        private Answer decide(Map<String, Limit> limits, int permits) {
            return call(limits, (all, nanos) -> {
                Decision decision = all.decide(nanos, permits);
                Map<String, Quota> quotas = new LinkedHashMap<>();
                limits.keySet().forEach(key -> quotas.put(key, decision.quotas().get(quotas.size())));
                return new Answer(decision.delayNanos(), quotas);
            });
        }

        private void record(Map<String, Limit> limits, int permits) {
            call(limits, (all, nanos) -> {
                all.record(nanos, permits);
                return true;
            });
        }

        /** Calls a limiter of all keys; what one has granted under another limit counts under this one, too. */
        private <T> T call(Map<String, Limit> limits, BiFunction<Limiter, Long, T> call) {
            asked.set(limits);
            try {
                long nanos = nanoClock.getAsLong();
                Limiter all = Limiter.allOf(
                        limits.keySet().stream().map(limiters::forKey).toList());
                Stream<Limit> inForce = all.peek(nanos, 1).quotas().stream().map(Quota::limit);
                if (!inForce.toList().equals(List.copyOf(limits.values()))) {
                    limits.keySet().forEach(limiters::updateLimits);
                }
                return call.apply(all, nanos);
            } finally {
                asked.remove();
            }
        }
    }

    /** What is done with a request while the store throws, or does not answer in time. */
    enum WithoutStore {
        /** It is refused with the status 503. */
        REFUSE,
        /**
         * Limits of this process decide, which know what the store has granted to this process: n processes together
         * grant n times a limit, and as much as it once more in the interval after the store has come back.
         */
        LOCAL,
        /** It is served. */
        SERVE
    }

    /**
     * Limits that processes share, in a store that may be away. After a failure one request at a time asks the store,
     * until it answers; the others get at once what is done without it. A refusal is repeated without asking the store
     * until it ends, for at most a second.
     */
    final class Shared implements RequestLimits {
        private static final long SECOND = 1_000_000_000;
        private static final int MOST_KNOWN = 10_000_000;

        private record Request(List<Map.Entry<String, Limit>> limits, int permits) {}

        private record Refusal(long start, Answer answer) {}

        private final RequestLimits store;
        private final WithoutStore without;
        private final LongSupplier nanoClock;
        private final Local local;
        private final AtomicInteger asking = new AtomicInteger();
        private final AtomicBoolean isAway = new AtomicBoolean();
        private final Map<Request, Refusal> refusals = new ConcurrentHashMap<>();
        private final AtomicInteger known = new AtomicInteger(); // the bytes of refusals, roughly

        /**
         * Creates limits.
         *
         * @param store answers, or fails, within a time-out; what it throws at once is thrown
         * @param nanoClock {@code System::nanoTime}
         */
        public Shared(RequestLimits store, WithoutStore without, LongSupplier nanoClock) {
            this.store = store;
            this.without = without;
            this.nanoClock = nanoClock;
            local = new Local(nanoClock);
        }

        @Override
        public CompletableFuture<Answer> ask(Map<String, Limit> limits, int permits) {
            if (limits.isEmpty()) { // also while the store is away: the probes, or a pod would be restarted
                return CompletableFuture.completedFuture(new Answer(0, Map.of()));
            }
            Answer.checkNames(limits);
            long start = nanoClock.getAsLong();
            Request request = new Request(
                    limits.entrySet().stream().map(Map.Entry::copyOf).toList(), permits);
            Refusal refusal = refusals.get(request);
            if (refusal != null && start - refusal.start < Math.min(SECOND, refusal.answer.delayNanos)) {
                return CompletableFuture.completedFuture(refusal.answer.after(start - refusal.start));
            }
            if (asking.incrementAndGet() > 1 && isAway.get()) {
                asking.decrementAndGet();
                return CompletableFuture.completedFuture(instead(limits, permits));
            }
            CompletableFuture<Answer> asked;
            try {
                asked = store.ask(limits, permits);
            } catch (RuntimeException | Error e) { // such as for a key that it does not take
                asking.decrementAndGet();
                throw e;
            }
            return asked.handle((@Nullable Answer answer, @Nullable Throwable failure) -> {
                        asking.decrementAndGet();
                        if (isAway.get() != (failure != null)
                                && isAway.getAndSet(failure != null) != (failure != null)) {
                            System.getLogger(RequestLimits.class.getName())
                                    .log(Level.WARNING, "limits: the store answers: " + (failure == null), failure);
                        }
                        if (answer == null) {
                            return instead(limits, permits);
                        } else if (!answer.isGranted()) {
                            remember(request, new Refusal(start, answer));
                        } else if (without == WithoutStore.LOCAL) {
                            local.record(limits, permits);
                        }
                        return answer;
                    })
                    .copy(); // or who cancels it would keep this from being run
        }

        private Answer instead(Map<String, Limit> limits, int permits) {
            return switch (without) {
                case REFUSE -> new Answer(SECOND, Map.of());
                case LOCAL -> local.decide(limits, permits);
                case SERVE -> new Answer(0, Map.of());
            };
        }

        private void remember(Request request, Refusal refusal) {
            int bytes = request.limits.stream()
                    .mapToInt(limit -> 400 + 2 * limit.getKey().length())
                    .sum();
            if (known.addAndGet(bytes) > MOST_KNOWN) {
                refusals.clear();
                known.set(bytes);
            }
            refusals.put(request, refusal);
        }
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
     * A decision, and what HTTP says about it: {@code Retry-After}, the {@code RateLimit} fields of the IETF's draft
     * (draft-ietf-httpapi-ratelimit-headers-11) and the problem details (RFC 9457) that the draft defines.
     *
     * @param delayNanos 0 if the request is granted; otherwise the time after which it would be, {@link Long#MAX_VALUE} if
     *     it never would
     * @param quotas what is left of each limit, by its key; none if there is no limit, or if the store was not asked
     */
    record Answer(long delayNanos, Map<String, Quota> quotas) {
        /** The media type of {@link #problem}. */
        public static final String PROBLEM_JSON = "application/problem+json";

        private static final Pattern NAME = Pattern.compile("([A-Za-z0-9._-]+)(:.*)?", Pattern.DOTALL);

        /** Returns the name of the limit of a key: characters that no field and no JSON has to escape. */
        private static String name(String key) {
            Matcher name = NAME.matcher(key);
            if (!name.matches()) {
                throw new IllegalArgumentException(
                        "key: " + key + " (expected: a name of letters, digits, '.', '-' and '_' before the colon)");
            }
            return name.group(1);
        }

        private static void checkNames(Map<String, Limit> limits) {
            if (limits.keySet().stream().map(Answer::name).distinct().count() < limits.size()) {
                throw new IllegalArgumentException("limits: " + limits.keySet() + " (expected: different names)");
            }
        }

        private Answer after(long passed) {
            Map<String, Quota> later = new LinkedHashMap<>();
            quotas.forEach((key, old) -> {
                long untilMore = minus(old.nanosUntilMore(), passed);
                later.put(key, new Quota(old.limit(), old.remaining(), untilMore, old.exceeded()));
            });
            return new Answer(minus(delayNanos, passed), later);
        }

        private static long minus(long nanos, long passed) {
            return nanos == 0 || nanos == Long.MAX_VALUE ? nanos : Math.max(1, nanos - passed);
        }

        /** Returns whether the request is served. */
        public boolean isGranted() {
            return delayNanos == 0;
        }

        /** Returns the status of a refusal: 503 if the store was not asked. */
        public int status() {
            return quotas.isEmpty() ? 503 : 429;
        }

        /** Returns the names of the limits that refuse the request. */
        public List<String> violated() {
            return quotas.keySet().stream()
                    .filter(key -> quotas.get(key).exceeded())
                    .map(Answer::name)
                    .toList();
        }

        /**
         * Returns the fields of the response, by name. Times are seconds, rounded up, so that a client that waits for them
         * does not come too early; a time that never comes is left out.
         */
        public Map<String, String> fields() {
            Map<String, String> fields = new LinkedHashMap<>();
            if (!quotas.isEmpty()) {
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
            return quotas.entrySet().stream()
                    .map(entry -> '"' + name(entry.getKey()) + '"' + parameters.apply(entry.getValue()))
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

        /** Returns the body of the response to a refused request. */
        public String problem() {
            if (quotas.isEmpty()) {
                return "{\"title\":\"The limits cannot be asked\",\"status\":503}";
            }
            return "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                    + "\"title\":\"The request exceeds a quota\",\"status\":429,\"violated-policies\":["
                    + violated().stream().map(name -> '"' + name + '"').collect(Collectors.joining(",")) + "]}";
        }
    }
}
