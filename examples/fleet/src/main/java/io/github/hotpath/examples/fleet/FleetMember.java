package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A member of a fleet: a JVM in which limits apply that all members share. A majority of the members with data has to
 * be connected; the others, in any number, are clients of these. Thread-safe.
 *
 * <pre>{@code
 * FleetMembers members = FleetMembers.of("api", first, second, third);
 * FleetMember member = FleetMember.join(members, first, dir, Duration.ofSeconds(2));   // or with data elsewhere:
 * FleetMember client = FleetMember.join(members, Duration.ofSeconds(2));
 * FleetLimiter limiter = member.limiter("requests", Limit.of(1000, Duration.ofMinutes(1)));
 * }</pre>
 */
public final class FleetMember implements AutoCloseable {
    /** Of a joint attempt. With the most limits, it takes half of what an entry of the log can have. */
    private static final int MOST_CHARACTERS = 300_000;

    /** So that an attempt can be repeated some times before it has been sent for too long. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    private final @Nullable DataMember data;
    private final @Nullable AttemptServer server;
    private final Outbox outbox;
    private final long timeoutNanos;

    private FleetMember(@Nullable DataMember data, @Nullable AttemptServer server, Route route, Duration timeout) {
        this.data = data;
        this.server = server;
        outbox = new Outbox(route, timeout, System::nanoTime);
        timeoutNanos = timeout.toNanos();
    }

    /**
     * Starts a member without data. Nothing is sent before its first attempt.
     *
     * @param members those with data
     * @param timeout after which the outcome of an attempt is unknown; positive, and at most 10 minutes
     * @return the member
     */
    public static FleetMember join(FleetMembers members, Duration timeout) {
        requireNonNull(members, "members");
        checkTimeout(timeout);
        List<@Nullable Connection> all = Connection.toOthers(members, -1, sockets(members));
        try {
            int first = ThreadLocalRandom.current().nextInt(all.size());
            return new FleetMember(null, null, new Route(all, first, members.silence(), System::nanoTime), timeout);
        } catch (Throwable e) { // threads have ended
            Connection.closeAll(all);
            throw e;
        }
    }

    /**
     * Starts a member with data, and does not wait for the others. Its log and its snapshots are in {@code dir}. A
     * member that has ended continues from there, and has to: one that comes back without its log could grant what is
     * granted already.
     *
     * @param members those with data
     * @param own the address of this one, which is one of them. It listens there, and at the next port
     * @param dir of this member alone
     * @param timeout after which the outcome of an attempt is unknown; positive, and at most 10 minutes
     * @return the member
     * @throws IOException if it cannot listen, or cannot read or write its log
     */
    public static FleetMember join(FleetMembers members, HostAndPort own, Path dir, Duration timeout)
            throws IOException {
        return join(members, own, dir, timeout, System::nanoTime, FleetMember::wallClock);
    }

    /** The same with other clocks. */
    static FleetMember join(
            FleetMembers members,
            HostAndPort own,
            Path dir,
            Duration timeout,
            LongSupplier nanoTime,
            LongSupplier wallClock)
            throws IOException {
        requireNonNull(dir, "dir");
        int number = members.dataMembers().indexOf(requireNonNull(own, "own"));
        if (number < 0) {
            throw new IllegalArgumentException("own: " + own + " (expected: one of " + members.dataMembers() + ")");
        }
        checkTimeout(timeout);
        long margin = members.margin().toNanos();
        DataMember data = new DataMember(members, number, dir, new FleetClock(nanoTime, wallClock, margin));
        try {
            AttemptServer server = new AttemptServer(members, data, sockets(members));
            try {
                Route route = new Route(server.route(), number, members.silence(), System::nanoTime);
                return new FleetMember(data, server, route, timeout);
            } catch (Throwable e) {
                try (server) {
                    throw e;
                }
            }
        } catch (Throwable e) { // threads may have ended
            try (data) {
                throw e;
            }
        }
    }

