package io.github.hotpath.examples.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a server has stored, for the reports of the programs. */
final class Store implements AutoCloseable {
    private static final int HEADER = 56;

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;
    private final RedisCommands<String, byte[]> commands;

    Store(RedisURI uri) {
        client = RedisClient.create(uri);
        connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        commands = connection.sync();
    }

    RedisCommands<String, byte[]> commands() {
        return commands;
    }

    RedisAsyncCommands<String, byte[]> async() {
        return connection.async();
    }

    /** Returns the times of the log of each key, in microseconds, in no order. */
    Map<String, double[]> times(Collection<String> keys) {
        return commands.mget(keys.toArray(String[]::new)).stream()
                .collect(Collectors.toMap(KeyValue::getKey, value -> times(value.getValueOrElse(null))));
    }

    /** Returns the times of the log of one key. */
    double[] times(String key) {
        return times(commands.get(key));
    }

    private static double[] times(byte @Nullable [] value) {
        if (value == null) {
            return new double[0];
        }
        ByteBuffer log = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        int capacity = log.getInt(4);
        int head = log.getInt(8);
        double[] times = new double[log.getInt(12)];
        for (int back = 1; back <= times.length; back++) {
            times[back - 1] = log.getDouble(HEADER + 8 * Math.floorMod(head - back, capacity));
        }
        return times;
    }

    /** Returns the bytes that all keys take whose names contain {@code name}. */
    long bytes(String name) {
        List<RedisFuture<Long>> bytes =
                keys(name).stream().map(async()::memoryUsage).toList();
        return bytes.stream()
                .map(answer -> answer.toCompletableFuture().join())
                .mapToLong(number -> number == null ? 0 : number)
                .sum();
    }

    /** Deletes these keys. */
    void delete(String name) {
        List<String> keys = keys(name);
        if (!keys.isEmpty()) {
            commands.del(keys.toArray(String[]::new));
        }
    }

    private List<String> keys(String name) {
        List<String> keys = new ArrayList<>();
        ScanArgs args = ScanArgs.Builder.matches("*" + name + "*").limit(1000);
        KeyScanCursor<String> cursor = commands.scan(args);
        keys.addAll(cursor.getKeys());
        while (!cursor.isFinished()) {
            cursor = commands.scan(ScanCursor.of(cursor.getCursor()), args);
            keys.addAll(cursor.getKeys());
        }
        return keys;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
