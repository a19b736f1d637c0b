package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Redis, or Valkey, that holds the limits: version 6.2 or later, alone or a cluster. All threads
 * share it, and their calls follow each other without waiting for answers.
 *
 * <p>Lettuce is configured so that no attempt is made twice: it does not repeat what was sent before a connection
 * broke, and it rejects what is sent without a connection. It connects again by itself.
 *
 * <p>Thread-safe.
 */
public final class LimitServer implements AutoCloseable {
    private final AbstractRedisClient client;
    private final StatefulConnection<String, String> connection;
    private final RedisClusterAsyncCommands<String, String> commands;
    private final Supplier<List<String>> memoryInfo;
    private final AcquireScript script;
    private final long timeoutNanos;
    private final int replicas;

    private LimitServer(
            AbstractRedisClient client,
            StatefulConnection<String, String> connection,
            RedisClusterAsyncCommands<String, String> commands,
            Supplier<List<String>> memoryInfo,
            AcquireScript script,
            Duration timeout,
            int replicas) {
        this.client = client;
        this.connection = connection;
        this.commands = commands;
        this.memoryInfo = memoryInfo;
        this.script = script;
        this.replicas = replicas;
        timeoutNanos = timeout.toNanos();
    }

    /**
     * Connects to a server.
     *
     * @param uri of the server
     * @param timeout of a call
     * @return the connection
     * @throws IllegalArgumentException if {@code timeout} is not positive
     * @throws IllegalStateException if the server would evict keys
     * @throws io.lettuce.core.RedisException if there is no connection
     */
    public static LimitServer connect(RedisURI uri, Duration timeout) {
        return connect(uri, timeout, 0);
    }

    /**
     * Connects to a server with replicas. A grant returns when so many of them have it: then it survives a failover to
     * one of those. Calls of all threads wait for the replicas one after another.
     *
     * @param uri of the server
     * @param timeout of a call, and of the wait after it
     * @param replicas how many replicas must have a grant before it returns; 0 for none
     * @return the connection
     * @throws IllegalArgumentException if {@code timeout} is not positive, or {@code replicas} negative
     * @throws IllegalStateException if the server would evict keys
     * @throws io.lettuce.core.RedisException if there is no connection
     */
    public static LimitServer connect(RedisURI uri, Duration timeout, int replicas) {
        return connect(uri, timeout, replicas, AcquireScript.STANDARD);
    }

    /** The same with another script. */
    static LimitServer connect(RedisURI uri, Duration timeout, int replicas, AcquireScript script) {
        checkTimeout(timeout);
        if (replicas < 0) {
            throw new IllegalArgumentException("replicas: " + replicas + " (expected: at least 0)");
        }
        RedisClient client = RedisClient.create(withTimeout(uri, timeout));
        return closedOnFailure(client, () -> {
            client.setOptions(atMostOnce(ClientOptions.builder(), timeout).build());
            StatefulRedisConnection<String, String> connection = client.connect();
            return new LimitServer(
                    client,
                    connection,
                    connection.async(),
                    () -> List.of(connection.sync().info("memory")),
                    script,
                    timeout,
                    replicas);
        });
    }

    /**
     * Connects to a cluster. Each key is at one of its servers, with its whole log.
     *
     * @param uris of some of the servers
     * @param timeout of a call
     * @return the connection
     * @throws IllegalArgumentException if {@code timeout} is not positive
     * @throws IllegalStateException if a server would evict keys
     * @throws io.lettuce.core.RedisException if there is no connection
     */
    public static LimitServer connectCluster(Collection<RedisURI> uris, Duration timeout) {
        checkTimeout(timeout);
        RedisClusterClient client = RedisClusterClient.create(
                uris.stream().map(uri -> withTimeout(uri, timeout)).toList());
        return closedOnFailure(client, () -> {
            ClusterClientOptions.Builder options = ClusterClientOptions.builder();
            atMostOnce(options, timeout);
            client.setOptions(options.build());
            StatefulRedisClusterConnection<String, String> connection = client.connect();
            return new LimitServer(
                    client,
                    connection,
                    connection.async(),
                    () -> connection.sync().upstream().commands().info("memory").stream()
                            .toList(),
                    AcquireScript.STANDARD,
                    timeout,
                    0);
        });
    }

