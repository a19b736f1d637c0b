package io.github.hotpath.examples.redis;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Limits for all processes that share a Redis, or Valkey: in no time span of a limit's interval, wherever it begins, do
 * they together grant more than its permits at a key. Each attempt gets the answer that the library's limiters would
 * give, in whole microseconds.
 *
 * <p><b>Cost.</b> An attempt is one round trip, and a grant 100 to 130 bytes at each key until it expires.
 *
 * <p><b>Time</b> is that of the server. At a key it never moves back: when the clock of the server is set back, the key
 * waits for it at the time of the latest grant. When it is set forward by an interval, what was granted before has
 * expired.
 *
 * <p>Thread-safe. All threads share one connection, and their calls follow each other without waiting for answers.
 */
public final class RedisLimits implements AutoCloseable {
    /**
     * Acquires permits at every key, or changes nothing. ARGV: the permits; then, for each key, the permits of its limit,
     * or the calls with a minus sign, and the interval. Returns 0, or how long to wait. Times are microseconds.
     *
     * <p>A grant is a member of the sorted set of its key. Its score is the number of permits granted so far, its own
     * included. So n more permits fit when permit number (so far + n - limit) has expired, and ZRANGEBYSCORE finds the
     * grant to which it belongs. The newest grant that has expired stays, since older ones are recognized by it.
     */
    static final String SCRIPT = """
            local function time(grant)
              return tonumber(string.match(grant, '^%d+'))
            end

            local clock = redis.call('TIME')
            local now, permits, wait, grants = clock[1] * 1000000 + clock[2], tonumber(ARGV[1]), 0, {}
            for i, key in ipairs(KEYS) do
              local limit, interval = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
              local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
              local at = last[1] and math.max(now, time(last[1])) or now -- when the clock was set back, it stands still
              local sum, first = (last[2] or 0) + permits, {}
              if limit < 0 then
                first = redis.call('ZRANGE', key, limit, limit)
              elseif sum > limit then
                first = redis.call('ZRANGEBYSCORE', key, sum - limit, '+inf', 'LIMIT', 0, 1)
              end
              if first[1] and time(first[1]) + interval >= at then
                wait = math.max(wait, time(first[1]) + interval + 1 - now)
              end
              if sum >= 2 ^ 53 then -- a score is exact up to there: the key starts over when it has expired
                wait = math.max(wait, (redis.call('PTTL', key) + 1) * 1000, 1)
              end
              grants[i] = {at = at, sum = sum, interval = interval}
            end
            if wait > 0 then
              return wait
            end

            for i, key in ipairs(KEYS) do
              local grant = grants[i]
              redis.call('ZADD', key, grant.sum, string.format('%.0f:%.0f', grant.at, grant.sum))
              for _ = 1, 2 do
                local second = redis.call('ZRANGE', key, 1, 1)[1]
                if second and time(second) + grant.interval < grant.at then
                  redis.call('ZREMRANGEBYRANK', key, 0, 0)
                end
              end
              redis.call('PEXPIRE', key, math.ceil((grant.at - now + grant.interval) / 1000) + 1000)
            end
            return 0
            """;

    /** The script's numbers are exact up to 2^53, and a limit is added to what was granted. */
    private static final long MOST = 1L << 51;

    private final RedisClient client = RedisClient.create();
    private final RedisURI uri;
    private final String prefix;
    private final String digest;
    volatile StatefulRedisConnection<String, String> connection;
    private boolean isConnecting; // guarded by this

