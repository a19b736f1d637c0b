package io.github.hotpath.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in groups of 7 bits, a byte each, the lowest first; every byte but the last has its highest bit set. */
final class Varints {
    /*
     * Up to eight groups are read and written as one long: their bits are moved together, or apart, without a branch.
     * The length alone is found by branches. Where the next number begins depends on it, and most lengths are predicted,
     * while to compute each would keep the next number waiting for a dozen cycles.
     */

    /** Bytes of the longest number: 9 groups of 7 bits are just the 63 of a number that is not negative. */
    static final int MAX_LENGTH = 9;

    /** Numbers below have at most eight groups. */
    static final long LONG_FROM = 1L << 56;

    /** The highest bit of each byte. */
    static final long CONTINUED = 0x8080_8080_8080_8080L;

    private static final VarHandle GROUPS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Varints() {}

    /** Returns the eight bytes from {@code index} on. */
    static long get(byte[] bytes, int index) {
        return (long) GROUPS.get(bytes, index);
    }

    /** Writes eight bytes from {@code index} on. */
    static void set(byte[] bytes, int index, long groups) {
        GROUPS.set(bytes, index, groups);
    }

    /** Returns how many groups a number below {@link #LONG_FROM} has. */
    static int length(long value) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
    }

    /** Returns how many of eight bytes belong to the number that begins with them; 0 if it has more. */
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
        long ends = ~groups & CONTINUED;
        return ends == 0 ? 0 : Long.numberOfTrailingZeros(ends) / Byte.SIZE + 1;
    }

    /** Returns a number below {@link #LONG_FROM} in {@code length} groups. */
    static long encode(long value, int length) {
        long groups = value & 0xFFF_FFFFL | (value & 0xFF_FFFF_F000_0000L) << 4;
        groups = groups & 0x3FFF_0000_3FFFL | (groups & 0x0FFF_C000_0FFF_C000L) << 2;
        groups = groups & 0x7F_007F_007F_007FL | (groups & 0x3F80_3F80_3F80_3F80L) << 1;
        return groups | CONTINUED & (1L << Byte.SIZE * (length - 1)) - 1;
    }

    /** Returns the number in the lowest {@code length} bytes of {@code groups}, at most eight. */
    static long decode(long groups, int length) {
        long value = groups & -1L >>> Long.SIZE - Byte.SIZE * length & ~CONTINUED;
        value = value & 0x7F_007F_007F_007FL | (value & 0x7F00_7F00_7F00_7F00L) >>> 1;
        value = value & 0x3FFF_0000_3FFFL | (value & 0x3FFF_0000_3FFF_0000L) >>> 2;
        return value & 0xFFF_FFFFL | (value & 0x0FFF_FFFF_0000_0000L) >>> 4;
    }
}