    private static void checkTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: positive)");
        }
    }

    private static RedisURI withTimeout(RedisURI uri, Duration timeout) {
        return RedisURI.builder(uri).withTimeout(timeout).build();
    }

    private static <B extends ClientOptions.Builder> B atMostOnce(B options, Duration timeout) {
        options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder().connectTimeout(timeout).build());
        return options;
    }

    private static LimitServer closedOnFailure(AbstractRedisClient client, Supplier<LimitServer> connect) {
        try {
            LimitServer server = connect.get();
            server.checkEviction();
            return server;
        } catch (RuntimeException e) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            throw e;
        }
    }

    /**
     * Checks that the server does not evict keys when its memory is full, since that would start limits over. This has
     * been checked when the connection was made; the server can be configured differently meanwhile.
     *
     * @throws IllegalStateException if it does
     */
    public void checkEviction() {
        for (String info : memoryInfo.get()) {
            String policy = info.lines()
                    .filter(line -> line.startsWith("maxmemory_policy:"))
                    .map(line -> line.substring(line.indexOf(':') + 1))
                    .findFirst()
                    .orElse("unknown");
            if (!policy.equals("noeviction")) {
                throw new IllegalStateException(
                        "maxmemory-policy of the server: " + policy + " (expected: noeviction)");
            }
        }
    }

    /**
     * Returns a limiter that uses the clock of the server.
     *
     * @param name of the limit, the beginning of its keys
     * @param limits one or more, all of which apply
     * @return the limiter
     * @throws IllegalArgumentException if there is no limit, or one is over 2^51 permits or 2^52 microseconds
     */
    public RedisLimiter limiter(String name, Limit... limits) {
        return new RedisLimiter(this, name, null, limits);
    }

    /**
     * Returns a limiter that uses a clock of the caller. The clocks of all callers must be kept together, as by NTP:
     * they may differ by less than a minute, and an attempt that is earlier than the latest grant is judged, and
     * counts, at the time of that grant.
     *
     * @param name of the limit, the beginning of its keys
     * @param epochMicros the clock, in microseconds since 1970, from 0 to 2^52
     * @param limits one or more, all of which apply
     * @return the limiter
     * @throws IllegalArgumentException if there is no limit, or one is over 2^51 permits or 2^52 microseconds
     */
    public RedisLimiter limiter(String name, LongSupplier epochMicros, Limit... limits) {
        return new RedisLimiter(this, name, epochMicros, limits);
    }

    /** Runs the script, and returns its result. */
    long acquire(String key, String[] arguments) {
        if (!connection.isOpen()) {
            throw new NotAcquiredException(key, "not connected", null);
        }
        try {
            long result = run(key, arguments);
            if (result == 0 && replicas > 0) {
                awaitReplicas();
            }
            return result;
        } catch (RedisCommandExecutionException e) {
            throw new NotAcquiredException(key, String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(key, e);
        } catch (TimeoutException | RuntimeException e) {
            throw new OutcomeUnknownException(key, e);
        }
    }

    private long run(String key, String[] arguments) throws InterruptedException, TimeoutException {
        String[] keys = {key};
        try {
            return await(commands.<Long>evalsha(script.digest(), ScriptOutputType.INTEGER, keys, arguments));
        } catch (RedisNoScriptException e) { // a new server, or one whose scripts were flushed: it has run nothing
            return await(commands.<Long>eval(script.text(), ScriptOutputType.INTEGER, keys, arguments));
        }
    }

    private void awaitReplicas() throws InterruptedException, TimeoutException {
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos) / 2);
        long have = await(commands.waitForReplication(replicas, millis));
        if (have < replicas) {
            throw new TimeoutException("replicas that have the grant: " + have + " (expected: " + replicas + ")");
        }
    }

    /** Removes the log of a key. */
    void clear(String key) {
        try {
            await(commands.del(key));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(key, e);
        } catch (TimeoutException | RuntimeException e) {
            throw new OutcomeUnknownException(key, e);
        }
    }

    private <T> T await(RedisFuture<T> future) throws InterruptedException, TimeoutException {
        try {
            return future.get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
        } finally {
            future.cancel(false); // so that it is not sent later
        }
    }

    /** Ends the connection. */
    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
