package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.examples.fleet.FleetMachine.Answer;
import io.github.hotpath.examples.fleet.MemberDirectory.Step;
import io.github.hotpath.limit.Limit;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.RaftPeer;
import org.jspecify.annotations.Nullable;

/**
 * A member of a fleet: a JVM in which limits apply that all members share. A majority of the members with data has to
 * be connected; the others, in any number, are clients of these. Thread-safe.
 *
 * <pre>{@code
 * FleetMembers members = FleetMembers.of("api", first, second, third);
 * FleetMember member = FleetMember.join(members, first, dir, Duration.ofSeconds(2));   // or with data elsewhere:
 * FleetMember client = FleetMember.client(members, Duration.ofSeconds(2));
 * FleetLimiter limiter = member.limiter("requests", Limit.of(1000, Duration.ofMinutes(1)));
 * }</pre>
 *
 * <p>A member with data is started by {@link #create} for the first time, by {@link #join} afterwards, and by
 * {@link #replace} if its directory is lost. All three return at once; {@link #problem} tells how far it is.
 */
public final class FleetMember implements AutoCloseable, MeterBinder {
    /** Of a joint attempt. It is a quarter of what an entry of the log can have. */
    private static final int MOST_BYTES = 1 << 20;

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    private final FleetMembers members;
    private final FleetLog log;
    private final FleetClient client;
    private final @Nullable DataMember data;
    private final Outbox outbox;
    private final long timeoutNanos;

    private final LongAdder granted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder refusedLocally = new LongAdder();

    private FleetMember(FleetMembers members, @Nullable DataMember data, FleetLog log, Duration timeout) {
        this.members = members;
        this.data = data;
        this.log = log;
        timeoutNanos = timeout.toNanos();
        client = new FleetClient(members, timeout);
        outbox = new Outbox(client, timeoutNanos);
    }

    /**
     * Starts a member without data. Nothing is sent before its first attempt.
     *
     * @param members those with data
     * @param timeout after which the outcome of an attempt is unknown; positive, and at most 10 minutes
     * @return the member
     */
    public static FleetMember client(FleetMembers members, Duration timeout) {
        checkTimeout(timeout);
        return new FleetMember(members, null, new FleetLog("client of " + members.name()), timeout);
    }

    /**
     * Starts a member with data for the first time, with an empty directory. The fleet serves when all its members have
     * been created. If the others run already, this one has lost its directory, and takes no part: {@link #problem}
     * says so. With the directory of this member it is {@link #join}.
     *
     * @param members those with data
     * @param own the address of this one, which is one of them. It listens there
     * @param dir of this member alone
     * @param timeout after which the outcome of an attempt is unknown; positive, and at most 10 minutes
     * @return the member
     * @throws IOException if it cannot listen, or the directory is of another member, or cannot be read or written
     */
    public static FleetMember create(FleetMembers members, String own, Path dir, Duration timeout) throws IOException {
        return start(members, own, dir, timeout, Step.CREATED, System::nanoTime, FleetMachine.NEWEST_FORMAT);
    }

    /**
     * Starts a member with data from its directory, and does not wait for the others.
     *
     * @param members those with data
     * @param own the address of this one, which is one of them. It listens there
     * @param dir of this member alone
     * @param timeout after which the outcome of an attempt is unknown; positive, and at most 10 minutes
     * @return the member
     * @throws IOException if it cannot listen, or the directory is empty or of another member, or cannot be read or
     *     written
     */
    public static FleetMember join(FleetMembers members, String own, Path dir, Duration timeout) throws IOException {
        return start(members, own, dir, timeout, Step.MEMBER, System::nanoTime, FleetMachine.NEWEST_FORMAT);
    }

    /**
     * Starts a new member with data in the place of one whose directory is lost, with an empty directory. The others, of
     * which a majority of all has to run, first agree that the old one has left. With the directory of this member it is
     * {@link #join}.
     *
     * @param members those with data
     * @param own the address of this one, which is one of them. It listens there
     * @param dir of this member alone
     * @param timeout after which the outcome of an attempt is unknown; positive, and at most 10 minutes
     * @return the member
     * @throws IOException if it cannot listen, or the directory is of another member, or cannot be read or written
     */
    public static FleetMember replace(FleetMembers members, String own, Path dir, Duration timeout) throws IOException {
        return start(members, own, dir, timeout, Step.REPLACING, System::nanoTime, FleetMachine.NEWEST_FORMAT);
    }

