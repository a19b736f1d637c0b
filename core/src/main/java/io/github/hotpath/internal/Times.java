package io.github.hotpath.internal;

/** Comparisons of times, which may overflow: only their difference has a meaning. Not exported. */
public final class Times {
    private Times() {}

    /**
     * Returns the later of two times, which is {@code a} if they differ by exactly 2^63.
     *
     * @param a a time
     * @param b another
     * @return the later one
     */
    public static long later(long a, long b) {
        return b - a > 0 ? b : a;
    }

    /**
     * Returns whether an event at {@code time}, not later than {@code at}, is more than {@code ageNanos} old at
     * {@code at}. Both ages are unsigned.
     *
     * @param time the time of the event
     * @param at the time at which its age is taken
     * @param ageNanos the greatest age that is not older
     * @return whether it is older than that
     */
    public static boolean isOlder(long time, long at, long ageNanos) {
        // A read far ahead of the latest time compares ages over 2^63, if the interval is over 2^62. This is
        // Long.compareUnsigned, which is no intrinsic before JDK 20.
        return at - time + Long.MIN_VALUE > ageNanos + Long.MIN_VALUE;
    }
}
