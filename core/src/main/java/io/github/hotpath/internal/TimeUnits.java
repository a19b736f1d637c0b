package io.github.hotpath.internal;

/** The units of a compact form: nano-, micro-, milliseconds and seconds, numbered from 0 to 3. Not exported. */
public final class TimeUnits {
    private static final long[] NANOS = {1, 1_000, 1_000_000, 1_000_000_000};

    /** The largest unit. */
    public static final int LARGEST = NANOS.length - 1;

    private TimeUnits() {}

    /** Returns how many nanoseconds the unit has. */
    public static long nanos(int unit) {
        return NANOS[unit];
    }

    /**
     * Returns the largest unit of which the distances between some times, and from the oldest to {@code end}, are
     * multiples. They are in order, and at most {@link Long#MAX_VALUE} before {@code end}.
     */
    public static int largestOf(long[] times, long end) {
        int unit = largestOf(end - times[0], LARGEST);
        for (int i = 1; i < times.length && unit > 0; i++) {
            unit = largestOf(times[i] - times[i - 1], unit);
        }
        return unit;
    }

    /** Returns the largest unit, up to {@code most}, of which {@code nanos}, zero or more, is a multiple. */
    public static int largestOf(long nanos, int most) {
        int unit = most;
        while (count(nanos, unit) * NANOS[unit] != nanos) {
            unit--;
        }
        return unit;
    }

    /** Returns how many whole units there are in {@code nanos}, zero or more. */
    public static long count(long nanos, int unit) {
        return switch (unit) { // by constants, which compilers turn into multiplications
            case 0 -> nanos;
            case 1 -> nanos / 1_000;
            case 2 -> nanos / 1_000_000;
            default -> nanos / 1_000_000_000;
        };
    }
}
