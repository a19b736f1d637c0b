package io.github.hotpath.internal;

/** The units of a compact form: nanoseconds, microseconds, milliseconds and seconds, numbered from 0 to 3. */
final class TimeUnits {
    private static final int LARGEST = 3;

    private TimeUnits() {}

    static boolean isUnit(int unit) {
        return unit >= 0 && unit <= LARGEST;
    }

    /** Returns how many nanoseconds the unit has. */
    static long nanos(int unit) {
        return switch (unit) {
            case 0 -> 1;
            case 1 -> 1_000;
            case 2 -> 1_000_000;
            default -> 1_000_000_000;
        };
    }

    /** Returns the largest unit of which the age of the oldest time and all distances between times are multiples. */
    static int largestOf(long[] times, long end) {
        int unit = largestOf(end - times[0], LARGEST);
        for (int i = 1; i < times.length && unit > 0; i++) {
            unit = largestOf(times[i] - times[i - 1], unit);
        }
        return unit;
    }

    /** Returns the largest unit, at most {@code most}, of which {@code nanos}, not negative, is a multiple. */
    private static int largestOf(long nanos, int most) {
        int unit = most;
        while (count(nanos, unit) * nanos(unit) != nanos) {
            unit--;
        }
        return unit;
    }

    /** Returns how many whole units there are in {@code nanos}. A division by a constant is a multiplication. */
    static long count(long nanos, int unit) {
        return switch (unit) {
            case 0 -> nanos;
            case 1 -> nanos / 1_000;
            case 2 -> nanos / 1_000_000;
            default -> nanos / 1_000_000_000;
        };
    }
}
