package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * One limit for each key over all members of a fleet: in no time span of a limit's interval, wherever it begins, do all
 * members together grant more than its permits, whatever happens to members and the network between them.
 * A grant counts at a time between the beginning and the end of the call. Without a majority of the members with data,
 * nothing is granted.
 *
 * <p><b>Cost.</b> A call goes to the leader, and from there to a majority. Under load, many calls travel together. An
 * attempt that was refused says until when others of as many permits will be, and these are refused by this object,
 * without a call.
 *
 * <p>Made by {@link FleetMember#limiter}. Thread-safe.
 */
public final class FleetLimiter {
    private final FleetMember member;
    private final LimitSet limits;

    /** The most permits that a call can acquire. */
    private final long mostPermits;

    private final Refusals<String> refusals = new Refusals<>();

    /** The member's. */
    private final LongAdder refusedLocally;

    FleetLimiter(FleetMember member, LimitSet limits, LongAdder refusedLocally) {
        this.member = member;
        this.refusedLocally = refusedLocally;
        this.limits = limits;
        mostPermits = SlidingWindowLimiter.of(limits.limits()).available(0);
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing.
     *
     * @param key which limiter
     * @param permits at least 1
     * @return {@code true} if the permits were acquired
     * @throws IllegalArgumentException if {@code permits} is less than 1, or the key is too long
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public boolean tryAcquire(String key, int permits) {
        return tryAcquireOrDelay(key, permits) == 0;
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing and returns how long to wait.
     *
     * @param key which limiter
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the nanoseconds for which attempts will be refused, longer if
     *     others acquire permits meanwhile; {@link Long#MAX_VALUE} if a limit never allows as many
     * @throws IllegalArgumentException if {@code permits} is less than 1, or the key is too long
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public long tryAcquireOrDelay(String key, int permits) {
        Request request = request(key, permits);
        long nanos = System.nanoTime();
        long delay = permits > mostPermits ? Long.MAX_VALUE : refusals.delay(key, permits, nanos);
        if (delay > 0) {
            refusedLocally.increment();
            return delay;
        }
        delay = member.make(List.of(request.content()));
        if (delay > 0) {
            refusals.add(key, permits, nanos, delay); // made after nanos, so it is refused for longer
        }
        return delay;
    }

    /**
     * Returns what {@link FleetMember#tryAcquireAllOrDelay} acquires together with other requests.
     *
     * @param key which limiter
     * @param permits at least 1
     * @return the request
     * @throws IllegalArgumentException if {@code permits} is less than 1, or the key is too long
     */
    public Request request(String key, int permits) {
        requireNonNull(key, "key");
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        if (key.length() > Attempts.LONGEST_KEY) {
            throw new IllegalArgumentException(
                    "key: of length " + key.length() + " (expected: at most " + Attempts.LONGEST_KEY + ")");
        }
        return new Request(new Attempts.Request(limits, key, permits));
    }

    /** What is wanted of a key. Immutable. */
    public static final class Request {
        private final Attempts.Request content;

        private Request(Attempts.Request content) {
            this.content = content;
        }

        Attempts.Request content() {
            return content;
        }
    }

    /** Returns how many attempts the member has refused without a call. */
    long refusedLocally() {
        return refusedLocally.sum();
    }
}
