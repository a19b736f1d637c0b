package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A server, and a client of it. No call times out before a test hangs. */
final class Redis implements AutoCloseable {
    static final Duration NEVER = Duration.ofMinutes(10);

    private static final String TIME = "local clock = redis.call('TIME')\n";
    private static final String EXPIRY = "+ 1000)";

    final ServerProcess server;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    Redis(String... options) throws IOException {
        server = new ServerProcess(options);
        client = client(server.uri());
        connection = client.connect();
    }

    static RedisClient client(RedisURI uri) {
        RedisClient client = RedisClient.create(uri);
        client.setOptions(RedisLimits.options(NEVER));
        return client;
    }

    StatefulRedisConnection<String, String> connection() {
        return connection;
    }

    RedisCommands<String, String> commands() {
        return connection.sync();
    }

    RedisLimits limits(Script script) {
        return RedisLimits.of(connection, script);
    }

    /** Returns limits whose server has another clock: the microseconds in the key "clock". */
    RedisLimits limitsByClock(Script script, Ticker clock) {
        return RedisLimits.of(connection, withTime(script, "redis.call('GET', 'clock')"), clock);
    }

    static String withTimeAsLastArgument(Script script) {
        return withTime(script, "ARGV[#ARGV]");
    }

    private static String withTime(Script script, String micros) {
        assertThat(script.text()).contains(TIME, EXPIRY);
        return script.text()
                .replace(TIME, "local clock = {0, " + micros + "}\n")
                .replace(EXPIRY, "+ 60000)"); // as long may the machine stall
    }

    void setClock(long micros) {
        commands().set("clock", Long.toString(micros));
    }

    /** Returns how many grants a key has. */
    long grants(Script script, String key) {
        return script == Script.LIST ? commands().llen(key) : commands().zcard(key);
    }

    static List<Limit> anHour(int permits) {
        return List.of(Limit.of(permits, Duration.ofHours(1)));
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, NEVER);
        server.close();
    }
}
