package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.Param.StatisticsMode;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.manager.EmbeddedCacheManager;

/**
 * One limit for each key over all members of a cluster: in no time span of a limit's interval, wherever it begins, do
 * all members together grant more than its permits. It holds also while a member is killed, stops for some time, joins
 * or leaves. A grant counts at a time between the beginning and the end of the call.
 *
 * <pre>{@code
 * FleetLimiter<String> limiter = FleetLimiter.join(
 *         manager, "api", Duration.ofMillis(500), Duration.ofSeconds(2), Limit.of(1000, Duration.ofMinutes(1)));
 * long waitNanos = limiter.tryAcquireOrDelay(client, 1);
 * }</pre>
 *
 * <p><b>Cost.</b> A call goes to the owner of the key, and a grant from there to a backup. An attempt that was refused
 * says until when others will be, and these are refused in this member, without a call.
 *
 * <p><b>Time</b> is that of the wall clocks of all members, which must be kept together, as by NTP. They may differ by
 * {@code maxSkew}; each interval is longer by that. A member whose clock is off by more does not join.
 *
 * <p><b>Keys</b> are compared by {@code equals}, and their {@code hashCode} must be the same in all JVMs, as that of
 * strings, numbers, and records of these; that of an {@code enum} is not. Infinispan must be able to marshal them.
 *
 * <p>Thread-safe.
 *
 * @param <K> the type of the keys
 */
public final class FleetLimiter<K> {
    private final AdvancedCache<Object, SlidingWindowLimiter> cache;
    private final ReadWriteMap<Object, SlidingWindowLimiter> limiters;
    private final List<Limit> limits;
    private final LongSupplier clock;
    private final ClockCheck clockCheck;
    private final long timeoutNanos;

    /** The most permits that a call can acquire. */
    private final long mostPermits;

    /** Whether owners and backups have been there: from then on Infinispan sees to it. */
    private volatile boolean hasOwners;

    private final Refusals<K> refusals = new Refusals<>();
    private final LongAdder refusedLocally = new LongAdder();

    private FleetLimiter(
            AdvancedCache<Object, SlidingWindowLimiter> cache,
            List<Limit> limits,
            LongSupplier clock,
            ClockCheck clockCheck,
            Duration timeout) {
        this.cache = cache;
        limiters = ReadWriteMapImpl.create(FunctionalMapImpl.create(cache)).withParams(StatisticsMode.SKIP);
        this.limits = limits;
        this.clock = clock;
        this.clockCheck = clockCheck;
        timeoutNanos = timeout.toNanos();
        mostPermits = SlidingWindowLimiter.of(limits.toArray(Limit[]::new)).available(0);
    }

    /**
     * Joins the members that have the same limit, of that name, and compares the clock with theirs. Until two of the
     * members with data have joined, the outcome of each call is unknown.
     *
     * @param manager a member of the cluster, as {@link FleetMembers} configures it
     * @param name of the limit. Another limit of the same name, and the same with another {@code maxSkew}, is another
     *     one, that counts by itself
     * @param maxSkew the most by which the clocks of two members differ
     * @param timeout of a call
     * @param limits one or more, all of which apply
     * @param <K> the type of the keys
     * @return the limiter
     * @throws ClockSkewException if the clock of this member is not known to be as close to those of all others
     */
    public static <K> FleetLimiter<K> join(
            EmbeddedCacheManager manager, String name, Duration maxSkew, Duration timeout, Limit... limits) {
        return join(manager, name, FleetLimiter::wallClock, maxSkew, maxSkew, timeout, limits);
    }

    /** The same with a clock, and with a margin that need not be the skew. */
    static <K> FleetLimiter<K> join(
            EmbeddedCacheManager manager,
            String name,
            LongSupplier clock,
            Duration maxSkew,
            Duration margin,
            Duration timeout,
            Limit... limits) {
        List<Limit> longer = Arrays.stream(limits)
                .map(limit -> new Limit(limit.permits(), limit.interval().plus(margin), limit.perCall()))
                .toList();
        String cache = name + ' ' + text(longer);
        ClockCheck check = new ClockCheck(manager, cache, clock, maxSkew);
        check.publish();
        try {
            check.run();
        } catch (ClockSkewException e) {
            check.withdraw();
            throw e;
        }
        return new FleetLimiter<>(FleetMembers.cache(manager, cache), longer, clock, check, timeout);
    }

    /** Returns the limits as a part of a name: members with others have another cache. */
    private static String text(List<Limit> limits) {
        return limits.stream()
                .map(limit -> limit.permits() + (limit.perCall() ? " calls " : " ") + limit.interval())
                .collect(Collectors.joining(", "));
    }

    /** Returns the time of the wall clock, in nanoseconds. */
    static long wallClock() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing.
     *
     * @param key which limiter
     * @param permits at least 1
     * @return {@code true} if the permits were acquired
     * @throws IllegalArgumentException if {@code permits} is less than 1
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public boolean tryAcquire(K key, int permits) {
        return tryAcquireOrDelay(key, permits) == 0;
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing and returns how long to wait.
     *
     * @param key which limiter
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the nanoseconds for which attempts will be refused, longer if
     *     others acquire permits meanwhile; {@link Long#MAX_VALUE} if a limit never allows as many
     * @throws IllegalArgumentException if {@code permits} is less than 1
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public long tryAcquireOrDelay(K key, int permits) {
        requireNonNull(key, "key");
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        long nanos = clock.getAsLong();
        long delay = permits > mostPermits ? Long.MAX_VALUE : refusals.delay(key, permits, nanos);
        if (delay > 0) {
            refusedLocally.increment();
            return delay;
        }
        delay = call(key, new Attempt(nanos, permits, limits, false));
        if (delay > 0) {
            refusals.add(key, permits, nanos, delay);
        }
        return delay;
    }

    private long call(K key, Attempt attempt) {
        try {
            checkOwners();
            return limiters.eval(key, attempt).get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(key, e);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            throw new OutcomeUnknownException(key, e);
        }
    }

    /** A grant of the only owner would be lost with it, and its successor would start without it. */
    private void checkOwners() {
        if (!hasOwners) {
            hasOwners = FleetMembers.hasOwners(cache);
            if (!hasOwners) {
                throw new IllegalStateException("too few of the members with data have joined the limit");
            }
        }
    }

    /**
     * Compares the clock of this member with those of all others once more. Clocks drift: a service whose clock
     * differs by too much can stop using the limiter.
     *
     * @throws ClockSkewException if a clock differs by more than {@code maxSkew}, or may
     */
    public void checkClock() {
        clockCheck.run();
    }

    /** {@return how many attempts were refused in this member, without a call} */
    public long refusedLocally() {
        return refusedLocally.sum();
    }

    /** Returns where the limiters are. */
    AdvancedCache<Object, SlidingWindowLimiter> cache() {
        return cache;
    }
}
