package io.github.hotpath.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in groups of 7 bits, a byte each, the lowest first; every byte but the last has its highest bit set. */
final class Varints {
    /*
     * Up to eight groups are read and written as one long: their bits are moved together, or apart, without a loop. The
     * length is found by branches. Where the next number begins depends on it, and most lengths are predicted, while to
     * compute each would keep the next number waiting for a dozen cycles. The usual lengths, up to four bytes, have the
     * fewest instructions.
     */

    /** Bytes of the longest number: 9 groups of 7 bits are just the 63 of a number that is not negative. */
    static final int MAX_LENGTH = 9;

    /** Numbers below have at most eight groups. */
    private static final long LONG_FROM = 1L << 56;

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
        if (value < 0x4000) {
            GROUPS.set(bytes, index, value & 0x7F | (value & 0x3F80) << 1 | 0x80);
            return index + 2;
        }
        if (value < 0x1000_0000) {
            long groups = value & 0x3FFF | (value & 0xFFF_C000) << 2;
            groups = groups & 0x7F_007F | (groups & 0x3F80_3F80) << 1;
            if (value < 0x20_0000) {
                GROUPS.set(bytes, index, groups | 0x8080);
                return index + 3;
            }
            GROUPS.set(bytes, index, groups | 0x80_8080);
            return index + 4;
        }
        if (value < LONG_FROM) {
            int groups = length(value);
            GROUPS.set(bytes, index, encode(value, groups)); // the bytes behind them are overwritten later
            return index + groups;
        }
        GROUPS.set(bytes, index, encode(value & LONG_FROM - 1, Long.BYTES) | CONTINUED);
        bytes[index + Long.BYTES] = (byte) (value >>> 56);
        return index + MAX_LENGTH;
    }

    /** Returns how many groups a number below {@link #LONG_FROM} has. */
    private static int length(long value) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
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

    /** Returns a number below {@link #LONG_FROM} in {@code length} groups. */
    private static long encode(long value, int length) {
        long groups = value & 0xFFF_FFFFL | (value & 0xFF_FFFF_F000_0000L) << 4;
        groups = groups & 0x3FFF_0000_3FFFL | (groups & 0x0FFF_C000_0FFF_C000L) << 2;
        groups = groups & 0x7F_007F_007F_007FL | (groups & 0x3F80_3F80_3F80_3F80L) << 1;
        return groups | CONTINUED & (1L << Byte.SIZE * (length - 1)) - 1;
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
