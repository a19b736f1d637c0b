package io.github.hotpath.limit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;

/** Compact forms of limiters, in memory. */
final class LimiterBytes {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private LimiterBytes() {}

    static byte[] of(SlidingWindowLimiter limiter) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        limiter.writeTo(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /** Returns the bytes that {@code hex} stands for, in which spaces mean nothing. */
    static byte[] of(String hex) {
        return HEX.parseHex(hex.replace(" ", ""));
    }

    static String hex(SlidingWindowLimiter limiter) throws IOException {
        return HEX.formatHex(of(limiter));
    }

    static SlidingWindowLimiter read(byte[] bytes) throws IOException {
        return SlidingWindowLimiter.readFrom(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    /** Returns what is read when {@code limiter} was written. */
    static SlidingWindowLimiter copy(SlidingWindowLimiter limiter) throws IOException {
        return read(of(limiter));
    }
}