    /** Starts one with data, by that clock, and that version of the program. */
    static FleetMember start(
            FleetMembers members,
            String own,
            Path dir,
            Duration timeout,
            Step first,
            LongSupplier nanoTime,
            int newestFormat)
            throws IOException {
        int number = members.dataMembers().indexOf(own);
        if (number < 0) {
            throw new IllegalArgumentException("own: " + own + " (expected: one of " + members.dataMembers() + ")");
        }
        checkTimeout(timeout);
        MemberDirectory directory = MemberDirectory.open(dir, members, number, first);
        FleetLog log = new FleetLog(own);
        FleetMachine machine = new FleetMachine(new FleetClock(nanoTime), newestFormat, log);
        return new FleetMember(members, new DataMember(members, number, directory, machine, log), log, timeout);
    }

    private static void checkTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "timeout: " + timeout + " (expected: > 0, and at most " + LONGEST_TIMEOUT + ")");
        }
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
        return new FleetLimiter(this, new LimitSet(name, List.copyOf(Arrays.asList(limits))), refusedLocally);
    }

    /**
     * Acquires the permits of all requests, or none: of several keys, and of several limiters of this fleet.
     *
     * @param requests from 1 to 255, made by {@link FleetLimiter#request}
     * @return 0 if all permits were acquired; otherwise the longest of the delays of the requests, after which the
     *     attempt may succeed; {@link Long#MAX_VALUE} if a limit never allows as many as one of them asks for
     * @throws IllegalArgumentException if there are no requests, or too many, or they take more than 1 MiB in all
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public long tryAcquireAllOrDelay(FleetLimiter.Request... requests) {
        if (requests.length < 1 || requests.length > 255) {
            throw new IllegalArgumentException("requests: " + requests.length + " (expected: 1 to 255)");
        }
        return make(Arrays.stream(requests).map(FleetLimiter.Request::content).toList());
    }

    long make(List<Request> requests) {
        byte[] content = Attempts.write(requests);
        if (content.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "requests: of " + content.length + " bytes (expected: at most " + MOST_BYTES + ")");
        }
        Outbox.Attempt attempt = outbox.send(content);
        Throwable reason;
        try {
            long delay = attempt.delay().get(timeoutNanos, TimeUnit.NANOSECONDS);
            (delay == 0 ? granted : refused).increment();
            return delay;
        } catch (ExecutionException e) {
            reason = e.getCause();
        } catch (TimeoutException e) {
            reason = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reason = e;
        }
        outbox.giveUp(attempt);
        unknown.increment();
        log.everyMinute(Level.WARNING, "the outcome of an attempt is unknown", reason);
        throw new OutcomeUnknownException(requests.toString(), reason);
    }

    /**
     * Returns whether this member, if it has data, has applied all that the leader has told it a majority to have. Wait
     * for that before the next member is restarted: until then, this one is no substitute for it. Under load it may be a
     * moment late. One that was cut off may not know yet what it has missed. A member without data is always up to date.
     *
     * @return whether it is
     */
    public boolean isUpToDate() {
        return problem().isEmpty();
    }

    /**
     * Returns why this member is not up to date.
     *
     * @return the reason, or nothing if it is
     */
    public Optional<String> problem() {
        return data == null ? Optional.empty() : data.problem();
    }

    /**
     * Ends an upgrade: if all members with data read a newer format of the log, that one is used from then on, and a
     * member with an older version of the program refuses to go on.
     *
     * @return the format in force
     * @throws IOException if a member cannot be asked, has not been started completely, or reads only older formats:
     *     nothing has changed then
     */
    public int upgrade() throws IOException {
        return upgrade(FleetMachine.NEWEST_FORMAT);
    }

    int upgrade(int format) throws IOException {
        for (RaftPeer peer : members.peers()) {
            Answer answer = client.ask(peer);
            if (answer.format() == 0) { // an attempt would be made before all are known to have the log
                throw new IOException("the fleet is not complete yet, at " + peer.getAddress());
            }
            if (answer.newest() < format) {
                throw new IOException("format: " + format + " (expected: at most " + answer.newest() + ", by "
                        + peer.getAddress() + ")");
            }
        }
        return client.send(FleetMachine.request(format, List.of()), timeoutNanos)
                .format();
    }

    /**
     * Adds the meters of this member to a registry.
     *
     * @param registry of the service
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "granted", granted);
        counter(registry, "refused", refused);
        counter(registry, "refused locally", refusedLocally);
        counter(registry, "unknown", unknown);
        DataMember part = data;
        if (part != null) {
            Gauge.builder("fleet.up.to.date", () -> isUpToDate() ? 1 : 0).register(registry);
            Gauge.builder("fleet.leader", () -> part.isLeader() ? 1 : 0).register(registry);
            Gauge.builder("fleet.keys", () -> part.machine().read(FleetState::keys))
                    .register(registry);
        }
    }

    private static void counter(MeterRegistry registry, String outcome, LongAdder counter) {
        FunctionCounter.builder("fleet.attempts", counter, LongAdder::sum)
                .tag("outcome", outcome)
                .register(registry);
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
        try {
            if (data != null) {
                data.close();
            }
        } finally {
            client.close();
        }
    }
}