    /** Thrown when nothing was acquired: there is no connection, or the server has answered with an error. */
    public static final class NotAcquiredException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotAcquiredException(List<String> keys, @Nullable String reason, @Nullable Throwable cause) {
            super("keys: " + keys + " (expected: a server that can grant): " + reason, cause);
        }
    }

    /**
     * Thrown when it is not known whether the permits were acquired: no answer came in time, the connection broke, or the
     * waiting thread was interrupted. They may count, once, since no attempt is repeated.
     */
    public static final class OutcomeUnknownException extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutcomeUnknownException(List<String> keys, Throwable cause) {
            super("keys: " + keys + " (expected: an answer)", cause);
        }
    }

    /**
     * Connects to a server.
     *
     * @param uri of a primary, as {@code RedisURI.create("redis://localhost")}
     * @param prefix what all keys begin with, so that services that share a server do not count together
     * @param timeout of each call, and of connecting; over 0
     * @throws IllegalArgumentException if {@code timeout} is 0 or less
     * @throws io.lettuce.core.RedisException if there is no connection
     * @throws IllegalStateException if the server is a replica, or evicts keys
     */
    public RedisLimits(RedisURI uri, String prefix, Duration timeout) {
        try {
            this.uri = RedisURI.builder(uri).withTimeout(timeout).build();
            this.prefix = requireNonNull(prefix, "prefix");
            client.setOptions(ClientOptions.builder()
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS) // and what was sent is not repeated
                    .timeoutOptions(TimeoutOptions.enabled())
                    .socketOptions(
                            SocketOptions.builder().connectTimeout(timeout).build())
                    .protocolVersion(ProtocolVersion.RESP2) // connects without further commands
                    .build());
            connection = client.connect(this.uri);
            digest = connection.async().digest(SCRIPT);
            String info = connection.sync().info();
            check(info, "role", "master"); // a replica would answer until something is granted
            check(info, "maxmemory_policy", "noeviction"); // otherwise limits start over when the memory is full
        } catch (RuntimeException e) {
            close(); // its threads would stay
            throw e;
        }
    }

    private static void check(String info, String property, String expected) {
        if (info.lines().noneMatch((property + ":" + expected)::equals)) {
            String found = info.lines()
                    .filter(line -> line.startsWith(property + ":"))
                    .findFirst()
                    .orElse("unknown");
            throw new IllegalStateException(found + " (expected: " + property + ":" + expected + ")");
        }
    }

    /**
     * Acquires {@code permits} at every key if its limit allows it; otherwise changes nothing, and returns how long to
     * wait. The delay is exact: one microsecond earlier the attempt would be refused.
     *
     * @param limits the limit of each key; with none everything is granted. The maximum of a key may change from call to
     *     call, but not the interval: each call removes what is older than its own
     * @param permits at least 1
     * @return 0 if the permits were acquired; otherwise the nanoseconds for which attempts are refused, longer if others
     *     acquire permits meanwhile; {@link Long#MAX_VALUE} if a limit never allows as many
     * @throws IllegalArgumentException if {@code permits} is less than 1, or a limit is over 2^51
     * @throws NotAcquiredException if nothing was acquired, because of an error
     * @throws OutcomeUnknownException if the permits may have been acquired, or not
     */
    public long tryAcquireOrDelay(Map<String, Limit> limits, int permits) {
        try {
            return tryAcquireOrDelayAsync(limits, permits).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(List.copyOf(limits.keySet()), e);
        }
    }

    /**
     * Does the same without waiting. The future fails with the same exceptions; it is completed on a thread of Lettuce,
     * which what depends on it must not block.
     */
    public CompletableFuture<Long> tryAcquireOrDelayAsync(Map<String, Limit> limits, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        List<String> keys = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(permits)));
        boolean isPossible = true;
        for (Map.Entry<String, Limit> entry : limits.entrySet()) {
            Limit limit = entry.getValue();
            if (limit.max() > MOST) {
                throw new IllegalArgumentException("limits: " + entry + " (expected: at most " + MOST + ")");
            }
            isPossible &= limit.max() >= (limit.isPerCall() ? 1 : permits);
            keys.add(prefix + requireNonNull(entry.getKey(), "key"));
            arguments.add((limit.isPerCall() ? "-" : "") + limit.max());
            arguments.add(Long.toString(limit.interval().toNanos() / 1000));
        }
        if (!isPossible || keys.isEmpty()) {
            return CompletableFuture.completedFuture(isPossible ? 0 : Long.MAX_VALUE);
        }
        return ask(keys, arguments.toArray(String[]::new));
    }

    private CompletableFuture<Long> ask(List<String> keys, String[] arguments) {
        StatefulRedisConnection<String, String> asked = connection;
        if (!asked.isOpen()) {
            return CompletableFuture.failedFuture(new NotAcquiredException(keys, "not connected", null));
        }
        String[] names = keys.toArray(String[]::new);
        return asked.async()
                .<Long>evalsha(digest, ScriptOutputType.INTEGER, names, arguments)
                .toCompletableFuture()
                .exceptionallyCompose(failure -> failure instanceof RedisNoScriptException
                        // A new server, or one whose scripts were flushed: it has run nothing.
                        ? asked.async().<Long>eval(SCRIPT, ScriptOutputType.INTEGER, names, arguments)
                        : CompletableFuture.failedFuture(failure))
                .handle((@Nullable Long micros, @Nullable Throwable failure) -> {
                    if (micros != null) {
                        return micros * 1000;
                    }
                    throw exception(asked, keys, failure instanceof CompletionException ? failure.getCause() : failure);
                });
    }

    private RuntimeException exception(
            StatefulRedisConnection<String, String> asked, List<String> keys, Throwable failure) {
        boolean isReplica = String.valueOf(failure.getMessage()).contains("READONLY");
        if (isReplica || failure instanceof RedisCommandTimeoutException) {
            connectAnew(asked);
        }
        return failure instanceof RedisCommandExecutionException
                ? new NotAcquiredException(keys, failure.getMessage(), failure)
                : new OutcomeUnknownException(keys, failure);
    }

    /**
     * Replaces a connection to a server that has become a replica, or does not answer: the address may be that of another
     * one by now. Lettuce itself connects again only after a connection was closed.
     */
    private synchronized void connectAnew(StatefulRedisConnection<String, String> old) {
        if (old == connection && !isConnecting) {
            isConnecting = true;
            client.connectAsync(StringCodec.UTF8, uri).whenComplete((fresh, failure) -> {
                synchronized (this) {
                    isConnecting = false;
                    connection = fresh == null ? old : fresh;
                }
                if (fresh != null) {
                    old.closeAsync();
                }
            });
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
