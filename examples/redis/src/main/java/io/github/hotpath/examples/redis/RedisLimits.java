package io.github.hotpath.examples.redis;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.Lists;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a Redis, or Valkey, keeps: version 6.2 or later, alone or a cluster. All threads share one
 * connection, and their calls follow each other without waiting for answers.
 *
 * <pre>{@code
 * RedisClient client = RedisClient.create("redis://localhost");
 * client.setOptions(RedisLimits.options(Duration.ofSeconds(1)));
 * RedisLimits limits = RedisLimits.of(client.connect(), Script.SORTED_SET);
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class RedisLimits {
    /*
     * A refusal stays right whatever others acquire, since that only makes the wait longer. It is known for a second
     * and not until it ends, so that a key that was deleted, or limits of other processes, take effect soon.
     */
    private static final Duration KNOWN = Duration.ofSeconds(1);
    private static final int MOST_KNOWN = 65_536;

    private final StatefulConnection<String, String> connection;
    private final RedisClusterAsyncCommands<String, String> commands;
    private final String script;
    private final String digest;
    private final Ticker clock;
    private final Cache<List<Object>, Long> refusals; // until when an attempt is refused

    private RedisLimits(
            StatefulConnection<String, String> connection,
            RedisClusterAsyncCommands<String, String> commands,
            Stream<String> memoryInfo, // of each server with keys
            String script,
            Ticker clock) {
        ClientOptions options = connection.getOptions();
        if (options.getDisconnectedBehavior() != DisconnectedBehavior.REJECT_COMMANDS
                || !options.getTimeoutOptions().isTimeoutCommands()) {
            throw new IllegalArgumentException("connection: " + options.getDisconnectedBehavior()
                    + ", commands time out: " + options.getTimeoutOptions().isTimeoutCommands()
                    + " (expected: a client with the options of RedisLimits.options)");
        }
        this.connection = connection;
        this.commands = commands;
        this.script = script;
        this.clock = clock;
        digest = commands.digest(script);
        refusals = CacheBuilder.newBuilder()
                .maximumSize(MOST_KNOWN)
                .expireAfterWrite(KNOWN)
                .ticker(clock)
                .build();
        memoryInfo.forEach(RedisLimits::checkEviction);
    }

    /**
     * Returns the options of a client by which no attempt is made twice: it does not repeat what was sent before a
     * connection broke, and rejects what is sent without a connection. It connects again by itself. For a cluster, pass
     * them to {@code ClusterClientOptions.builder}.
     *
     * @param timeout after which a call without an answer fails
     * @return the options
     */
    public static ClientOptions options(Duration timeout) {
        return ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .build();
    }

    /**
     * Returns the limits at a server.
     *
     * @param connection of a client that has {@link #options}; the caller closes it
     * @param script the same for all that share a key
     * @return the limits
     * @throws IllegalArgumentException if the client has other options
     * @throws IllegalStateException if the server evicts keys
     */
    public static RedisLimits of(StatefulRedisConnection<String, String> connection, Script script) {
        return of(connection, script.text(), Ticker.systemTicker());
    }

    static RedisLimits of(StatefulRedisConnection<String, String> connection, String script, Ticker clock) {
        return new RedisLimits(
                connection, connection.async(), Stream.of(connection.sync().info("memory")), script, clock);
    }

    /**
     * Returns the limits at a cluster. Keys that are acquired together have the same tag, as {@code {42}} in
     * {@code client:{42}}, and so one server.
     *
     * @param connection of a client that has {@link #options}; the caller closes it
     * @param script the same for all that share a key
     * @return the limits
     * @throws IllegalArgumentException if the client has other options
     * @throws IllegalStateException if a server evicts keys
     */
    public static RedisLimits of(StatefulRedisClusterConnection<String, String> connection, Script script) {
        return new RedisLimits(
                connection,
                connection.async(),
                connection.sync().upstream().commands().info("memory").stream(), // which connects to each
                script.text(),
                Ticker.systemTicker());
    }

    /** A server that evicts keys when its memory is full starts their limits over. */
    private static void checkEviction(String info) {
        String policy = info.lines()
                .filter(line -> line.startsWith("maxmemory_policy:"))
                .map(line -> line.substring(line.indexOf(':') + 1))
                .findFirst()
                .orElse("unknown");
        if (!policy.equals("noeviction")) {
            throw new IllegalStateException("maxmemory-policy: " + policy + " (expected: noeviction)");
        }
    }

    /**
     * Returns the limiter of a key. It is cheap, so it can be made for each call.
     *
     * @param key of Redis, as {@code client:42}
     * @param limits all of which apply; none grants everything. Others of the same key may have other maximums, but
     *     have the same longest interval: a call forgets what is older than its own
     * @return the limiter
     * @throws IllegalArgumentException if a limit is over 2^51
     */
    public RedisLimiter limiter(String key, List<Limit> limits) {
        return new RedisLimiter(this, requireNonNull(key, "key"), limits);
    }

    /**
     * Returns the limiter of a key, as {@link #limiter(String, List)} does.
     *
     * @param key of Redis
     * @param first limit
     * @param more limits
     * @return the limiter
     * @throws IllegalArgumentException if a limit is over 2^51
     */
    public RedisLimiter limiter(String key, Limit first, Limit... more) {
        return limiter(key, Lists.asList(first, more));
    }

    /** Returns 0 if acquired, or for how many nanoseconds such an attempt is refused. */
    CompletableFuture<Long> acquire(List<String> keys, List<String> limits, int permits) {
        List<Object> attempt = List.of(keys, limits, permits);
        long nanos = clock.read(); // before the call, so that a refusal does not last longer
        Long until = refusals.getIfPresent(attempt);
        if (until != null && until - nanos > 0) {
            return CompletableFuture.completedFuture(until - nanos);
        }
        return ask(keys, limits, permits).thenApply(delay -> {
            if (delay > 0) {
                refusals.put(attempt, nanos + delay);
            }
            return delay;
        });
    }

    /** Returns the same by the server alone. */
    CompletableFuture<Long> ask(List<String> keys, List<String> limits, int permits) {
        // Of a cluster, it would be the connection to one of the nodes, and not of the key's.
        if (connection instanceof StatefulRedisConnection && !connection.isOpen()) {
            return CompletableFuture.failedFuture(new NotAcquiredException(keys, "not connected", null));
        }
        String[] names = keys.toArray(String[]::new);
        String[] arguments = new String[1 + limits.size()];
        arguments[0] = Integer.toString(permits);
        for (int i = 1; i < arguments.length; i++) {
            arguments[i] = limits.get(i - 1);
        }
        return commands.<Long>evalsha(digest, ScriptOutputType.INTEGER, names, arguments)
                .toCompletableFuture()
                .exceptionallyCompose(failure -> cause(failure) instanceof RedisNoScriptException
                        // A new server, or one whose scripts were flushed: it has run nothing.
                        ? commands.<Long>eval(script, ScriptOutputType.INTEGER, names, arguments)
                        : CompletableFuture.failedFuture(failure))
                .handle((@Nullable Long micros, @Nullable Throwable failure) -> {
                    if (micros != null) {
                        return micros * 1000;
                    }
                    Throwable cause = cause(requireNonNull(failure));
                    throw cause instanceof RedisCommandExecutionException error
                            ? new NotAcquiredException(keys, String.valueOf(error.getMessage()), error)
                            : new OutcomeUnknownException(keys, cause);
                });
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
