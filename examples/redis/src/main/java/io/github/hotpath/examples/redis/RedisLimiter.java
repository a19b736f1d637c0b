package io.github.hotpath.examples.redis;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.limit.Limit;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One limit for each key for all that share a Redis: in no time span of a limit's interval, wherever it begins, do all
 * of them together grant more than its permits. Each attempt gets the answer that a
 * {@link io.github.hotpath.limit.SlidingWindowLimiter} at its key would give, in whole microseconds.
 *
 * <pre>{@code
 * LimitServer server = LimitServer.connect(RedisURI.create("redis://localhost"), Duration.ofSeconds(1));
 * RedisLimiter limiter = server.limiter("api", Limit.of(1000, Duration.ofMinutes(1)));
 * long waitNanos = limiter.tryAcquireOrDelay(client, 1);
 * }</pre>
 *
 * <p>The limit is exact as long as the server keeps what it has acknowledged. It may lose the last grants when its
 * machine fails, or when a replica takes its place: then as many are granted again.
 *
 * <p><b>Cost.</b> An attempt is one round trip. One that was refused says until when others will be, and these are
 * refused in this object, without a call. At the server a key takes 8 to 12 bytes for each grant within the longest
 * interval, 16 to 24 if grants have several permits, and expires when nothing has been granted for up to twice the
 * interval.
 *
 * <p><b>Time</b> is that of the server, unless another clock is given. It never moves back for a key: if the clock of
 * the server is set back, it continues from the time of the latest grant. If it is set forward by an interval, what was
 * granted before has expired.
 *
 * <p>Thread-safe.
 */
public final class RedisLimiter {
    private final LimitServer server;
    private final String prefix;
    private final @Nullable LongSupplier epochMicros;
    private final LongAdder refusedLocally = new LongAdder();
    private volatile Rules rules;

    RedisLimiter(LimitServer server, String name, @Nullable LongSupplier epochMicros, Limit... limits) {
        this.server = server;
        this.epochMicros = epochMicros;
        prefix = requireNonNull(name, "name") + ':';
        rules = new Rules(limits);
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing.
     *
     * @param key which limiter
     * @param permits at least 1
     * @return {@code true} if the permits were acquired
     * @throws IllegalArgumentException if {@code permits} is less than 1
     * @throws NotAcquiredException if the attempt could not be made
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public boolean tryAcquire(String key, int permits) {
        return tryAcquireOrDelay(key, permits) == 0;
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing and returns how long to wait.
     *
     * <p>The delay is exact when the server was asked: one microsecond earlier the attempt would be refused. When it
     * was not, because this object knows of a refusal, the delay is exact for one permit; for several it does not
     * include what has been granted since.
     *
     * @param key which limiter
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the nanoseconds for which attempts will be refused, longer if
     *     others acquire permits meanwhile; {@link Long#MAX_VALUE} if a limit never allows as many
     * @throws IllegalArgumentException if {@code permits} is less than 1
     * @throws NotAcquiredException if the attempt could not be made
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public long tryAcquireOrDelay(String key, int permits) {
        requireNonNull(key, "key");
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        Rules current = rules;
        long micros = epochMicros == null ? -1 : checked(epochMicros.getAsLong());
        long nanos = epochMicros == null ? System.nanoTime() : micros * 1000; // before the call: refuses no longer
        long delay = current.neverAllow(permits)
                ? Long.MAX_VALUE
                : current.refusals().delay(key, permits, nanos);
        if (delay > 0) {
            refusedLocally.increment();
            return delay;
        }
        delay = ask(current, key, permits, micros);
        if (delay > 0) {
            current.refusals().add(key, permits, nanos, delay);
        }
        return delay;
    }

    private static long checked(long micros) {
        if (micros < 0 || micros > Rules.MOST_MICROS) {
            throw new IllegalArgumentException(
                    "epochMicros: " + micros + " (expected: from 0 to " + Rules.MOST_MICROS + ")");
        }
        return micros;
    }

    private long ask(Rules current, String key, int permits, long micros) {
        String time = micros < 0 ? "" : Long.toString(micros);
        long delay = server.acquire(prefix + key, current.arguments(permits, time));
        return delay < 0 ? Long.MAX_VALUE : delay * 1000;
    }

    /** Asks the server even if the refusal is known; otherwise like {@link #tryAcquireOrDelay}. */
    long askServer(String key, int permits) {
        return ask(rules, key, permits, epochMicros == null ? -1 : epochMicros.getAsLong());
    }

    /**
     * Sets the limits of this object, from its next call on. What was granted counts under them: all that still counted
     * under the limits before, and what else the server has stored. So lower limits hold at once, higher ones grant at
     * once, and a longer interval is exact as soon as it has passed. Other processes use their own limits until they
     * set others.
     *
     * @param limits one or more, all of which apply
     * @throws IllegalArgumentException if there is none, or one is over 2^51 permits or 2^52 microseconds
     */
    public void setLimits(Limit... limits) {
        rules = new Rules(limits);
    }

    /** {@return the limits} */
    public List<Limit> limits() {
        return rules.limits();
    }

    /**
     * Removes all grants of a key. Refusals that are known to other processes stay until they end.
     *
     * @param key which limiter
     * @throws OutcomeUnknownException if they may still count, or not
     */
    public void clear(String key) {
        server.clear(prefix + requireNonNull(key, "key"));
        rules = new Rules(rules.limits().toArray(Limit[]::new)); // without refusals
    }

    /** {@return how many attempts were refused in this object, without a call} */
    public long refusedLocally() {
        return refusedLocally.sum();
    }
}
