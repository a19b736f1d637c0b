package io.github.hotpath.limit;

import io.github.hotpath.internal.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Keyed limiters, written and read in memory. Their keys are numbers, a byte each. */
final class KeyedForms {
    private KeyedForms() {}

    static byte[] bytes(KeyedLimiter<Integer> limiter) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        limiter.writeTo(new DataOutputStream(bytes), (key, out) -> out.writeByte(key));
        return bytes.toByteArray();
    }

    /** Reads a limiter with keys from 0 to 255. */
    static KeyedLimiter<Integer> read(byte[] bytes, long shiftNanos, List<Limit> limits) throws IOException {
        return read(bytes, shiftNanos, key -> limits);
    }

    static KeyedLimiter<Integer> read(byte[] bytes, long shiftNanos, Function<Integer, List<Limit>> limitsOf)
            throws IOException {
        KeyedLimiter<Integer> limiter =
                KeyedLimiter.readFrom(CompactBytes.input(bytes), DataInput::readUnsignedByte, shiftNanos, limitsOf);
        limiter.checkInvariants();
        return limiter;
    }

    /**
     * The form of limiters of these limits with eight keys, whose order in a map does not depend on how they came
     * there.
     */
    static CompactBytes<KeyedLimiter<Integer>> ofEightKeys(List<Limit> limits) {
        return new CompactBytes<>(
                (limiter, out) -> limiter.writeTo(out, (key, o) -> o.writeByte(key)),
                in -> KeyedLimiter.readFrom(in, keys -> keys.readByte() & 7, 0, key -> limits));
    }
}
