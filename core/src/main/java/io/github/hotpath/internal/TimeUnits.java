package io.github.hotpath.internal;

/** The units of a compact form: nano-, micro-, milliseconds and seconds, numbered from 0 to 3. Not exported. */
public final class TimeUnits {
    private static final long[] NANOS = {1, 1_000, 1_000_000, 1_000_000_000};

    /** The largest unit. */
    public static final int LARGEST = NANOS.length - 1;

    private TimeUnits() {}

    /**
     * Returns how many nanoseconds the unit has.
     *
     * @param unit the unit
     * @return the nanoseconds
     */
    public static long nanos(int unit) {
        return NANOS[unit];
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
        while (count(nanos, unit) * NANOS[unit] != nanos) {
            unit--;
        }
        return unit;
    }

    /**
     * Returns how many whole units there are in {@code nanos}.
     *
     * @param nanos zero or more
     * @param unit the unit
     * @return the quotient
     */
    public static long count(long nanos, int unit) {
        return switch (unit) { // by constants, which compilers turn into multiplications
            case 0 -> nanos;
            case 1 -> nanos / 1_000;
            case 2 -> nanos / 1_000_000;
            default -> nanos / 1_000_000_000;
        };
    }
}
