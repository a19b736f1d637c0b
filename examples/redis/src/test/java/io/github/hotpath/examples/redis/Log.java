package io.github.hotpath.examples.redis;

import io.lettuce.core.api.sync.RedisCommands;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The header of the value of a key, as {@code acquire.lua} writes it. */
record Log(int rings, int capacity, int head, int count, int known, double sum, double latest, int length) {
    static final int HEADER = 56;

    static Log read(RedisCommands<String, byte[]> commands, String key) {
        ByteBuffer value = ByteBuffer.wrap(commands.get(key)).order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[4];
        value.get(magic);
        return new Log(
                new String(magic, StandardCharsets.US_ASCII).charAt(3) - '0',
                value.getInt(4),
                value.getInt(8),
                value.getInt(12),
                value.getInt(40),
                value.getDouble(48),
                value.getDouble(16),
                value.capacity());
    }
}
