package io.github.hotpath.limit;

import io.github.hotpath.internal.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Keyed limiters, written and read in memory. Their keys are numbers, a byte each. */
final class KeyedForms {
    private KeyedForms() {}

    static byte[] bytes(KeyedLimiter<Integer> limiter) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        limiter.writeTo(new DataOutputStream(bytes), (key, out) -> out.writeByte(key));
        return bytes.toByteArray();
    }

    /** Reads keys from 0 to 255 into {@code limiter}, and returns it. */
    static KeyedLimiter<Integer> read(byte[] bytes, long shiftNanos, KeyedLimiter<Integer> limiter) throws IOException {
        limiter.readFrom(CompactBytes.input(bytes), in -> in.readUnsignedByte(), shiftNanos);
        limiter.checkInvariants();
        return limiter;
    }

    /**
     * The form of limiters of these limits with eight keys, whose order in a map does not depend on how they came
     * there.
     */
    static CompactBytes<KeyedLimiter<Integer>> ofEightKeys(Limit... limits) {
        return new CompactBytes<>((limiter, out) -> limiter.writeTo(out, (key, o) -> o.writeByte(key)), in -> {
            KeyedLimiter<Integer> limiter = KeyedLimiter.of(limits);
            limiter.readFrom(in, keys -> keys.readByte() & 7, 0);
            return limiter;
        });
    }
}
