package io.github.hotpath.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in groups of 7 bits, a byte each, the lowest first; every byte but the last has its highest bit set. */
final class Varints {
    /*
     * Up to eight groups are read as one long, whose bits are moved together: byte by byte, a number takes up to one and
     * a half times as long. The length is found by branches. Where the next number begins depends on it, and most
     * lengths are predicted, while to compute each would keep the next number waiting for a dozen cycles. Numbers are
     * written byte by byte.
     */

    /** Bytes of the longest number: 9 groups of 7 bits are just the 63 of a number that is not negative. */
    static final int MAX_LENGTH = 9;

    /** The highest bit of each byte. */
    private static final long CONTINUED = 0x8080_8080_8080_8080L;

    private static final VarHandle GROUPS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Varints() {}

    /** Returns the eight bytes from {@code index} on. */
    static long get(byte[] bytes, int index) {
        return (long) GROUPS.get(bytes, index);
    }

    /**
     * Writes a number to {@code bytes}, which has room for the longest at {@code index}, and returns the index behind.
     */
    static int put(byte[] bytes, int index, long value) {
        if (value < 0x80) {
            bytes[index] = (byte) value;
            return index + 1;
        }
        bytes[index] = (byte) (value | 0x80);
        if (value < 0x4000) {
            bytes[index + 1] = (byte) (value >>> 7);
            return index + 2;
        }
        bytes[index + 1] = (byte) (value >>> 7 | 0x80);
        if (value < 0x20_0000) {
            bytes[index + 2] = (byte) (value >>> 14);
            return index + 3;
        }
        int next = index + 2;
        long rest = value >>> 14;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes[next++] = (byte) (rest | 0x80);
        }
        bytes[next++] = (byte) rest;
        return next;
    }

    /** Returns how many bytes the number has that begins with these eight; 9 if none of them is its last. */
    static int lengthOf(long groups) {
        if ((groups & 0x80) == 0) {
            return 1;
        }
        if ((groups & 0x8000) == 0) {
            return 2;
        }
        if ((groups & 0x80_0000) == 0) {
            return 3;
        }
        if ((groups & 0x8000_0000L) == 0) {
            return 4;
        }
        return Long.numberOfTrailingZeros(~groups & CONTINUED) / Byte.SIZE + 1;
    }

    /** Returns the number in the lowest {@code length} bytes of {@code groups}, at most eight. */
    static long decode(long groups, int length) {
        if (length == 1) {
            return groups & 0x7F;
        }
        if (length == 2) {
            return groups & 0x7F | groups >>> 1 & 0x3F80;
        }
        if (length == 3) {
            return groups & 0x7F | groups >>> 1 & 0x3F80 | groups >>> 2 & 0x1F_C000;
        }
        if (length == 4) {
            return groups & 0x7F | groups >>> 1 & 0x3F80 | groups >>> 2 & 0x1F_C000 | groups >>> 3 & 0xFE0_0000;
        }
        long value = groups & -1L >>> Long.SIZE - Byte.SIZE * length & ~CONTINUED;
        value = value & 0x7F_007F_007F_007FL | (value & 0x7F00_7F00_7F00_7F00L) >>> 1;
        value = value & 0x3FFF_0000_3FFFL | (value & 0x3FFF_0000_3FFF_0000L) >>> 2;
        return value & 0xFFF_FFFFL | (value & 0x0FFF_FFFF_0000_0000L) >>> 4;
    }
}