    private static void checkTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "timeout: " + timeout + " (expected: > 0, and at most " + LONGEST_TIMEOUT + ")");
        }
    }

    private static Sockets sockets(FleetMembers members) {
        return new Sockets(members.tls(), members.silence());
    }

    /** Returns the time of the wall clock, in nanoseconds. */
    static long wallClock() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    /**
     * Returns a limiter that all members share who ask for the same.
     *
     * @param name of the limit. The same name with other limits is another limiter, that counts by itself
     * @param limits one or more, all of which apply to each key
     * @return the limiter
     * @throws IllegalArgumentException if there are no limits, or more than 255, or the name is too long
     */
    public FleetLimiter limiter(String name, Limit... limits) {
        if (requireNonNull(name, "name").length() > Attempts.LONGEST_KEY) {
            throw new IllegalArgumentException(
                    "name: of length " + name.length() + " (expected: at most " + Attempts.LONGEST_KEY + ")");
        }
        if (limits.length < 1 || limits.length > 255) {
            throw new IllegalArgumentException("limits: " + limits.length + " (expected: 1 to 255)");
        }
        return new FleetLimiter(this, new LimitSet(name, List.copyOf(Arrays.asList(limits))));
    }

    /**
     * Acquires the permits of all requests, or none: of several keys, and of several limiters of this fleet.
     *
     * @param requests from 1 to 255, made by {@link FleetLimiter#request}
     * @return 0 if all permits were acquired; otherwise the longest of the delays of the requests, after which the
     *     attempt may succeed; {@link Long#MAX_VALUE} if a limit never allows as many
     * @throws IllegalArgumentException if there are no requests, or too many, or their keys and the names of their
     *     limiters have more than 300,000 characters in all
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public long tryAcquireAllOrDelay(FleetLimiter.Request... requests) {
        if (requests.length < 1 || requests.length > 255) {
            throw new IllegalArgumentException("requests: " + requests.length + " (expected: 1 to 255)");
        }
        List<Request> contents =
                Arrays.stream(requests).map(FleetLimiter.Request::content).toList();
        int characters = contents.stream()
                .mapToInt(request ->
                        request.key().length() + request.limits().name().length())
                .sum();
        if (characters > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "requests: of " + characters + " characters (expected: at most " + MOST_CHARACTERS + ")");
        }
        return make(new Attempt(contents));
    }

    long make(List<Request> requests) {
        return make(new Attempt(requests));
    }

    long repeat(Attempt attempt) {
        if (!outbox.isRepeatable(attempt)) {
            throw new IllegalStateException("repeat: too late (expected: within " + Session.REPEATABLE
                    + " of the last call, and " + Session.LONGEST + " of the first one)");
        }
        return make(attempt);
    }

    private long make(Attempt attempt) {
        outbox.send(attempt);
        try {
            return attempt.delay().get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(attempt, e);
        } catch (ExecutionException | TimeoutException e) {
            throw unknown(attempt, e);
        } catch (Throwable e) { // memory may end
            outbox.giveUp(attempt);
            throw e;
        }
    }

    private OutcomeUnknownException unknown(Attempt attempt, Exception cause) {
        outbox.giveUp(attempt);
        return new OutcomeUnknownException(this, attempt, cause);
    }

    /**
     * Returns whether this member, if it has data, has applied all that the leader has told it a majority to have. Wait
     * for that before the next member is restarted: until then, this one is no substitute for it. Under load it may be a
     * moment late. One that was cut off may not know yet what it has missed. A member without data is always up to date.
     *
     * @return whether it is
     */
    public boolean isUpToDate() {
        return data == null || data.isUpToDate();
    }

    /** Returns the part that has data, or null. */
    @Nullable
    DataMember data() {
        return data;
    }

    /** Leaves. The others need a majority of those with data without it. */
    @Override
    public void close() throws IOException {
        outbox.close();
        if (server != null) {
            server.close();
        }
        if (data != null) {
            data.close();
        }
    }
}
