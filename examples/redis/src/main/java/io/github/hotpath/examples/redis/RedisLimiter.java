package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The limiter of a key for all that share a Redis, or several together: in no time span of a limit's interval, wherever
 * it begins, do all processes together grant more than its permits at the key. Each attempt gets the answer that a
 * {@link io.github.hotpath.limit.Limiter} would give, in whole microseconds.
 *
 * <pre>{@code
 * RedisLimiter client = limits.limiter("client:" + id, Limit.ofCalls(60, minute), Limit.of(100_000, minute));
 * RedisLimiter tenant = limits.limiter("tenant:" + tenantId, Limit.ofCalls(1_000, minute));
 * long waitNanos = RedisLimiter.allOf(client, tenant).tryAcquireOrDelay(tokens);
 * }</pre>
 *
 * <p><b>Cost.</b> An attempt is one round trip. One that is refused says until when others of as many permits will be,
 * and for up to a second these are refused without a call.
 *
 * <p><b>Time</b> is that of the server. At a key it never moves back: when the clock of the server is set back, the key
 * waits for it at the time of the latest grant. When it is set forward by an interval, what was granted before has
 * expired.
 *
 * <p>Immutable, and thread-safe.
 */
public final class RedisLimiter {
    /** The scripts' numbers are exact up to 2^53, and a limit is added to what was granted. */
    private static final long MOST = 1L << 51;

    private final RedisLimits server;
    private final Map<String, List<Limit>> limits; // of each key that has some
    private final List<String> keys;

    /** What the script reads after the permits. */
    private final List<String> arguments = new ArrayList<>();

    /** The most permits that a call can acquire. */
    private final long mostPermits;

    RedisLimiter(RedisLimits server, String key, List<Limit> limits) {
        this(server, limits.isEmpty() ? Map.of() : Map.of(key, List.copyOf(limits)));
    }

    private RedisLimiter(RedisLimits server, Map<String, List<Limit>> limits) {
        this.server = server;
        this.limits = limits;
        keys = List.copyOf(limits.keySet());
        long most = Long.MAX_VALUE;
        for (List<Limit> ofKey : limits.values()) {
            arguments.add(Integer.toString(ofKey.size()));
            for (Limit limit : ofKey) {
                if (limit.max() > MOST) {
                    throw new IllegalArgumentException("limits: " + limit + " (expected: at most " + MOST + ")");
                }
                arguments.add((limit.isPerCall() ? "-" : "") + limit.max());
                arguments.add(Long.toString(limit.interval().toNanos() / 1000)); // times are whole microseconds
                if (!limit.isPerCall() || limit.max() == 0) {
                    most = Math.min(most, limit.max());
                }
            }
        }
        mostPermits = most;
    }

    /**
     * Returns a limiter that acquires from all of these, or from none. A key that occurs twice counts once.
     *
     * @param first of the limiters
     * @param more of the same {@link RedisLimits}
     * @return the limiter
     * @throws IllegalArgumentException if one is of others, or a key has different limits
     */
    public static RedisLimiter allOf(RedisLimiter first, RedisLimiter... more) {
        Map<String, List<Limit>> all = new LinkedHashMap<>(first.limits);
        for (RedisLimiter other : more) {
            if (other.server != first.server) {
                throw new IllegalArgumentException("limiters: of another RedisLimits: " + other.keys);
            }
            other.limits.forEach((key, limits) -> {
                List<Limit> before = all.putIfAbsent(key, limits);
                if (before != null && !before.equals(limits)) {
                    throw new IllegalArgumentException("limiters: " + key + ": " + before + " and " + limits
                            + " (expected: the same limits of a key)");
                }
            });
        }
        return new RedisLimiter(first.server, all);
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing.
     *
     * @param permits at least 1
     * @return {@code true} if the permits were acquired
     * @throws IllegalArgumentException if {@code permits} is less than 1
     * @throws NotAcquiredException if nothing was acquired, because of an error
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public boolean tryAcquire(int permits) {
        return tryAcquireOrDelay(permits) == 0;
    }

    /**
     * Acquires {@code permits} if every limit allows it, and otherwise changes nothing and returns how long to wait.
     *
     * <p>The delay is exact when the server was asked: one microsecond earlier the attempt would be refused. When it
     * was refused without a call, what others have acquired since is not included.
     *
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the nanoseconds for which attempts will be refused, longer if
     *     others acquire permits meanwhile; {@link Long#MAX_VALUE} if a limit never allows as many
     * @throws IllegalArgumentException if {@code permits} is less than 1
     * @throws NotAcquiredException if nothing was acquired, because of an error
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public long tryAcquireOrDelay(int permits) {
        return await(tryAcquireOrDelayAsync(permits));
    }

    /** Acquires even if a refusal is known; otherwise like {@link #tryAcquireOrDelay}. */
    long askServer(int permits) {
        return await(server.ask(keys, arguments, permits));
    }

    private long await(CompletableFuture<Long> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(keys, e);
        }
    }

    /**
     * Acquires as {@link #tryAcquireOrDelay} does, without waiting for the answer. The future is completed on a thread
     * of Lettuce, which what depends on it must not block.
     *
     * @param permits at least 1
     * @return the same as a future, which fails with the same exceptions
     * @throws IllegalArgumentException if {@code permits} is less than 1
     */
    public CompletableFuture<Long> tryAcquireOrDelayAsync(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        if (permits > mostPermits) {
            return CompletableFuture.completedFuture(Long.MAX_VALUE);
        }
        return keys.isEmpty() ? CompletableFuture.completedFuture(0L) : server.acquire(keys, arguments, permits);
    }

    List<String> arguments() {
        return arguments;
    }

    /** Returns the keys, and their limits. */
    @Override
    public String toString() {
        return "RedisLimiter" + limits;
    }
}
