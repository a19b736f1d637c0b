package io.github.hotpath.examples.redis;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
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
     * or the calls with a minus sign, and the interval. Returns 0, or how long to wait; then, for each key, what is left
     * of its limit, and how long until more is. Times are microseconds, and 2^53 is never.
     *
     * <p>A grant is a member of the sorted set of its key. Its score is the number of permits granted so far, its own
     * included. So what counts are the permits after those of the newest grant that has expired, which stays for that;
     * and n of them have expired when the grant has to which permit number (expired + n) belongs.
     */
    static final String SCRIPT = """
            local function grant(key, rank)
              local found = redis.call('ZRANGE', key, rank, rank)[1]
              if found then
                return string.match(found, '^%d+') + 0, string.match(found, '%d+$') + 0
              end
            end

            local clock = redis.call('TIME')
            local now, permits, grants, answer = clock[1] * 1000000 + clock[2], tonumber(ARGV[1]), {}, {0}
            for i, key in ipairs(KEYS) do
              local limit, interval = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
              local latest, total = grant(key, -1)
              local at = math.max(now, latest or now) -- when the clock was set back, it stands still
              local expired, before, first, step, factor = 0, 0, nil, 1, 2
              repeat -- how many have expired: by steps that double, and then halve
                local time, sum = grant(key, expired + step - 1)
                if time and time + interval < at then
                  expired, before = expired + step, sum
                else
                  first, factor = time, 0.5
                end
                step = step * factor
              until step < 1

              local needed, counted = permits, (total or 0) - before
              if limit < 0 then
                needed, counted = 1, redis.call('ZCARD', key) - expired
              end
              local left = math.abs(limit) - counted
              local function wait(n) -- until so many of those that count have expired
                local last = first
                if n > counted then
                  return 2 ^ 53
                elseif n > 1 and limit < 0 then
                  last = grant(key, expired + n - 1)
                elseif n > 1 then
                  local found = redis.call('ZRANGEBYSCORE', key, before + n, '+inf', 'LIMIT', 0, 1)[1]
                  last = tonumber(string.match(found, '^%d+'))
                end
                return last + interval + 1 - now
              end
              local remaining = math.max(left, 0)
              answer[2 * i] = remaining
              answer[2 * i + 1] = remaining < math.abs(limit) and wait(remaining + 1 - left) or 0
              if needed > left then
                answer[1] = math.max(answer[1], wait(needed - left))
              end
              if (total or 0) + permits >= 2 ^ 53 then -- a score is exact up to there: the key starts over when it has expired
                answer[1] = math.max(answer[1], (redis.call('PTTL', key) + 1) * 1000, 1)
              end
              grants[i] = {at = at, sum = (total or 0) + permits, interval = interval, expired = expired, needed = needed}
            end
            if answer[1] > 0 then
              return answer
            end

            for i, key in ipairs(KEYS) do
              local made = grants[i]
              redis.call('ZADD', key, made.sum, string.format('%.0f:%.0f', made.at, made.sum))
              if made.expired > 1 then -- the newest of them stays; more at once would keep others waiting
                redis.call('ZREMRANGEBYRANK', key, 0, math.min(made.expired - 2, 9999))
              end
              redis.call('PEXPIRE', key, math.ceil((made.at - now + made.interval) / 1000) + 1000)
              answer[2 * i] = answer[2 * i] - made.needed
              if answer[2 * i + 1] == 0 then
                answer[2 * i + 1] = made.at + made.interval + 1 - now
              end
            end
            return answer
            """;

    /** Calls what the script may call, in ways that change nothing. */
    private static final String TRIAL = """
            for name, arguments in pairs({ZADD = {'XX', 0, ''}, PEXPIRE = {1000}, PTTL = {}, ZCARD = {}, ZRANGE = {0, 0},
                ZRANGEBYSCORE = {0, 0}, ZREMRANGEBYRANK = {1, 0}}) do
              redis.call(name, KEYS[1], unpack(arguments))
            end""";

    /** The script's numbers are exact up to 2^53, and a limit is added to what was granted. */
    private static final long MOST = 1L << 51;

    private static final long NEVER = 1L << 53;

    private final RedisClient client = RedisClient.create();
    private final RedisURI uri;
    private final String prefix;
    private final Duration timeout;
    private final String digest;
    private volatile CompletableFuture<StatefulRedisConnection<String, String>> connection;
    private volatile long pauseNanos; // after which a connection may be made anew; written by this
    private long connected = System.nanoTime(); // guarded by this

    /**
     * What is decided, by time in nanoseconds.
     *
     * @param delayNanos 0 if the permits were acquired; otherwise for how long attempts are refused, longer if others
     *     acquire permits meanwhile; {@link Long#MAX_VALUE} if a limit never allows as many
     * @param quotas what is left of the limit of each key, in the order of the keys
     */
    public record Answer(long delayNanos, Map<String, Quota> quotas) {}

    /** Nothing was acquired: there is no connection, or the server has answered with an error. */
    public static final class NotAcquiredException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotAcquiredException(Set<String> keys, Throwable cause) {
            super("keys: " + keys + " (expected: a server that can grant): " + cause.getMessage(), cause);
        }
    }

    /**
     * It is not known whether the permits were acquired: no answer came in time, or the connection broke. They may count,
     * once, since no attempt is repeated.
     */
    public static final class OutcomeUnknownException extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutcomeUnknownException(Set<String> keys, Throwable cause) {
            super("keys: " + keys + " (expected: an answer): " + cause, cause);
        }
    }

    /**
     * Connects to a server.
     *
     * @param uri of a primary, or of Sentinels. Its timeout is that of connecting here, a minute unless it says another;
     *     what connects anew later has a second
     * @param prefix what all keys begin with, so that services that share a server do not count together
     * @param timeout of each call, such as 100 ms; over 0
     * @throws IllegalArgumentException if {@code timeout} is 0 or less
     * @throws io.lettuce.core.RedisException if there is no connection, or the user lacks a right
     * @throws IllegalStateException if the server is a replica, or evicts keys
     */
    public RedisLimits(RedisURI uri, String prefix, Duration timeout) {
        this.uri = uri;
        this.prefix = requireNonNull(prefix, "prefix");
        this.timeout = timeout;
        try {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("timeout: " + timeout + " (expected: over 0)");
            }
            client.setOptions(ClientOptions.builder()
                    .autoReconnect(false) // it would repeat what was sent; and wait for up to half a minute
                    .protocolVersion(ProtocolVersion.RESP2) // connects without further commands
                    .build());
            StatefulRedisConnection<String, String> first = client.connect(uri);
            connection = CompletableFuture.completedFuture(first);
            digest = first.async().digest(SCRIPT);
            String info = first.sync().info();
            check(info, "role", "master"); // a replica would answer until something is granted
            check(info, "maxmemory_policy", "noeviction"); // otherwise limits start over when the memory is full
            first.sync().eval(TRIAL, ScriptOutputType.STATUS, prefix + "trial of RedisLimits");
            evaluate(first, digest, new String[0], "1").join();
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
     * Acquires {@code permits} at every key if its limit allows it; otherwise changes nothing. The answer is exact: one
     * microsecond before its delay is over, the attempt would be refused.
     *
     * @param limits the limit of each key; with none everything is granted. The maximum of a key may change from call to
     *     call, but not the interval: each call removes what is older than its own
     * @param permits at least 1
     * @return the answer, on a thread of Lettuce, which what depends on it must not block. The future fails with {@link
     *     NotAcquiredException} or {@link OutcomeUnknownException}
     * @throws IllegalArgumentException if {@code permits} is less than 1, or a limit is over 2^51
     */
    public CompletableFuture<Answer> decide(Map<String, Limit> limits, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        Map<String, Limit> asked = new LinkedHashMap<>(limits); // the caller may change its own
        List<String> keys = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(permits)));
        asked.forEach((key, limit) -> {
            if (limit.max() > MOST) {
                throw new IllegalArgumentException(
                        "limits: " + key + "=" + limit + " (expected: at most " + MOST + ")");
            }
            keys.add(prefix + requireNonNull(key, "key"));
            arguments.add((limit.isPerCall() ? "-" : "") + limit.max());
            arguments.add(Long.toString(limit.interval().toNanos() / 1000));
        });
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(new Answer(0, Map.of()));
        }
        CompletableFuture<StatefulRedisConnection<String, String>> used = connection;
        CompletableFuture<StatefulRedisConnection<String, String>> usable = isClosed(used) ? connectAnew(used) : used;
        return usable.thenCompose(open -> !open.isOpen()
                        ? CompletableFuture.failedFuture(new RedisConnectionException("not connected"))
                        : evaluate(open, digest, keys.toArray(String[]::new), arguments.toArray(String[]::new)))
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .handle((@Nullable List<Long> answer, @Nullable Throwable failure) -> {
                    if (answer == null) {
                        throw exception(usable, asked.keySet(), requireNonNull(failure));
                    }
                    pauseNanos = 0;
                    return answer(asked, permits, answer);
                });
    }

    private static CompletableFuture<List<Long>> evaluate(
            StatefulRedisConnection<String, String> open, String digest, String[] keys, String... arguments) {
        return open.async()
                .<List<Long>>evalsha(digest, ScriptOutputType.MULTI, keys, arguments)
                .toCompletableFuture()
                .exceptionallyCompose(failure -> failure instanceof RedisNoScriptException
                        // A new server, or one whose scripts were flushed: it has run nothing.
                        ? open.async().<List<Long>>eval(SCRIPT, ScriptOutputType.MULTI, keys, arguments)
                        : CompletableFuture.failedFuture(failure));
    }

    static Answer answer(Map<String, Limit> limits, int permits, List<Long> answer) {
        Map<String, Quota> quotas = new LinkedHashMap<>();
        limits.forEach((key, limit) -> {
            long left = answer.get(1 + 2 * quotas.size());
            boolean exceeded = answer.get(0) > 0 && left < (limit.isPerCall() ? 1 : permits);
            quotas.put(key, new Quota(limit, left, nanos(answer.get(2 + 2 * quotas.size())), exceeded));
        });
        return new Answer(nanos(answer.get(0)), quotas);
    }

    private static long nanos(long micros) {
        return micros < NEVER ? micros * 1000 : Long.MAX_VALUE;
    }

    private RuntimeException exception(
            CompletableFuture<StatefulRedisConnection<String, String>> used, Set<String> keys, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean isError = cause instanceof RedisCommandExecutionException;
        if (!isError || String.valueOf(cause.getMessage()).contains("READONLY")) {
            connectAnew(used);
        }
        return isError || cause instanceof RedisConnectionException
                ? new NotAcquiredException(keys, cause)
                : new OutcomeUnknownException(keys, cause);
    }

    private static boolean isClosed(CompletableFuture<StatefulRedisConnection<String, String>> connection) {
        return connection.isDone()
                && (connection.isCompletedExceptionally() || !connection.join().isOpen());
    }

    /**
     * Replaces a connection that is closed, or whose server has become a replica or does not answer: the address may be
     * that of another one by now. Until a call is answered, the pauses between two connections double, up to 0.5 s.
     */
    private synchronized CompletableFuture<StatefulRedisConnection<String, String>> connectAnew(
            CompletableFuture<StatefulRedisConnection<String, String>> old) {
        long now = System.nanoTime();
        if (old == connection && old.isDone() && now - connected >= pauseNanos) {
            connected = now;
            pauseNanos = Math.min(Math.max(20_000_000, 2 * pauseNanos), 500_000_000);
            CompletableFuture<StatefulRedisConnection<String, String>> fresh = new CompletableFuture<>();
            connection = fresh.orTimeout(1, TimeUnit.SECONDS);
            CompletableFuture.completedFuture(uri)
                    .thenCompose(to -> client.connectAsync(StringCodec.UTF8, to))
                    .whenComplete((open, failure) -> {
                        if (open == null) {
                            fresh.completeExceptionally(new RedisConnectionException("not connected", failure));
                        } else if (!fresh.complete(open)) {
                            open.closeAsync(); // too late
                        }
                    });
            old.thenAcceptAsync( // when its calls have ended
                    StatefulRedisConnection::closeAsync,
                    CompletableFuture.delayedExecutor(timeout.toNanos(), TimeUnit.NANOSECONDS));
        }
        return connection;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
