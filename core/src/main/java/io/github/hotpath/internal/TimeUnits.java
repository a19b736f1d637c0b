package io.github.hotpath.internal;

/** The units of a compact form: nano-, micro-, milliseconds and seconds, numbered from 0 to 3. Not exported. */
public final class TimeUnits {
    /*
     * A unit has odd * 2^shift nanoseconds, and an odd number has an inverse modulo 2^64. A multiple of the unit
     * becomes its quotient when it is multiplied by the inverse and rotated by the shift. Both are one to one, so any
     * other number becomes one that is larger (unsigned) than all quotients. This is faster than a division, and needs
     * no branch for the unit.
     */

    private static final long[] NANOS = {1, 1_000, 1_000_000, 1_000_000_000};

    /** The largest unit. */
    public static final int LARGEST = NANOS.length - 1;

    /** The most units that are at most {@link Long#MAX_VALUE} nanoseconds. */
    private static final long[] MOST = new long[NANOS.length];

    /** The exponent of two in each unit. */
    private static final int[] SHIFTS = new int[NANOS.length];

    /** The inverse of the odd factor of each unit. */
    private static final long[] INVERSES = new long[NANOS.length];

    static {
        for (int unit = 0; unit <= LARGEST; unit++) {
            MOST[unit] = Long.MAX_VALUE / NANOS[unit];
            SHIFTS[unit] = Long.numberOfTrailingZeros(NANOS[unit]);
            INVERSES[unit] = inverse(NANOS[unit] >>> SHIFTS[unit]);
        }
    }

    private TimeUnits() {}

    /** Returns the number whose product with {@code odd} is 1, modulo 2^64, by Newton's method. */
    private static long inverse(long odd) {
        long inverse = odd; // right in the lowest 3 bits, and each step doubles their number
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    static boolean isUnit(int unit) {
        return unit >= 0 && unit <= LARGEST;
    }

    /** Returns how many nanoseconds the unit has. */
    static long nanos(int unit) {
        return NANOS[unit];
    }

    /** Returns the largest unit of which the age of the oldest time and all distances between times are multiples. */
    static int largestOf(long[] times, long end) {
        return largestOf(times, end, LARGEST);
    }

    /**
     * Returns the largest unit of which the age of the oldest time and all distances between times are multiples.
     *
     * @param times in order, at least one, none later than {@code end}
     * @param end at most {@link Long#MAX_VALUE} later than the oldest
     * @param most no larger unit is returned
     * @return the unit
     */
    public static int largestOf(long[] times, long end, int most) {
        int unit = largestOf(end - times[0], most);
        for (int i = 1; i < times.length && unit > 0; i++) {
            unit = largestOf(times[i] - times[i - 1], unit);
        }
        return unit;
    }

    /**
     * Returns the largest unit of which {@code nanos} is a multiple.
     *
     * @param nanos zero or more
     * @param most no larger unit is returned
     * @return the unit
     */
    public static int largestOf(long nanos, int most) {
        int unit = most;
        while (count(nanos, unit) + Long.MIN_VALUE > MOST[unit] + Long.MIN_VALUE) {
            unit--;
        }
        return unit;
    }

    /**
     * Returns how many units there are in {@code nanos}.
     *
     * @param nanos zero or more, a multiple of the unit
     * @param unit the unit
     * @return the quotient
     */
    public static long count(long nanos, int unit) {
        return Long.rotateRight(nanos * INVERSES[unit], SHIFTS[unit]);
    }
}
